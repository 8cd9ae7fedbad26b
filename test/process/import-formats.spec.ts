import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FORMATS } from '../../src/contributions/imports/formats/formats.js';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Outcome, runProgram, startProgram } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

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

const environment = (): Record<string, string> => ({
  DATABASE_URL: service.database.url,
  CHURCH_TIME_ZONE: 'America/Chicago',
});
const run = (...args: string[]): Promise<Outcome> => runProgram('cli', ['import', ...args], environment());

/** An invented export of a processor, with its own names of columns and values. */
const exportOf = (name: string): string =>
  readFileSync(new URL(`processor-files/${name}.csv`, import.meta.url), 'utf8');

interface Imported {
  readonly outcome: Outcome;
  readonly rows: Record<string, string>[];
}

async function importExport(format: string, ...options: string[]): Promise<Imported> {
  const path = files.write(`${format}.csv`, exportOf(format));
  const outcome = await run(path, '--user', 'api', '--format', format, ...options);
  return { outcome, rows: files.read(`${path}.result.csv`) };
}

const statuses = ({ rows }: Imported): (string | undefined)[] => rows.map(({ Status }) => Status);

/** The gifts of a source: id, giver, day, fund, amount, fee, method, payout, and what was reversed. */
async function gifts(source: string): Promise<string[]> {
  const rows = await service.database.query<Record<string, string>>(
    `SELECT concat_ws(' | ', c.transaction_id, c.giver_first || ' ' || c.giver_last, c.day, fund.name, c.amount,
       COALESCE(payment.fee::text, '-'), COALESCE(method, '-'), COALESCE(payout_id, '-'), c.reversed_amount) AS gift
     FROM contribution c JOIN payment ON payment.id = c.payment_id JOIN fund ON fund.id = c.fund_id
     WHERE c.source = $1 AND c.reverses_id IS NULL ORDER BY c.transaction_id, c.amount DESC`,
    [source],
  );
  return rows.map(({ gift }) => gift ?? '');
}

