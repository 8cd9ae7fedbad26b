import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { UserAccounts } from '../../src/auth/index.js';
import { Church } from '../../src/config/index.js';
import {
  AddContribution,
  AddContributions,
  type AddContributionCommand,
  type BatchResult,
} from '../../src/contributions/gifts/index.js';
import { DatabaseRetry } from '../../src/contributions/imports/database-retry.js';
import { rowsToRecord } from '../../src/contributions/imports/files/file-rows.js';
import { type InspectedFile, inspectFile } from '../../src/contributions/imports/files/inspect-file.js';
import { readMapping } from '../../src/contributions/imports/files/mapping.js';
import { NumberRows } from '../../src/contributions/imports/identity/number-rows.js';
import { SeenIds } from '../../src/contributions/imports/identity/seen-ids.js';
import { ImportFileRow } from '../../src/contributions/imports/import-file-row.js';
import { ImportGifts } from '../../src/contributions/imports/import-gifts.service.js';
import { PaymentResults } from '../../src/contributions/imports/payments/payment-results.js';
import { RecordRows } from '../../src/contributions/imports/recording/record-rows.js';
import { RefundIds } from '../../src/contributions/imports/refunds/refund-ids.js';
import type { RowResult } from '../../src/contributions/imports/results/result-file.js';
import { type ExpectedError, expectedErrorOf } from '../../src/http/index.js';
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
  recordAlone(oneByOne);
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

const COLUMNS =
  'TransactionId,First,Last,Email,Phone,Address,Zip,Amount,Date,FundId,Notes,PeopleId,Refunded so far,Status,Keep';
const MAPPING = {
  ...{ FundId: 'FundId', PeopleId: 'PeopleId', 'Refunded so far': 'RefundedAmount', Status: null, Keep: null },
  refunds: { Status: ['Refunded'] },
  only: { Keep: ['yes'] },
  file: { repeats: [] },
};

/** A file of these lines, inspected. */
async function fileOf(service: TestApp, source: string, lines: readonly string[]): Promise<InspectedFile> {
  const path = files.write('gifts.csv', `${[COLUMNS, ...lines].join('\n')}\n`);
  const mapping = readMapping(Buffer.from(JSON.stringify(MAPPING)));
  return inspectFile({ path, mapping, source, church: service.app.get(Church), withoutContacts: true });
}

function refuseToWait(): never {
  throw new Error('The database is unavailable');
}

/** Imports a file of these lines. @returns the results of its rows, in the order in which they are recorded. */
async function importLines(service: TestApp, source: string, lines: readonly string[]): Promise<RowResult[]> {
  const file = await fileOf(service, source, lines);
  const results: RowResult[] = [];
  const order = { file, username: 'api', dryRun: false, resultPath: `${file.path}.result.csv`, patience: 10_000 };
  await service.app.get(ImportGifts).import(
    { ...order, signal: new AbortController().signal },
    {
      rowImported: (row) => results.push(row),
      databaseUnavailable: refuseToWait,
    },
  );
  return results;
}

/** Lets a service record each gift of a batch as a call of AddContribution is recorded: the rule that a batch must follow. */
function recordAlone({ app }: TestApp): void {
  const addContribution = app.get(AddContribution);
  const record = async (gifts: readonly AddContributionCommand[]): Promise<readonly BatchResult[]> => {
    const results: BatchResult[] = [];
    for (const gift of gifts) results.push(await addContribution.record(gift).catch(refusal));
    return results;
  };
  Object.assign(app.get(AddContributions), { record });
}

function refusal(error: unknown): ExpectedError {
  const refused = expectedErrorOf(error);
  if (refused === undefined) throw error;
  return refused;
}

