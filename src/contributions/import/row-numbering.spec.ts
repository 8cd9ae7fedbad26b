import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { REQUEST_VERSION, type StoredRequest } from '../../idempotency/index.js';
import { AddContributionRequest } from '../dto/add-contribution.request.js';
import { sentGift } from '../dto/to-command.js';
import { idPrefix } from './derived-transaction-ids.js';
import { RowNumbering } from './row-numbering.js';

type Row = { [Field in keyof AddContributionRequest]?: AddContributionRequest[Field] | undefined };

/** The gifts of one user, each by its id: what imports have booked. */
class Books {
  private readonly gifts = new Map<string, { stored: StoredRequest; row: Row }>();

  /** As an import does. @returns what became of each row */
  import(file: readonly Row[]): ('recorded' | 'already recorded' | 'refused')[] {
    const requests = file.map((row) => Object.assign(new AddContributionRequest(), row));
    const numbering = new RowNumbering(file.length);
    const prefixes = [...new Set(requests.map(idPrefix))];
    const booked = [...this.gifts].map(([transactionId, { stored }]) => ({ transactionId, ...stored }));
    numbering.learn(
      prefixes,
      booked.filter(({ transactionId }) => prefixes.some((prefix) => transactionId.startsWith(prefix))),
    );
    requests.forEach((request, i) => {
      numbering.number(i + 1, request);
    });
    const ids = numbering.finish();
    return requests.map((request, i) => {
      const id = ids.of(i + 1, request);
      if (ids.isUnclear(id)) return 'refused';
      const sent = sentGift(Object.assign({}, request, { TransactionId: id.transactionId }));
      const earlier = this.gifts.get(id.transactionId);
      if (earlier !== undefined) return sent.isSameAs(earlier.stored) ? 'already recorded' : 'refused';
      const stored = { request_digest: sent.digest(), request_version: REQUEST_VERSION };
      this.gifts.set(id.transactionId, { stored, row: file[i] ?? {} });
      return 'recorded';
    });
  }

  /** How often which row is booked. */
  counts(): Record<string, number> {
    return countsOf([...this.gifts.values()].map(({ row }) => row));
  }

  ids(): string[] {
    return [...this.gifts.keys()];
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
  Amount: '50.00',
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

/** A file, and parts of it in any order: overlapping, contained in each other, or neither. */
const overlapping = fc
  .array(row, { maxLength: 12 })
  .chain((all) => fc.tuple(fc.constant(all), fc.array(fc.shuffledSubarray(all), { maxLength: 4 })));

describe('rows without an id', () => {
  it('are booked exactly as often as the fullest file has them, whatever parts of it came before', () => {
    fc.assert(
      fc.property(overlapping, ([all, parts]) => {
        const books = new Books();
        for (const part of parts) {
          books.import(part);
          for (const [gift, count] of Object.entries(books.counts()))
            expect(count).toBeLessThanOrEqual(countsOf(all)[gift] ?? 0);
        }
        expect(books.import(all)).not.toContain('refused');
        expect(books.counts()).toEqual(countsOf(all));
        expect(new Set(books.import(all))).toEqual(new Set(all.length === 0 ? [] : ['already recorded']));
      }),
    );
  });

  it('are never booked more often than the file has them that has most, nor left out without being told', () => {
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 4 }), (files) => {
        const books = new Books();
        for (const file of files) {
          const told = books.import(file);
          const booked = file.filter((_row, i) => told[i] !== 'refused');
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
    'that differ in %s: a new one in front of a booked one is booked, the other stays booked once',
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

  it('are refused, all that are new, where one that is booked stands in the file in other words', () => {
    const books = new Books();
    books.import([SUE]);
    const changed = [{ ...SUE, FundId: 2 }, { ...SUE, Notes: 'x' }, SUE].map((each) => ({ ...each, Phone: '1' }));
    expect(books.import(changed)).toEqual(['refused', 'refused', 'refused']);
    expect(books.import([SUE, ...changed])).toEqual(['already recorded', 'recorded', 'recorded', 'recorded']);
  });

  it('have the ids that they always had: what earlier versions booked is found', () => {
    const books = new Books();
    books.import([SUE, SUE]);
    const prefix = 'row-5918c9253bcc045ef75a619ae90b4186f5ffc9679e0df0ca30c594d767419a1c';
    expect(books.ids()).toEqual([`${prefix}-1`, `${prefix}-2`]);
  });

  it('are of other prefixes where they differ in what tells gifts apart', () => {
    const of = (change: Row): string => idPrefix(Object.assign(new AddContributionRequest(), SUE, change));
    const changes = [
      { First: 'Bob' },
      { Last: 'Li' },
      { Email: 'b@example.org' },
      { Amount: '10.01' },
      { Source: 'T' },
    ];
    for (const change of changes) expect(of(change)).not.toBe(of({}));
    expect(of({ Notes: 'x', FundId: 2 })).toBe(of({}));
  });

  it('are numbered quickly, however many are alike', () => {
    const many = Array.from({ length: 2_000 }, () => SUE);
    const books = new Books();
    books.import(many);
    expect(new Set(books.import(many))).toEqual(new Set(['already recorded']));
  });
});