describe('an export of', () => {
  it('Stripe: times in UTC, refunds and lost disputes in columns, failed payments left out, other currencies refused', async () => {
    const first = await importExport('stripe');
    expect(statuses(first)).toEqual([
      ...['recorded and reversed', 'recorded and reversed', 'left out', 'recorded', 'recorded and reversed', 'refused'],
    ]);
    expect(first.rows[5]).toMatchObject({ Code: 'currency_mismatch' });
    const after = [
      'ch_3Q00 | Eve Stork | 2025-12-30 | General | 80.00 | 2.62 | - | po_1 | 80.00',
      'ch_3Q01 | Ann Wren | 2025-12-31 | General | 50.00 | 1.75 | - | po_1 | 0.00',
      'ch_3Q03 | Carlos de la Cruz | 2026-01-02 | General | 1250.00 | 36.55 | - | po_2 | 250.00',
      'ch_3Q04 | Dora Finch | 2026-01-03 | General | 40.00 | 1.46 | - | po_2 | 40.00',
    ];
    expect(await gifts('stripe')).toEqual(after);
    const again = await importExport('stripe');
    expect(statuses(again)).toEqual([
      ...['already recorded (reversed)', 'already recorded', 'left out', 'already recorded'],
      ...['already recorded (reversed)', 'refused'],
    ]);
    expect(await gifts('stripe')).toEqual(after);
  });

  it('PayPal: time and zone in columns of their own, and refunds in rows above those of their gifts', async () => {
    const first = await importExport('paypal');
    expect(first.outcome.code).toBe(0);
    // The refund is recorded, and reported, after its gift.
    expect(first.rows.map(({ Row, Status }) => [Row, Status])).toEqual([
      ['2', 'left out'],
      ['3', 'left out'],
      ['4', 'recorded'],
      ['5', 'recorded'],
      ['1', 'reversed'],
    ]);
    const after = [
      '9PP00000000000001 | Jon van Dyke | 2025-12-31 | General | 1500.00 | 37.17 | wallet | - | 0.00',
      '9PP00000000000002 | Ivy Sparrow | 2026-01-01 | General | 70.00 | 2.52 | wallet | - | 20.00',
    ];
    expect(await gifts('paypal')).toEqual(after);
    expect(statuses(await importExport('paypal')).slice(2)).toEqual([
      ...['already recorded', 'already recorded', 'already reversed'],
    ]);
    expect(await gifts('paypal')).toEqual(after);
  });

  it('Tithely: amounts with signs and separators', async () => {
    expect(statuses(await importExport('tithely'))).toEqual(['recorded', 'recorded', 'left out']);
    expect(await gifts('tithely')).toEqual([
      'TL-1001 | Kate Robin | 2026-01-04 | General | 100.00 | 3.20 | card | D-77 | 0.00',
      'TL-1002 | Liam Swift | 2026-01-04 | Building | 2000.00 | 20.30 | ach | D-77 | 0.00',
    ]);
  });

  it('Planning Center: the rows of a donation to two funds are one payment', async () => {
    const first = await importExport('planning-center', '--without-contacts');
    expect(first.outcome.code).toBe(0);
    expect(statuses(first)).toEqual(['recorded', 'recorded', 'recorded', 'left out']);
    const [one, , other] = first.rows;
    expect(other).toEqual({ ...one, Row: '3', Line: '4' });
    expect(first.rows[1]).toMatchObject({ NewPerson: 'true', Review: 'without_contacts' });
    expect(await gifts('planning-center')).toEqual([
      '501 | Nina Hawk | 2026-01-04 | General | 60.00 | 2.65 | card | - | 0.00',
      '501 | Nina Hawk | 2026-01-04 | Building | 40.00 | 2.65 | card | - | 0.00',
      '502 | Omar Kite | 2026-01-04 | General | 25.00 | 0.00 | check | - | 0.00',
    ]);
    const again = await importExport('planning-center', '--without-contacts');
    expect(statuses(again).slice(0, 3)).toEqual(['already recorded', 'already recorded', 'already recorded']);
    // The rows of another export may be in another order.
    const [header = '', ...lines] = exportOf('planning-center').trim().split('\n');
    const path = files.write('reversed.csv', [header, ...lines.reverse()].join('\n'));
    await run(path, '--user', 'api', '--format', 'planning-center', '--without-contacts');
    expect(files.read(`${path}.result.csv`).map(({ Status }) => Status)).toEqual([
      ...['left out', 'already recorded', 'already recorded', 'already recorded'],
    ]);
    expect(await gifts('planning-center')).toHaveLength(3);
  });

  it('Pushpay: times in UTC, and a refund with the id of its gift', async () => {
    const first = await importExport('pushpay');
    expect(statuses(first)).toEqual(['recorded', 'left out', 'recorded', 'reversed']);
    expect(await gifts('pushpay')).toEqual([
      '8811 | Quinn Dove | 2026-01-04 | General | 75.00 | - | card | - | 75.00',
      '8813 | Sven Tern | 2026-01-04 | Building | 1000.00 | - | ach | - | 0.00',
    ]);
  });

  it('Breeze: no contacts, and the rows of a payment to two funds', async () => {
    const refused = await importExportRefused('breeze');
    expect(refused).toMatch(/no column is Email, Phone/);
    expect(statuses(await importExport('breeze', '--without-contacts'))).toEqual(['recorded', 'recorded', 'recorded']);
    expect(await gifts('breeze')).toEqual([
      '7001 | Tara Wagtail | 2026-01-04 | General | 50.00 | - | check | - | 0.00',
      '7002 | Uwe Bunting | 2026-01-04 | General | 30.00 | - | cash | - | 0.00',
      '7002 | Uwe Bunting | 2026-01-04 | Building | 20.00 | - | cash | - | 0.00',
    ]);
  });

  it('Givelify: names in one column, and months in words', async () => {
    expect(statuses(await importExport('givelify'))).toEqual(['recorded', 'recorded', 'left out']);
    expect(await gifts('givelify')).toEqual([
      'G-1 | Vera Ann Magpie | 2026-01-04 | General | 120.00 | 3.78 | - | GD-5 | 0.00',
      'G-2 | Will Pipit | 2026-01-04 | Building | 10.00 | 0.59 | - | GD-5 | 0.00',
    ]);
  });

  const OF_VANCO = [
    '55501 | Xena Oriole | 2026-01-04 | General | 1100.00 | 11.25 | ach | VD-9 | 0.00',
    '55502 | Yuri Starling Jr. | 2026-01-05 | Building | 35.00 | 1.21 | card | VD-9 | 0.00',
  ];

  it('Vanco: last names first', async () => {
    expect(statuses(await importExport('vanco'))).toEqual(['recorded', 'recorded', 'left out']);
    expect(await gifts('vanco')).toEqual(OF_VANCO);
  });

  it('Vanco with other lines around it, in Windows-1252, which a mapping beside the format says', async () => {
    const wrapped = `Grâce Church\r\nJanuary\r\n\r\n${exportOf('vanco')}Total,,,,,,"$1,150.00"\r\n`;
    const path = files.write(
      'wrapped.csv',
      Buffer.from(wrapped.replaceAll('\n', '\r\n').replaceAll('\r\r', '\r'), 'latin1'),
    );
    const options = ['--user', 'api', '--format', 'vanco', '--source', 'vanco 2'];
    const mapping = (file: object): string => files.write('wrapped.json', JSON.stringify({ file }));
    expect((await run(path, ...options)).stderr).toMatch(/not UTF-8: line 1 .*"encoding"/);
    const encoding = 'windows-1252';
    expect((await run(path, ...options, '--mapping', mapping({ encoding }))).stderr).toMatch(
      /names of the columns seem to be on line 4.*"skipLines": 3/,
    );
    expect((await run(path, ...options, '--mapping', mapping({ encoding, skipLines: 3 }))).stderr).toMatch(
      /line 8 cannot be read: it has fewer cells.*"footer": 1/,
    );
    const all = mapping({ encoding, skipLines: 3, footer: 1 });
    expect((await run(path, ...options, '--mapping', all)).code).toBe(0);
    expect(await gifts('vanco 2')).toEqual(OF_VANCO);
    expect(files.read(`${path}.result.csv`)[0]).toMatchObject({ Line: '5' });
  });

  it('Subsplash: times with an offset', async () => {
    expect(statuses(await importExport('subsplash'))).toEqual(['recorded', 'recorded', 'left out']);
    expect(await gifts('subsplash')).toEqual([
      'ss_100 | Abel Plover | 2026-01-04 | General | 90.00 | 2.37 | card | so_1 | 0.00',
      'ss_101 | Bea Quail | 2026-01-04 | Building | 45.00 | 0.75 | ach | so_1 | 0.00',
    ]);
  });
});

