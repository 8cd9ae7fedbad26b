import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kindOfRow, chooseColumns, type RowKind } from '../../src/contributions/imports/files/columns.js';
import { mappingOfFormat } from '../../src/contributions/imports/formats/combine-mappings.js';
import { FORMATS, formatNamed } from '../../src/contributions/imports/formats/formats.js';
import { mappingOf, type MappingObject } from '../../src/contributions/imports/files/mapping.js';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { GRACE } from '../support/grace-church.js';
import { importLines } from '../support/import-lines.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let files: GiftFiles;

beforeAll(async () => {
  service = await startTestApp();
  files = giftFiles();
  await service.database.query(`INSERT INTO fund (name) VALUES ('Building')`);
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  files.remove();
  await service.stop();
});

const headerOf = (format: string): string[] => {
  const text = readFileSync(new URL(`../process/processor-files/${format}.csv`, import.meta.url), 'utf8');
  return (text.split('\n')[0] ?? '').replaceAll('"', '').split(',');
};

/** What a row of a format is that has this value in a column, and otherwise the values of a gift. */
function kindIn(format: string, column: string, value: string, own: MappingObject = {}): RowKind {
  const header = [...new Set([...headerOf(format), column])];
  const mapping = mappingOfFormat(formatNamed(format), own);
  const columns = chooseColumns(header, mapping, 'S', GRACE, true);
  const usual = mappingOfFormat(formatNamed(format)).only;
  const cells = header.map((name) =>
    name === column ? value : ([...(usual.get(name.toLowerCase())?.values ?? [''])][0] ?? ''),
  );
  return kindOfRow(columns, cells);
}

const HEADER = 'Id,First,Last,Email,Phone,Amount,Date,Status';
const row = (id: string, status: string): string => `${id},Ann,Lee${id},${id}@example.org,n/a,10,2026-07-26,${status}`;

describe('a mapping', () => {
  it('with "leaveOut" refuses a value that is in no list, and names the value and the column', async () => {
    const lists = { only: { Status: ['Paid'] }, refunds: { Status: ['Refunded'] }, leaveOut: { Status: ['failed'] } };
    const lines = [
      HEADER,
      row('A', 'paid'),
      row('B', 'Failed'),
      row('C', 'Partially refunded'),
      row('D', ''),
      row('A', 'Refunded'),
    ];
    const mapping = { Id: 'TransactionId', ...lists };
    const results = await importLines(service, files, { lines, mapping, source: 'strict' });
    expect(results.map(({ status, error }) => [status, error])).toEqual([
      ['recorded', null],
      ['left out', null],
      [
        'refused',
        expect.stringMatching(/"Status" has the unknown value "Partially refunded": add it to "only", "refunds"/),
      ],
      ['refused', expect.stringContaining('"Status" is blank')],
      ['reversed', null],
    ]);
    // Without it, all others are left out, as before.
    const before = { ...mapping, leaveOut: {} };
    const again = await importLines(service, files, { lines, mapping: before, source: 'strict' });
    expect(again.map(({ status }) => status)).toEqual([
      ...['already recorded (reversed)', 'left out', 'left out', 'left out', 'already reversed'],
    ]);
  });

  it('refuses a whole payment if one of its rows has an unknown value', async () => {
    const lines = [`${HEADER},Fund`, `${row('P', 'Paid')},General`, `${row('P', 'Odd')},Building`];
    const lists = { only: { Status: ['Paid'] }, leaveOut: { Status: [] } };
    const mapping = { Id: 'TransactionId', Fund: 'FundName', ...lists };
    for (const rows of [lines, [lines[0] ?? '', lines[2] ?? '', lines[1] ?? '']]) {
      const results = await importLines(service, files, { lines: rows, mapping, source: 'part' });
      expect(results.map(({ status }) => status)).toEqual(['refused', 'refused']);
    }
    // Also if its fund is there twice, which would not be so if the row is no gift.
    const twice = [...lines.slice(0, 2), `${row('P', 'Paid')},Building`, `${row('P', 'Odd')},General`];
    const results = await importLines(service, files, { lines: twice, mapping, source: 'part' });
    for (const { status, error } of results)
      expect([status, error]).toEqual(['refused', expect.stringMatching(/unknown value/)]);
    expect(results).toHaveLength(3);
  });

  it.each<[string, MappingObject, RegExp]>([
    ['without the values of gifts', { leaveOut: { Status: ['Failed'] } }, /"Status" must be in "only" as well/],
    ['with one value in two lists', { only: { S: ['x'] }, leaveOut: { s: ['X'] } }, /"s" of "leaveOut" has values/],
    ['with a lost dispute alone', { lost: { Dispute: ['lost'] } }, /"Dispute" must be in "only" as well/],
  ])('cannot be used %s', (_what, mapping, message) => {
    expect(() => mappingOf(mapping)).toThrow(message);
  });
});

