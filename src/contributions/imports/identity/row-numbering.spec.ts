import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GRACE } from '../../../../test/support/grace-church.js';
import { REQUEST_VERSION } from '../../../idempotency/index.js';
import { AddContributionRequest } from '../../gifts/requests/add-contribution.request.js';
import { sentGift } from '../../gifts/requests/request-to-command.js';
import { idPrefix } from './derived-transaction-ids.js';
import { resolveGiftDate } from '../../../values/dates/gift-date.js';
import { storedAmount } from '../../../values/index.js';
import { type RecordedRow, RowIdentities } from './row-identity.js';
import { RowNumbering, type RecordedRowsQuery } from './row-numbering.js';

type Row = { [Field in keyof AddContributionRequest]?: AddContributionRequest[Field] | undefined };

const IDENTITIES = new RowIdentities(GRACE);

function requestOf(row: Row): AddContributionRequest {
  return Object.assign(new AddContributionRequest(), row);
}

/** The imported gifts of one user. */
class Books {
  private readonly gifts: { recorded: RecordedRow; row: Row }[] = [];

  /** @param timeZone the church's time zone when the gifts were recorded. Files are compared in America/Chicago. */
  constructor(private readonly timeZone = 'America/Chicago') {}

  /**
   * Imports a file as the product does.
   * @param atOnce rows whose recorded gifts are looked up together.
   * @returns the result of each row
   */
  import(file: readonly Row[], atOnce = file.length): ('recorded' | 'already recorded' | 'refused')[] {
    const requests = file.map(requestOf);
    const numbering = new RowNumbering(IDENTITIES, file.length);
    for (let first = 0; first < file.length; first += atOnce) {
      const rows = requests.slice(first, first + atOnce);
      const unknown = numbering.queryFor(rows);
      numbering.addRecorded(rows, unknown, this.find(unknown));
      rows.forEach((request, i) => {
        numbering.number(first + i + 1, request);
      });
    }
    const ids = numbering.finish();
    return requests.map((request, i) => {
      const id = ids.of(i + 1, request);
      if (id.kind === 'recorded') return 'already recorded';
      if (ids.isAmbiguous(id.alikeKey, request)) return 'refused';
      this.record(file[i] ?? {}, request, id.transactionId);
      return 'recorded';
    });
  }

  private find({ prefixes, lookupKeys }: RecordedRowsQuery): RecordedRow[] {
    const placesAsText = new Set(lookupKeys.map((place) => JSON.stringify(place)));
    const known = this.gifts.filter(({ recorded: { transactionId, source, day, amount } }) => {
      const isOfPrefix = prefixes.some((prefix) => transactionId.startsWith(prefix));
      return isOfPrefix || placesAsText.has(JSON.stringify({ source, day, amount }));
    });
    return known.map(({ recorded }) => recorded);
  }

  /** @throws Error for an id that another gift has, which the database would refuse. */
  private record(row: Row, request: AddContributionRequest, transactionId: string): void {
    if (this.ids().includes(transactionId)) throw new Error('An id was made for two gifts');
    const { First: first, Last: last, Email: email, Phone: phone, Amount: amount, Source: source = '' } = request;
    if (request.Date === undefined) throw new Error('These rows have dates');
    const { instant: givenAt, day } = resolveGiftDate(request.Date, this.timeZone);
    const stored = {
      request_digest: sentGift(Object.assign({}, request, { TransactionId: transactionId })).digest(),
      request_version: REQUEST_VERSION,
    };
    const contributionId = this.gifts.length + 1;
    const giver = { first, last, email, phone };
    this.gifts.push({
      recorded: { ...stored, ...giver, contributionId, transactionId, amount, givenAt, day, source, isReversed: false },
      row,
    });
  }

  /** How often each row is recorded. */
  counts(): Record<string, number> {
    return countsOf(this.gifts.map(({ row }) => row));
  }

  ids(): string[] {
    return this.gifts.map(({ recorded }) => recorded.transactionId);
  }
}