async function importExportRefused(format: string): Promise<string> {
  const path = files.write(`${format}.csv`, exportOf(format));
  return (await run(path, '--user', 'api', '--format', format)).stderr;
}

describe('import formats', () => {
  it('lists the formats, and prints each in a form that --mapping accepts', async () => {
    const list = JSON.parse((await run('formats', '--json')).stdout) as { format: string }[];
    expect(list.map(({ format }) => format)).toEqual(FORMATS.map(({ name }) => name));
    const { stdout } = await run('formats', 'pushpay');
    const source = 'pushpay 2';
    // The printed mapping names all columns that the format knows, and a user removes those that the file lacks.
    const header = exportOf('pushpay').split('\n')[0]?.split(',') ?? [];
    const entries = Object.entries(JSON.parse(stdout) as Record<string, unknown>);
    const kept = entries.filter(
      ([name, value]) => header.includes(name) || (typeof value === 'object' && value !== null),
    );
    const mapping = files.write('adapted.json', JSON.stringify(Object.fromEntries(kept)));
    const path = files.write('adapted.csv', exportOf('pushpay'));
    expect((await run(path, '--user', 'api', '--mapping', mapping, '--source', source)).code).toBe(0);
    expect(await gifts(source)).toHaveLength(2);
  });

  it('names the formats if one is unknown', async () => {
    expect((await run('formats', 'visa')).stderr).toMatch(
      /error: There is no format "visa"\. Formats are stripe, paypal/,
    );
    expect((await run('x.csv', '--user', 'api', '--format', 'visa')).stderr).toMatch(/There is no format "visa"/);
  });

  it('of a file with columns that a format does not know stops for those that matter', async () => {
    const lines = exportOf('tithely').split('\n');
    const path = files.write(
      'more.csv',
      lines.map((line, i) => (line === '' ? '' : `${line},${i === 0 ? 'Chargeback' : ''}`)).join('\n'),
    );
    const { code, stderr } = await run(path, '--user', 'api', '--format', 'tithely', '--source', 'more');
    expect(code).toBe(1);
    expect(stderr).toMatch(/Nothing was recorded[^]*"Chargeback": null/);
  });
});

