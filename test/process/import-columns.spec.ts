import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Outcome, runProgram } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let files: GiftFiles;

beforeAll(async () => {
  service = await startTestApp();
  files = giftFiles();
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  files.remove();
  await service.stop();
});

type Mapping = Readonly<Record<string, unknown>>;

async function importFile(
  source: string,
  content: string,
  mapping: Mapping,
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const path = files.write(`${source}.csv`, content);
  const args = [
    '--user',
    'api',
    '--source',
    source,
    '--mapping',
    files.write(`${source}.json`, JSON.stringify(mapping)),
  ];
  return runProgram('cli', ['import', path, ...args], { DATABASE_URL: service.database.url, ...environment });
}

async function recorded(source: string): Promise<Record<string, unknown>[]> {
  return service.database.query(
    `SELECT transaction_id AS id, amount, currency, day::text FROM contribution WHERE source = $1 ORDER BY 1`,
    [source],
  );
}

/** The mapping made of the last line that the program suggests for each column. */
function lastLines({ stderr }: Outcome): Mapping {
  const blocks = stderr.split(/^ {2}(?=")/m).slice(1);
  const lines = blocks.map((block) => /(?:^ {6}(.*)\n)+/m.exec(block)?.[1] ?? '');
  return JSON.parse(`{${lines.join(',')}}`) as Mapping;
}

/** A processor's export of charges: paid, failed and refunded, in two currencies, with times in UTC. */
const CHARGES = [
  'id,Created (UTC),Amount,Amount Refunded,Currency,Description,Fee,First Name,Last Name,Email,Phone,Status,PeopleId',
  'ch_1,2026-01-01 04:30:00,50.00,0.00,usd,Tithe,1.75,Ann,Charge,ann.charge@x.org,901-555-0101,Paid,1',
  'ch_2,2026-01-01 07:30:00,60.00,0.00,usd,Tithe,2.10,Bob,Charge,bob.charge@x.org,901-555-0102,Failed,2',
  'ch_3,2026-01-02 17:30:00,70.00,70.00,usd,Tithe,2.40,Cid,Charge,cid.charge@x.org,901-555-0103,Refunded,3',
  'ch_4,2026-01-02 18:30:00,80.00,0.00,cad,Tithe,2.80,Dee,Charge,dee.charge@x.org,901-555-0104,Paid,4',
  '',
].join('\n');
const CHICAGO = { CHURCH_TIME_ZONE: 'America/Chicago' };
const NAMES = { id: 'TransactionId', 'First Name': 'First', 'Last Name': 'Last', 'Created (UTC)': 'Date' };

describe('import of a file with columns that change the meaning of a row', () => {
  it('records nothing until the mapping decides on each column, and prints the lines to add', async () => {
    const stopped = await importFile('charges', CHARGES, NAMES, CHICAGO);
    expect(stopped).toMatchObject({ code: 1, stdout: '' });
    expect(stopped.stderr).toMatch(/^error: Nothing was recorded\./);
    const printed = [...stopped.stderr.matchAll(/^ {6}(.*)$/gm)].map(([, line]) => line);
    expect(printed).toEqual([
      '"file": {"timeZone":"UTC"}',
      '"file": {"timeZone":"America/Chicago"}',
      '"Amount Refunded": null',
      '"Currency": "Currency"',
      '"Currency": null',
      '"Status": null',
      '"PeopleId": "PeopleId"',
      '"PeopleId": null',
    ]);
    expect(await recorded('charges')).toEqual([]);
  });

  it('uses the day in church time and refuses another currency once the mapping has the printed lines', async () => {
    const stopped = await importFile('settled', CHARGES, NAMES, CHICAGO);
    const paid = CHARGES.split('\n')
      .filter((line) => !/Failed|Refunded,3/.test(line))
      .join('\n');
    const mapping = { ...NAMES, ...lastLines(stopped), Currency: 'Currency', file: { timeZone: 'UTC' } };
    const outcome = await importFile('settled', paid, mapping, CHICAGO);
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringMatching(/recorded +1\n.*\nrefused +1\n/) });
    expect(files.read(/result +(.*)/.exec(outcome.stdout)?.[1] ?? '')).toMatchObject([
      { Status: 'recorded', Code: '' },
      { Status: 'refused', Code: 'currency_mismatch' },
    ]);
    expect(await recorded('settled')).toEqual([{ id: 'ch_1', amount: '50.00', currency: 'USD', day: '2025-12-31' }]);
  });
});

describe('import of dates with slashes', () => {
  const DATES =
    'First,Last,Email,Phone,Amount,Date,TransactionId\nAnn,Slash,ann.slash@x.org,901-555-0101,5,03/04/2026,S1\n';
  const BRITISH = { CHURCH_COUNTRY: 'GB', CHURCH_CURRENCY: 'GBP', CHURCH_TIME_ZONE: 'Europe/London' };
  const SETTING = 'CHURCH_SLASH_DATES';

  it.each<[string, string, Mapping, Record<string, string>, string | undefined]>([
    ['in the order given in the mapping', 'slash file', { file: { dates: 'D/M/Y' } }, {}, '2026-04-03'],
    ['in the order of the church’s country', 'slash church', {}, {}, '2026-03-04'],
    ['in the order of CHURCH_SLASH_DATES', 'slash setting', {}, { ...BRITISH, [SETTING]: 'D/M/Y' }, '2026-04-03'],
    [
      'in the order given in the mapping rather than that of the country',
      'slash both',
      { file: { dates: 'M/D/Y' } },
      BRITISH,
      '2026-03-04',
    ],
    ['not at all without an order', 'slash none', {}, BRITISH, undefined],
  ])('reads dates %s', async (_what, source, mapping, environment, day) => {
    const outcome = await importFile(source, DATES, mapping, environment);
    expect((await recorded(source)).map((row) => row['day'])).toEqual(day === undefined ? [] : [day]);
    expect(outcome.code).toBe(day === undefined ? 1 : 0);
    if (day === undefined) expect(outcome.stderr).toMatch(/CHURCH_SLASH_DATES.*"file": \{"dates": "D\/M\/Y"\}/);
  });
});
