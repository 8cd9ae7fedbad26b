import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Church } from '../../src/config/index.js';
import { inspectFile } from '../../src/contributions/imports/files/inspect-file.js';
import { readMapping } from '../../src/contributions/imports/files/mapping.js';
import { ImportGifts } from '../../src/contributions/imports/import-gifts.service.js';
import type { RowResult } from '../../src/contributions/imports/results/result-file.js';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let inBatches: TestApp;
let oneByOne: TestApp;
let files: GiftFiles;

beforeAll(async () => {
  inBatches = await startTestApp();
  oneByOne = await startTestApp();
  files = giftFiles();
  for (const { database } of [inBatches, oneByOne]) {
    await database.query(`INSERT INTO fund (name, is_open) VALUES ('Building', true), ('Closed', false)`);
  }
});
afterAll(async () => {
  for (const { database } of [inBatches, oneByOne]) await assertLedgerInvariants(database);
  files.remove();
  await inBatches.stop();
  await oneByOne.stop();
});

const HEADER = 'TransactionId,First,Last,Email,Phone,Amount,Date,FundId,Notes,PeopleId,Status';
const AMOUNT = HEADER.split(',').indexOf('Amount');
const MAPPING = { FundId: 'FundId', PeopleId: 'PeopleId', Status: null, refunds: { Status: ['Refunded'] } };

/** Imports a file of these lines. @returns the result of each row. */
async function importLines(service: TestApp, source: string, lines: readonly string[]): Promise<RowResult[]> {
  const path = files.write('gifts.csv', `${[HEADER, ...lines].join('\n')}\n`);
  const mapping = readMapping(Buffer.from(JSON.stringify(MAPPING)));
  const file = await inspectFile({ path, mapping, source, church: service.app.get(Church) });
  const results: RowResult[] = [];
  const order = { file, username: 'api', dryRun: false, resultPath: `${path}.result.csv`, patience: 10_000 };
  await service.app.get(ImportGifts).import(
    { ...order, signal: new AbortController().signal },
    {
      rowImported: (row) => results.push(row),
      databaseUnavailable: () => {
        throw new Error('The database is unavailable');
      },
    },
  );
  return results;
}

/**
 * Imports the file row by row: first its first row, then its first two rows, and so on. A refused row stays refused: it could
 * be accepted later, such as a refund after its gift.
 */
async function importOneByOne(source: string, lines: readonly string[]): Promise<RowResult[]> {
  const results: RowResult[] = [];
  const before: string[] = [];
  for (const line of lines) {
    const last = (await importLines(oneByOne, source, [...before, line])).at(-1);
    if (last === undefined) throw new Error('The row has no result');
    results.push(last);
    before.push(last.status === 'refused' ? withInvalidAmount(line) : line);
  }
  return results;
}

function withInvalidAmount(line: string): string {
  return line.split(',').with(AMOUNT, 'refused').join(',');
}

/** Refunds that follow each other are recorded at the same time, in any order, so they are compared by their own ids. */
const GIFTS_FIRST = 'reverses_id IS NOT NULL, refund_id, id';
const RANKS = `WITH people AS (SELECT id, row_number() OVER (ORDER BY id) AS rank FROM person),
  gifts AS (SELECT id, row_number() OVER (ORDER BY ${GIFTS_FIRST}) AS rank FROM contribution)`;

const person = (id: string): string => `(SELECT rank FROM people WHERE people.id = ${id})`;
const gift = (id: string): string => `(SELECT rank FROM gifts WHERE gifts.id = ${id})`;
const listOf = (rank: (id: string) => string, ids: string, order = 'place'): string =>
  `ARRAY(SELECT ${rank('one.id')} AS rank FROM unnest(${ids}) WITH ORDINALITY AS one(id, place) ORDER BY ${order})`;

/**
 * The books, with each id replaced by its rank among the ids of its kind: a refused row uses up ids, and how many depends on
 * the rows with which it was tried. The database finds equal gifts in no certain order.
 */
const BOOKS = {
  persons: `SELECT first_name, last_name, email, phone FROM person ORDER BY id`,
  contacts: `${RANKS} SELECT ${person('person_id')} AS person, kind, value, confirmed FROM contact ORDER BY id`,
  gifts: `${RANKS} SELECT ${gift('payment_id')} AS payment, ${person('person_id')} AS person, amount, day::text, fund_id,
      matched_by, matched_on, ${listOf(person, 'other_matches')} AS others, transaction_id, status, reversed_amount, notes,
      source, refund_id, ${gift('reverses_id')} AS reverses
    FROM contribution ORDER BY ${GIFTS_FIRST}`,
  changes: `${RANKS} SELECT ${gift('contribution.id')} AS gift FROM contribution
    WHERE reverses_id IS NULL AND reversed_amount = 0 ORDER BY change_no`,
  reviews: `${RANKS} SELECT ${gift('contribution_id')} AS gift, reasons, ${listOf(person, 'other_persons')} AS persons,
      ${listOf(gift, 'other_gifts', 'rank')} AS gifts
    FROM review ORDER BY id`,
  notices: `${RANKS} SELECT ${gift('reversing_contribution_id')} AS reversal FROM notice ORDER BY 1`,
  audit: `SELECT action, count(*)::integer FROM audit_entry WHERE action NOT LIKE 'import.%' GROUP BY action ORDER BY action`,
} as const;