describe('an import with a format', () => {
  it('records each row once when it is killed and run again, also the rows of one payment', async () => {
    const payments = 700;
    const [header = ''] = exportOf('planning-center').split('\n');
    const row = (id: number, fund: string): string =>
      `K${id},2026-01-04,Ann${id},Killed${id},ann.${id}@killed.example.org,,,,card,Visa,,succeeded,${fund},10.00,0.10,9.90,USD,`;
    // The second row of a payment is far from the first.
    const ids = Array.from({ length: payments }, (_, i) => i + 1);
    const rows = [...ids.map((id) => row(id, 'General')), ...ids.map((id) => row(id, 'Building'))];
    const path = files.write('killed.csv', [header, ...rows, ''].join('\n'));
    const args = ['import', path, '--user', 'api', '--format', 'planning-center', '--source', 'killed', '--json'];
    const killed = startProgram('cli', args, environment());
    await until(async () => (await gifts('killed')).length > payments / 2, 60_000);
    killed.kill('SIGKILL');
    await killed.outcome;
    expect((await gifts('killed')).length).toBeLessThan(2 * payments);
    const whole = JSON.parse((await runProgram('cli', args, environment())).stdout) as object;
    expect(whole).toMatchObject({ rows: 2 * payments, refused: 0, leftOut: 0 });
    const all = await gifts('killed');
    expect(all).toHaveLength(2 * payments);
    expect(new Set(all).size).toBe(2 * payments);
  });

  it('refuses a payment whose rows differ in more than their funds, and records nothing of it', async () => {
    const lines = exportOf('planning-center').split('\n').slice(0, 4);
    const path = files.write(
      'differ.csv',
      lines
        .map((line) =>
          line.replace(
            'Hawk,nina.hawk@example.org,901-555-0151,,,card,Visa,,succeeded,Building',
            'Hawk,other@example.org,901-555-0151,,,card,Visa,,succeeded,Building',
          ),
        )
        .join('\n'),
    );
    await run(path, '--user', 'api', '--format', 'planning-center', '--source', 'differ', '--without-contacts');
    const [one, two, three] = files.read(`${path}.result.csv`);
    expect(one).toMatchObject({ Status: 'refused', Code: 'invalid_request' });
    expect(one?.['Error']).toMatch(/TransactionId is on the lines 2, 4, which differ in Email/);
    expect(two).toMatchObject({ Status: 'recorded' });
    expect(three).toEqual({ ...one, Row: '3', Line: '4' });
    expect(await gifts('differ')).toHaveLength(1);
  });
});