describe('a format', () => {
  it('lists the values of each column that decides about rows, and refuses any other', () => {
    for (const format of FORMATS) {
      const { only, leaveOut } = mappingOfFormat(format);
      expect([format.name, ...[...only.keys()].filter((column) => !leaveOut.has(column))]).toEqual([format.name]);
      for (const { name } of only.values()) expect([name, kindIn(format.name, name, 'Odd')]).toEqual([name, 'unknown']);
    }
  });

  it.each<[string, string, string, RowKind]>([
    ['stripe', 'Status', 'Partially refunded', 'gift'],
    ['stripe', 'Status', 'requires_action', 'left out'],
    ['stripe', 'Dispute Status', 'lost', 'gift'],
    ['stripe', 'Dispute Status', 'under_review', 'left out'],
    ['stripe', 'Dispute Status', 'prevented', 'unknown'],
    ['paypal', 'Status', 'Partially Refunded', 'gift'],
    ['paypal', 'Type', 'General Withdrawal', 'left out'],
    ['paypal', 'Type', 'Chargeback', 'refund'],
    ['paypal', 'Type', 'Chargeback Reversal', 'unknown'],
    ['tithely', 'Status', 'Requires Action', 'left out'],
    ['tithely', 'Status', 'Partially refunded', 'unknown'],
    ['planning-center', 'Payment Status', 'failed', 'left out'],
    ['planning-center', 'Refund Status', 'Refunded', 'refund'],
    ['planning-center', 'Refund Status', 'Partially refunded', 'unknown'],
    ['pushpay', 'Status', 'Processing', 'left out'],
    ['givelify', 'Status', 'Pending', 'left out'],
    ['vanco', 'Status', 'Returned', 'refund'],
    ['subsplash', 'Status', 'Transfer pending', 'gift'],
    ['subsplash', 'Status', 'Disputed', 'refund'],
  ])('%s: "%s" %s is: %s', (format, column, value, kind) => {
    expect(kindIn(format, column, value)).toBe(kind);
  });

  it('leaves the others out if a mapping beside it names the values of gifts only, as before', () => {
    const own = { only: { Status: ['Succeeded'] } };
    expect(kindIn('tithely', 'Status', 'Odd', own)).toBe('left out');
    expect(kindIn('tithely', 'Status', 'Odd', { ...own, leaveOut: { Status: [] } })).toBe('unknown');
    // A value that the user names is no longer what the format says.
    expect(kindIn('tithely', 'Status', 'Voided', { refunds: { Status: ['voided'] } })).toBe('refund');
    expect(kindIn('tithely', 'Status', 'Paid', { leaveOut: { Status: ['Paid'] } })).toBe('left out');
  });
});

describe('an export of Stripe', () => {
  const COLUMNS =
    'id,Created date (UTC),Amount,Amount Refunded,Currency,Status,Card Name,Customer Email,Disputed Amount,Dispute Status';
  const charge = (id: string, refunded: string, status: string, disputed = '', dispute = ''): string =>
    `${id},2026-07-01 15:00:00,100.00,${refunded},usd,${status},Ann Wren${id},${id}@example.org,${disputed},${dispute}`;
  const imported = (lines: string[], dryRun = false): ReturnType<typeof importLines> =>
    importLines(service, files, { lines: [COLUMNS, ...lines], format: 'stripe', dryRun });
  const reversed = async (): Promise<Record<string, string>> => {
    const rows = await service.database.query<{ id: string; amount: string }>(
      `SELECT transaction_id AS id, reversed_amount AS amount FROM contribution WHERE source = 'stripe' AND reverses_id IS NULL`,
    );
    return Object.fromEntries(rows.map(({ id, amount }) => [id, amount]));
  };

  it('takes back what was refunded in part, and what was lost in a dispute, once', async () => {
    await imported([charge('ch_1', '0.00', 'Paid'), charge('ch_2', '0.00', 'Paid', '100.00', 'needs_response')]);
    const lines = [
      charge('ch_1', '0.00', 'Paid', '100.00', 'lost'),
      charge('ch_2', '20.00', 'Partially refunded'),
      charge('ch_3', '10.00', 'Partially refunded', '90.00', 'lost'),
      charge('ch_4', '0.00', 'Paid', '100.00', 'won'),
      charge('ch_5', '0.00', 'Paid', '', 'lost'),
      charge('ch_6', '20.00', 'Partially refunded', '90.00', 'lost'),
      charge('ch_7', '0.00', 'Paid', '100.00', 'prevented'),
    ];
    expect((await imported(lines, true)).map(({ status }) => status)).toEqual([
      ...['would be reversed', 'would be recorded and reversed', 'would be recorded and reversed', 'would be recorded'],
      ...['refused', 'refused', 'refused'],
    ]);
    expect((await imported(lines)).map(({ status, error }) => [status, error])).toEqual([
      ['reversed', null],
      ['recorded and reversed', null],
      ['recorded and reversed', null],
      ['recorded', null],
      ['refused', expect.stringContaining('DisputedAmount must be more than zero: the gift was lost in a dispute')],
      ['refused', expect.stringContaining('RefundedAmount must be at most Amount')],
      ['refused', expect.stringContaining('"Dispute Status" has the unknown value "prevented"')],
    ]);
    const after = { ch_1: '100.00', ch_2: '20.00', ch_3: '100.00', ch_4: '0.00' };
    expect(await reversed()).toEqual(after);
    await imported(lines);
    expect(await reversed()).toEqual(after);
  });
});