/** Reads and records each row of the file only after the row before it was recorded, each in a transaction of its own. */
async function importOneByOne(service: TestApp, source: string, lines: readonly string[]): Promise<RowResult[]> {
  const { app } = service;
  const file = await fileOf(service, source, lines);
  const user = await app.get(UserAccounts).activeUser('api');
  const { signal } = new AbortController();
  const retry = new DatabaseRetry(10_000, signal, refuseToWait);
  const context = {
    ...{ columns: file.columns, user, retry, earlierRows: undefined },
    ids: await app.get(NumberRows).number(file, user.userId, retry, signal),
    seenIds: new SeenIds(file.rows),
    refundIds: new RefundIds(),
    paymentResults: new PaymentResults(file.columns.payments),
  };
  const recordRows = app.get(RecordRows);
  const results: RowResult[] = [];
  for await (const { row, line, cells } of rowsToRecord(file)) {
    const read = app.get(ImportFileRow).read(context, { row, line }, cells);
    if (read.kind === 'refund') results.push(await read.importRow());
    else if (read.kind === 'refunded gift') results.push(await recordRows.recordRefunded(context, read));
    else results.push(...(await recordRows.record(context, [read])));
  }
  return results;
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
  persons: `SELECT first_name, last_name, email, phone, address, zip FROM person ORDER BY id`,
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

/** Cells of a row by column. A column that is not named is blank. */
function rowOf(cells: Readonly<Record<string, string>>): string {
  return COLUMNS.split(',')
    .map((name) => cells[name] ?? '')
    .join(',');
}

/** A giver. Few values, so that rows share names, contacts and addresses. Some givers have only an address. */
const giver = fc
  .record({
    First: fc.constantFrom('Robert', 'Bob', 'Ann', 'Anna'),
    Last: fc.constantFrom('Lee', 'Le', 'Smith'),
    contacts: mostly(
      fc.record({
        Email: fc.constantFrom('a@x.org', 'b@x.org', 'c@x.org', 'office@x.org', 'none@none.invalid'),
        Phone: fc.constantFrom('901-555-0101', '901-555-0102', '901-555-0103', 'n/a'),
      }),
      fc.constant({}),
      3,
    ),
    Address: fc.constantFrom('', '1 Main Street', '1 MAIN ST', '2 Main Street'),
    Zip: fc.constantFrom('', '38103', '38103-1234'),
  })
  .map(({ contacts, ...others }) => ({ ...others, ...contacts }));

const GIFT_IDS = ['A', 'B', 'C', 'D'];

/** The fields of a gift besides its giver. */
const giftFields = fc.record({
  TransactionId: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 500 }).map((number) => `T${number}`) },
    { weight: 2, arbitrary: fc.constantFrom(...GIFT_IDS) },
    { weight: 3, arbitrary: fc.constant('') },
  ),
  Amount: mostly(fc.constantFrom(`${RUN}5`, `${RUN}7.50`), fc.constant(' five')),
  Date: fc.constantFrom('2026-08-02', '2026-08-09', '2026-08-09T10:30:00'),
  FundId: mostly(fc.constantFrom('', '', '', '2', '3'), fc.constant('99')),
  Notes: fc.constantFrom('', '', 'For the roof'),
  PeopleId: mostly(fc.constant(''), fc.constant('2000000001')),
  'Refunded so far': mostly(fc.constantFrom('', '', '0'), fc.constantFrom('1', '5', `${RUN}5`, '99999999')),
  Keep: mostly(fc.constant('yes'), fc.constant('no')),
});

const giftRow = fc.tuple(giver, giftFields).map(([giver, fields]) => [rowOf({ ...giver, ...fields })]);

/** A payment to several funds: rows with one id, all equal but for fund, amount and notes. */
const paymentRows = fc
  .tuple(
    giver,
    giftFields,
    fc.uniqueArray(fc.constantFrom('', '2', '3', '99'), { minLength: 2, maxLength: 3 }),
    fc.constantFrom(...GIFT_IDS, 'P', 'Q'),
  )
  .map(([giver, fields, funds, TransactionId]) =>
    funds.map((FundId) => rowOf({ ...giver, ...fields, FundId, TransactionId, Keep: 'yes' })),
  );

/** A row that takes back what a row before or after it may have given. */
const refundRow = fc
  .record({
    TransactionId: fc.constantFrom(...GIFT_IDS, 'P'),
    Amount: fc.constantFrom('', '5', '2.50'),
    Date: fc.integer({ min: 10, max: 29 }).map((day) => `2026-09-${day}`),
    Keep: mostly(fc.constant('yes'), fc.constant('no')),
  })
  .map((fields) => [rowOf({ ...fields, Status: 'Refunded' })]);

function mostly<T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>, ratio = 12): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: ratio, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

/** Rows that belong together are next to each other in some files and apart in others. */
const fileRows = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: giftRow },
      { weight: 1, arbitrary: paymentRows },
      { weight: 2, arbitrary: refundRow },
    ),
    { minLength: 1, maxLength: 20 },
  )
  .chain((rows) =>
    fc.oneof(fc.constant(rows.flat()), fc.shuffledSubarray(rows.flat(), { minLength: rows.flat().length })),
  );

describe('the import of a file in batches', () => {
  it('has the results of its rows recorded one by one, and leaves the same books', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fileRows, async (rows) => {
        const source = `run ${++run}`;
        const lines = rows.map((row) => row.replaceAll(RUN, String(run)));
        const batched = await importLines(inBatches, source, lines);
        const single = await importOneByOne(oneByOne, source, lines);
        expect(await withRanks(inBatches, batched)).toEqual(await withRanks(oneByOne, single));
        expect(await booksOf(inBatches)).toEqual(await booksOf(oneByOne));
      }),
      // After a failure the two books differ, so a smaller file would prove nothing.
      { numRuns: 25, endOnFailure: true },
    );
  }, 120_000);
});