async function booksOf({ database }: TestApp): Promise<Record<string, unknown>> {
  const tables = Object.entries(BOOKS).map(async ([name, sql]) => [name, await database.query(sql)] as const);
  return Object.fromEntries(await Promise.all(tables));
}

/** Replaces the ids of results by their ranks, as {@link BOOKS} does. */
async function withRanks({ database }: TestApp, results: readonly RowResult[]): Promise<object[]> {
  const ranksOf = async (table: string, order: string): Promise<ReadonlyMap<number, number>> => {
    const rows = await database.query<{ id: number }>(`SELECT id FROM ${table} ORDER BY ${order}`);
    return new Map(rows.map(({ id }, rank) => [id, rank]));
  };
  const [persons, gifts] = [await ranksOf('person', 'id'), await ranksOf('contribution', GIFTS_FIRST)];
  return results.map(({ peopleId, contributionId, similarTo, error, ...others }) => ({
    ...others,
    peopleId: peopleId === null ? null : persons.get(peopleId),
    contributionId: contributionId === null ? null : gifts.get(contributionId),
    similarTo: similarTo === null ? null : gifts.get(similarTo),
    // The times and ids of messages differ.
    error: error?.replace(/\d+/g, '#'),
  }));
}

/** Stands for the number of the file in amounts, so that no file has an amount of another one. */
const RUN = 'RUN';

/** A row, given its place in the file. */
type Row = (place: number) => string;

/**
 * A row of a gift. Few values, so that rows share givers, contacts and ids. A gift that is refused has an amount of its own:
 * ids that are made for equal rows count them.
 */
const giftRow = fc
  .record({
    id: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 500 }).map((number) => `T${number}`) },
      { weight: 1, arbitrary: fc.constantFrom('A', 'B', 'C') },
      { weight: 3, arbitrary: fc.constant('') },
    ),
    first: fc.constantFrom('Robert', 'Bob', 'Ann', 'Anna'),
    last: fc.constantFrom('Lee', 'Le', 'Smith'),
    email: fc.constantFrom('a@x.org', 'b@x.org', 'c@x.org', 'office@x.org', 'none@none.invalid'),
    phone: fc.constantFrom('901-555-0101', '901-555-0102', '901-555-0103', 'n/a'),
    amount: mostly(fc.constantFrom('5', '7.50'), fc.constant(' five')),
    day: fc.constantFrom('2026-08-02', '2026-08-09', '2026-08-09T10:30:00'),
    fund: mostly(fc.constantFrom('', '', '', '2', '3'), fc.constant('99')),
    notes: fc.constantFrom('', '', 'For the roof'),
    person: mostly(fc.constant(''), fc.constant('2000000001')),
  })
  .map(({ id, first, last, email, phone, amount, day, fund, notes, person }): Row => (place) => {
    const own = fund === '99' || person !== '' ? `${RUN}${100 + place}` : `${RUN}${amount}`;
    return [id, first, last, email, phone, own, day, fund, notes, person, ''].join(',');
  });

function mostly<T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

/** A row that takes back what an earlier row may have given. */
const refundRow = fc.record({ id: fc.constantFrom('A', 'B', 'C'), amount: fc.constantFrom('', '5', '2.50') }).map(
  ({ id, amount }): Row =>
    (place) =>
      `${id},,,,,${amount},2026-09-${10 + place},,,,Refunded`,
);

const fileRows = fc
  .array(fc.oneof({ weight: 8, arbitrary: giftRow }, { weight: 1, arbitrary: refundRow }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((rows) => rows.map((row, place) => row(place)));

describe('the import of a file in batches', () => {
  it('has the results of its rows imported one by one, and leaves the same books', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fileRows, async (rows) => {
        const source = `run ${++run}`;
        const lines = rows.map((row) => row.replace(RUN, String(run)));
        const batched = await importLines(inBatches, source, lines);
        const single = await importOneByOne(source, lines);
        expect(await withRanks(inBatches, batched)).toEqual(await withRanks(oneByOne, single));
        expect(await booksOf(inBatches)).toEqual(await booksOf(oneByOne));
      }),
      // After a failure the two books differ, so a smaller file would prove nothing.
      { numRuns: 12, endOnFailure: true },
    );
  }, 120_000);
});
