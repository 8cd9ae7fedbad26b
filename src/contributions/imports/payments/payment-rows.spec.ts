import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GRACE } from '../../../../test/support/grace-church.js';
import { chooseColumns, type Columns } from '../files/columns.js';
import type { FileRow } from '../files/file-rows.js';
import { readMapping } from '../files/mapping.js';
import { relateRows } from './relate-rows.js';
import { PaymentRows } from './payment-rows.js';

const HEADER = ['First', 'Last', 'Email', 'Phone', 'Date', 'TransactionId', 'Amount', 'Fund', 'Fee', 'Status', 'Of'];
const MAPPING = { Fund: 'FundName', Fee: 'Fee', Of: 'RefundOf', Status: null, refunds: { Status: ['Refund'] } };
const columnsFor = (file: object): Columns =>
  chooseColumns(HEADER, readMapping(Buffer.from(JSON.stringify({ ...MAPPING, file }))), 'S', GRACE);
const COLUMNS = columnsFor({ repeats: [] });

interface Row {
  readonly id: string;
  readonly fund: string;
  readonly amount?: string;
  readonly email?: string;
  readonly status?: string;
  readonly of?: string;
  readonly fee?: string;
}

function file(rows: readonly Row[]): () => AsyncIterable<FileRow> {
  return async function* () {
    for (const [
      index,
      { id, fund, amount = '1', email = 'a@x.org', status = '', of = '', fee = '0.1' },
    ] of rows.entries()) {
      const cells = ['Ann', 'Lee', email, '1', '2026-07-26', id, amount, fund, fee, status, of];
      yield await Promise.resolve({ row: index + 1, line: index + 2, cells });
    }
  };
}

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const relate = (rows: readonly Row[], columns = COLUMNS): ReturnType<typeof relateRows> =>
  relateRows(columns, rows.length, file(rows));
const fieldsOf = (id: string): Record<string, unknown> => ({ Source: 'S', TransactionId: id, Amount: '1' });