function countsOf(rows: readonly Row[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const key = JSON.stringify(Object.entries(row).sort());
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const SUE: Row = {
  First: 'Sue',
  Last: 'Split',
  Email: 'sue@example.org',
  Phone: 'n/a',
  Amount: storedAmount('50.00'),
  Date: { kind: 'day', day: '2026-11-20' },
  Source: 'S',
};

const row: fc.Arbitrary<Row> = fc
  .record({
    First: fc.constantFrom('Ann', 'Bob'),
    Phone: fc.constantFrom('1', '2'),
    FundId: fc.constantFrom(undefined, 1, 2),
    Notes: fc.constantFrom(undefined, 'x'),
  })
  .map((fields): Row => ({ ...SUE, ...fields }));

/** A file and parts of it in any order. The parts may overlap or contain each other. */
const overlapping = fc
  .array(row, { maxLength: 12 })
  .chain((all) => fc.tuple(fc.constant(all), fc.array(fc.shuffledSubarray(all), { maxLength: 4 })));

describe('rows without an id', () => {
  it('are recorded exactly as often as the complete file has them, whatever parts were imported before', () => {
    fc.assert(
      fc.property(overlapping, fc.integer({ min: 1, max: 12 }), ([all, parts], atOnce) => {
        const books = new Books();
        for (const part of parts) {
          books.import(part, atOnce);
          for (const [gift, count] of Object.entries(books.counts()))
            expect(count).toBeLessThanOrEqual(countsOf(all)[gift] ?? 0);
        }
        expect(books.import(all, atOnce)).not.toContain('refused');
        expect(books.counts()).toEqual(countsOf(all));
        expect(new Set(books.import(all, atOnce))).toEqual(new Set(all.length === 0 ? [] : ['already recorded']));
      }),
    );
  });

  it('are never recorded more often than any file has them, and never ignored without a refusal', () => {
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 4 }), (files) => {
        const books = new Books();
        for (const file of files) {
          const results = books.import(file);
          const booked = file.filter((_row, i) => results[i] !== 'refused');
          for (const [gift, count] of Object.entries(countsOf(booked)))
            expect(books.counts()[gift]).toBeGreaterThanOrEqual(count);
        }
        const most = files.map(countsOf);
        for (const [gift, count] of Object.entries(books.counts()))
          expect(count).toBeLessThanOrEqual(Math.max(...most.map((counts) => counts[gift] ?? 0)));
      }),
    );
  });

  it.each<[string, Row, Row]>([
    ['a fund', { FundId: 2 }, { FundId: 1 }],
    ['a type', { ContributionTypeId: 1 }, { ContributionTypeId: 9 }],
    ['a bundle type', { BundleTypeId: 4 }, { BundleTypeId: 1 }],
    ['a note', { Notes: 'roof' }, { Notes: 'organ' }],
    ['a phone', { Phone: '1' }, { Phone: '2' }],
    ['a person', { PeopleId: 1 }, { PeopleId: 2 }],
  ])(
    'that differ in %s are told apart: a new row before a recorded one is recorded, and the other stays recorded once',
    (_, old, added) => {
      const books = new Books();
      expect(books.import([{ ...SUE, ...old }])).toEqual(['recorded']);
      const fuller = [
        { ...SUE, ...added },
        { ...SUE, ...old },
      ];
      expect(books.import(fuller)).toEqual(['recorded', 'already recorded']);
      expect(books.import(fuller.toReversed())).toEqual(['already recorded', 'already recorded']);
      expect(books.counts()).toEqual(countsOf(fuller));
    },
  );

  it('are all refused if they are new and a recorded row may be a changed one of them', () => {
    const books = new Books();
    books.import([SUE]);
    const changed = [{ FundId: 2 }, { Notes: 'x' }, { Phone: '1', FundId: 2 }].map((change) => ({ ...SUE, ...change }));
    expect(books.import(changed)).toEqual(['refused', 'refused', 'refused']);
    expect(books.import([SUE, ...changed])).toEqual(['already recorded', 'recorded', 'recorded', 'recorded']);
  });

  it.each<[string, Row]>([
    ['phone', { Phone: '(901) 555-0199' }],
    ['e-mail', { Email: 'sue.split@example.org' }],
  ])('are recorded if only the %s differs from a recorded row, since it may be another giver', (_what, change) => {
    const books = new Books();
    books.import([SUE]);
    expect(books.import([{ ...SUE, ...change }])).toEqual(['recorded']);
    expect(books.import([SUE, { ...SUE, ...change }])).toEqual(['already recorded', 'already recorded']);
  });

  it.each<[string, Row, Row]>([
    ['e-mail in capitals', { Email: 'nora.pike@example.org' }, { Email: 'Nora.Pike@Example.org' }],
    ['name in capitals', { First: 'Nora', Last: 'Pike' }, { First: 'NORA', Last: 'PIKE' }],
    ['name without accents', { First: 'José', Last: 'Núñez' }, { First: 'Jose', Last: 'Nunez' }],
    ['name with other apostrophes and hyphens', { Last: 'O’Dell-Lee' }, { Last: "O'Dell Lee" }],
    ['phone', { Phone: '+1 901 555 0101' }, { Phone: '(901) 555-0101' }],
  ])('are the same with another spelling of the %s, and each gift is recorded once', (_what, before, now) => {
    const books = new Books();
    expect(books.import([{ ...SUE, ...before }])).toEqual(['recorded']);
    expect(books.import([{ ...SUE, ...now }])).toEqual(['already recorded']);
    const both = [
      { ...SUE, ...now },
      { ...SUE, ...before },
    ];
    expect(books.import(both)).toEqual(['already recorded', 'recorded']);
    expect(books.import(both)).toEqual(['already recorded', 'already recorded']);
    expect(books.import(both.toReversed())).toEqual(['already recorded', 'already recorded']);
  });

  it.each([1, 2, 500])('are one gift each, whatever number is looked up together: %d', (atOnce) => {
    const books = new Books();
    const capitals = { ...SUE, Email: 'Sue@Example.org' };
    books.import([SUE]);
    expect(books.import([capitals, SUE], atOnce)).toEqual(['already recorded', 'recorded']);
    expect(books.ids()).toHaveLength(2);
  });

  it('are not ambiguous because of a gift that matches another row and is looked up again', () => {
    const books = new Books();
    books.import([SUE]);
    const other = { ...SUE, Notes: 'x' };
    expect(books.import([{ ...SUE, Email: 'Sue@Example.org' }, other], 1)).toEqual(['already recorded', 'recorded']);
  });

  it('are found by their text if another row has the day that they had before', () => {
    const books = new Books('Pacific/Auckland');
    const morning: Row = { ...SUE, Date: { kind: 'local', local: '2026-11-20T09:00:00.000' } };
    books.import([morning]);
    expect(books.import([{ ...SUE, First: 'Bob' }, morning], 1)).toEqual(['recorded', 'already recorded']);
  });

  it('are found by their text after the church has corrected its time zone', () => {
    const books = new Books('Europe/London');
    books.import([SUE]);
    expect(books.import([SUE])).toEqual(['already recorded']);
  });

  it('keep the ids of earlier versions, so that their gifts are found', () => {
    const books = new Books();
    books.import([SUE, SUE]);
    const prefix = 'row-5918c9253bcc045ef75a619ae90b4186f5ffc9679e0df0ca30c594d767419a1c';
    expect(books.ids()).toEqual([`${prefix}-1`, `${prefix}-2`]);
  });

  it('have different prefixes if they differ in a field that distinguishes gifts', () => {
    const of = (change: Row): string => idPrefix(Object.assign(new AddContributionRequest(), SUE, change));
    const changes = [
      { First: 'Bob' },
      { Last: 'Li' },
      { Email: 'b@example.org' },
      { Amount: storedAmount('10.01') },
      { Source: 'T' },
    ];
    for (const change of changes) expect(of(change)).not.toBe(of({}));
    expect(of({ Notes: 'x', FundId: 2 })).toBe(of({}));
  });

  it('are numbered quickly even if many are equal', () => {
    const many = Array.from({ length: 2_000 }, () => SUE);
    const books = new Books();
    books.import(many);
    expect(new Set(books.import(many))).toEqual(new Set(['already recorded']));
  });
});