describe('rows with one TransactionId', () => {
  it('and different funds are one payment, wherever they are', async () => {
    const row = fc.record({ id: fc.constantFrom('A', 'B', 'C', ''), fund: fc.constantFrom('', 'One', 'Two', 'Three') });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
        const { payments } = await relate(rows);
        for (const id of ['A', 'B', 'C']) {
          const own = rows.flatMap((each, index) => (each.id === id ? [{ ...each, row: index + 1 }] : []));
          const parts = own.filter(({ fund }, i) => own.findIndex((other) => other.fund === fund) === i);
          const isShared = parts.length > 1;
          for (const { row } of own) {
            expect(payments.firstRowOf(row)).toBe(isShared ? own[0]?.row : undefined);
            expect(payments.isLastRow(row)).toBe(isShared && row === own.at(-1)?.row);
          }
          const whole = (): unknown => payments.wholeOf(fieldsOf(id));
          if (!isShared) expect(whole()).toEqual(fieldsOf(id));
          else if (parts.length < own.length) expect(whole).toThrow('two of them have the same fund');
          else expect(whole()).toMatchObject({ Amount: String(parts.length), Fee: `0.${parts.length}0` });
        }
      }),
    );
  });

  it('add up exactly, and name their funds', async () => {
    const { payments } = await relate([
      { id: 'A', fund: 'One', amount: '0.10' },
      { id: 'A', fund: 'Two', amount: '999999.25' },
    ]);
    const whole = payments.wholeOf({ ...fieldsOf('A'), FundName: 'One' });
    expect(whole).toEqual({
      Source: 'S',
      TransactionId: 'A',
      Amount: '999999.35',
      Fee: '0.20',
      Splits: [
        expect.objectContaining({ FundName: 'One', Amount: '0.10' }),
        expect.objectContaining({ FundName: 'Two', Amount: '999999.25' }),
      ],
    });
  });

  const withFees = (...fees: readonly string[]): Row[] =>
    fees.map((fee, index) => ({ id: 'A', fund: `Fund ${index}`, fee }));

  it('stop the import if their fees are equal, and nobody said whether these are added up', async () => {
    const undecided = columnsFor({});
    for (const fees of [
      ['0.30', '0.30'],
      ['0.30', '.3'.padStart(3, '0'), '0.30'],
    ])
      await expect(relate(withFees(...fees), undecided)).rejects.toThrow(
        /The lines 2, 3.* have the same Fee.*\{"repeats": \["Fee"\]\}.*"file": \{"repeats": \[\]\}/,
      );
    for (const [fees, sum] of [
      [['0.30', '0.20'], '0.50'],
      [['0.30', ''], '0.30'],
      [['0.00', '0'], '0.00'],
    ] as const)
      expect((await relate(withFees(...fees), undecided)).payments.wholeOf(fieldsOf('A'))).toMatchObject({ Fee: sum });
  });

  it('have the fee that they repeat once, if the mapping says that they repeat it', async () => {
    const repeats = columnsFor({ repeats: ['Fee'] });
    const whole = async (...fees: readonly string[]): Promise<unknown> =>
      (await relate(withFees(...fees), repeats)).payments.wholeOf(fieldsOf('A'));
    expect(await whole('0.30', '0.30', '0.3')).toMatchObject({ Fee: '0.30' });
    expect(await whole('0.30', '')).toMatchObject({ Fee: '0.30' });
    await expect(whole('0.30', '0.20')).rejects.toThrow(/lines 2, 3, which differ in Fee/);
  });

  it('that are more than a payment can have are refused, in a time that grows with their number', async () => {
    // Comparing each row with each other would take minutes.
    const rows = 10_000;
    const many = Array.from({ length: rows }, (_row, index) => ({ id: 'A', fund: `Fund ${index}` }));
    const { payments } = await relate(many);
    expect(() => payments.wholeOf(fieldsOf('A'))).toThrow(/2, 3, .* and 9980 more: a payment has at most 20 funds/);
    expect([payments.firstRowOf(1), payments.firstRowOf(rows), payments.isLastRow(rows)]).toEqual([1, 1, true]);
    const refunds = Array.from({ length: rows }, () => ({ id: 'A', fund: '', status: 'Refund' }));
    const gifts = Array.from({ length: rows }, () => ({ id: 'A', fund: '' }));
    expect((await relate([...refunds, ...gifts])).earlyRefunds.size).toBe(rows);
  }, 60_000);

  it('must be equal in everything else', async () => {
    const { payments } = await relate([
      { id: 'A', fund: 'One' },
      { id: 'B', fund: 'One' },
      { id: 'A', fund: 'Two', email: 'b@x.org' },
    ]);
    expect(() => payments.wholeOf(fieldsOf('A'))).toThrow(/TransactionId is on the lines 2, 4, which differ in Email/);
  });

  it('must not have one fund twice if they have several', async () => {
    const { payments } = await relate([
      { id: 'A', fund: 'One' },
      { id: 'A', fund: 'One' },
      { id: 'A', fund: 'Two' },
    ]);
    expect(() => payments.wholeOf(fieldsOf('A'))).toThrow(/TransactionId is on the lines 2, 3, 4, and two of them/);
    expect([1, 2, 3].map((row) => payments.firstRowOf(row))).toEqual([1, 1, 1]);
  });

  it('are no payment if one of them has no valid amount', async () => {
    const { payments } = await relate([
      { id: 'A', fund: 'One', amount: '1' },
      { id: 'A', fund: 'Two', amount: 'ten' },
    ]);
    expect(payments.wholeOf(fieldsOf('A'))).toMatchObject({ Amount: 'ten' });
  });

  it('take at most 300 bytes each', () => {
    const rows = 100_000;
    const payments = new PaymentRows(rows, []);
    const before = memoryInUse();
    for (let row = 1; row <= rows; row++) {
      const id = `payment-${row % (rows / 2)}`;
      const fields = {
        Source: 'S',
        TransactionId: id,
        FundName: `Fund ${row > rows / 2 ? 1 : 2}`,
        Amount: '100.00',
        Fee: '0.30',
      };
      payments.add({ row, line: row + 1, fields });
    }
    payments.finish();
    expect((memoryInUse() - before) / rows).toBeLessThan(300);
    expect(payments.wholeOf({ Source: 'S', TransactionId: 'payment-7', Amount: '100.00' })).toMatchObject({
      Amount: '200.00',
    });
  });
});

describe('refunds above the row of their gift', () => {
  it('are found, also those that name it by an id of its own', async () => {
    const { earlyRefunds } = await relate([
      { id: 'A', fund: '', status: 'Refund' },
      { id: 'R1', fund: '', status: 'Refund', of: 'B' },
      { id: 'B', fund: '' },
      { id: 'A', fund: '' },
      { id: 'R2', fund: '', status: 'Refund', of: 'B' },
      { id: 'C', fund: '', status: 'Refund' },
    ]);
    expect([...earlyRefunds].sort()).toEqual([1, 2]);
  });
});
