import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MappingObject } from '../../src/contributions/imports/files/mapping.js';
import type { RowResult } from '../../src/contributions/imports/results/result-file.js';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { importLines, type LinesToImport } from '../support/import-lines.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let files: GiftFiles;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_SLASH_DATES: 'M/D/Y', CHURCH_TIME_ZONE: 'America/Chicago' });
  files = giftFiles();
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
  await service.database.query(`INSERT INTO fund (name) VALUES ('Building'), ('Missions')`);
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  files.remove();
  await service.stop();
});

const HEADER = 'Id,First,Last,Email,Phone,Amount,Date,Status';
const MAPPING: MappingObject = { Id: 'TransactionId', Status: null, refunds: { Status: ['Refunded'] } };
const gift = (id: string): string => `${id},Ann,Lee${id},${id}@example.org,n/a,50,2026-07-01,Paid`;
const refund = (id: string, amount: string, date: string): string => `${id},,,,,${amount},"${date}",Refunded`;

async function statuses(
  source: string,
  lines: readonly string[],
  more: Partial<LinesToImport> = {},
): Promise<string[]> {
  const results = await importLines(service, files, { lines: [HEADER, ...lines], mapping: MAPPING, source, ...more });
  return results.map(({ status }) => status);
}

/** What was taken back of the gift with this id. */
async function reversed(source: string, id: string): Promise<string | undefined> {
  const [row] = await service.database.query<{ amount: string }>(
    'SELECT reversed_amount AS amount FROM contribution WHERE source = $1 AND transaction_id = $2 AND reverses_id IS NULL',
    [source, id],
  );
  return row?.amount;
}

/** Takes something back under the id that imports made until they read the date. */
async function refundedByEarlierRelease(source: string, id: string, amount: string, date: string): Promise<void> {
  const refundId = encodeURIComponent(`import ${amount}.00 ${date} 1 ${id}`);
  await service
    .http()
    .post(`/Api/Transactions/${source}/${id}/reverse?amount=${amount}&refundId=${refundId}`)
    .auth(...service.login)
    .expect(200);
}

describe('a refund without an id', () => {
  it('is the same in every spelling of its date and amount, and is taken back once', async () => {
    expect(await statuses('spelled', [gift('S1'), refund('S1', '5', '2026-07-26')])).toEqual(['recorded', 'reversed']);
    for (const [amount, date] of [
      ['5', '2026-07-26'],
      ['5.00', '7/26/2026'],
      ['-5.0', '07/26/2026'],
      ['05', 'Jul 26, 2026'],
      ['5', '2026-07-26T23:30:00'],
      ['5', '2026-07-27T04:00:00Z'],
    ] as const)
      expect([date, ...(await statuses('spelled', [refund('S1', amount, date)]))]).toEqual([date, 'already reversed']);
    const english: Partial<LinesToImport> = { mapping: { ...MAPPING, file: { dates: 'D/M/Y' } } };
    expect(await statuses('spelled', [refund('S1', '5', '26/07/2026')], english)).toEqual(['already reversed']);
    expect(await reversed('spelled', 'S1')).toBe('5.00');
  });

  it('differs by its day and its amount, and on one day by the number of its rows', async () => {
    const rows = [refund('N1', '5', '2026-07-26'), refund('N1', '5.00', '7/26/2026'), refund('N1', '5', '2026-07-27')];
    expect(await statuses('numbers', [gift('N1'), ...rows])).toEqual(['recorded', 'reversed', 'reversed', 'reversed']);
    expect(await statuses('numbers', rows)).toEqual(['already reversed', 'already reversed', 'already reversed']);
    expect(await statuses('numbers', [...rows, refund('N1', '6', '2026-07-26'), rows[0] ?? ''])).toEqual([
      ...['already reversed', 'already reversed', 'already reversed', 'reversed', 'reversed'],
    ]);
    expect(await reversed('numbers', 'N1')).toBe('26.00');
  });

  it('of an earlier release is found by its day, however that file wrote it', async () => {
    expect(await statuses('earlier', [gift('E1')])).toEqual(['recorded']);
    for (const date of ['7/26/2026', '2026-07-26T10:00:00', '26/07/2026'])
      await refundedByEarlierRelease('earlier', 'E1', '5', date);
    expect(await statuses('notations', [gift('E2')])).toEqual(['recorded']);
    const notations = ['26.07.2026', '26-07-2026', 'Jul 26, 2026', '07/26/2026 10:00:00 CST'];
    for (const date of notations) await refundedByEarlierRelease('notations', 'E2', '5', date);
    const german: Partial<LinesToImport> = { mapping: { ...MAPPING, file: { dates: 'D/M/Y' } } };
    const again = notations.map(() => refund('E2', '5', '26.07.2026'));
    expect(await statuses('notations', again, german)).toEqual(notations.map(() => 'already reversed'));
    await refundedByEarlierRelease('earlier', 'E1', '5', '7/27/2026');
    const row = refund('E1', '5', '2026-07-26');
    // Each recorded refund is one row. The fourth row is new.
    for (const last of ['would be reversed', 'reversed', 'already reversed'])
      expect(await statuses('earlier', [row, row, row, row], { dryRun: last.startsWith('would') })).toEqual([
        ...['already reversed', 'already reversed', 'already reversed', last],
      ]);
    expect(await statuses('earlier', [refund('E1', '5', '2026-07-27')])).toEqual(['already reversed']);
    expect(await statuses('earlier', [refund('E1', '5', '2026-07-28')])).toEqual(['reversed']);
    expect(await reversed('earlier', 'E1')).toBe('30.00');
  });

  it('is refused if its date cannot be read', async () => {
    const results = await importLines(service, files, {
      ...{ lines: [HEADER, gift('D1'), refund('D1', '5', '26/07/2026')], mapping: MAPPING, source: 'dates' },
      // So that the file is not stopped for its order of dates.
      ...{ mapping: { ...MAPPING, file: { dates: 'Y-M-D' } } },
    });
    expect(results[1]).toMatchObject({ status: 'refused', error: expect.stringContaining('Date must be') });
    expect(await reversed('dates', 'D1')).toBe('0.00');
  });
});

describe('a refund of a payment with several funds', () => {
  const FUNDS = 'Id,First,Last,Email,Phone,Amount,Date,Status,Fund,Refund';
  const OF_FUNDS: MappingObject = { ...MAPPING, Fund: 'FundName', Refund: 'RefundId' };
  const part = (id: string, amount: string, fund: string): string =>
    `${id},Ann,Lee${id},${id}@example.org,n/a,${amount},2026-07-01,Paid,${fund},`;
  const payment = (id: string): string[] => [part(id, '60', 'General'), part(id, '40', 'Building')];
  const refundOf = (id: string, amount: string, fund: string, refundId = ''): string =>
    `${id},,,,,${amount},2026-07-26,Refunded,${fund},${refundId}`;

  const imported = (source: string, lines: readonly string[], mapping = OF_FUNDS): Promise<RowResult[]> =>
    importLines(service, files, { lines: [FUNDS, ...lines], mapping, source });
  const statusesOf = async (...order: Parameters<typeof imported>): Promise<string[]> =>
    (await imported(...order)).map(({ status }) => status);

  /** What was taken back of each part, by the fund to which it was given. */
  async function reversedOf(source: string): Promise<Record<string, string>> {
    const rows = await service.database.query<{ fund: string; reversed: string }>(
      `SELECT fund.name AS fund, reversed_amount AS reversed FROM contribution gift JOIN fund ON fund.id = fund_id
       WHERE source = $1 AND reverses_id IS NULL AND moves_id IS NULL`,
      [source],
    );
    return Object.fromEntries(rows.map(({ fund, reversed }) => [fund, reversed]));
  }

  it('takes from the fund that the row names, or from all in proportion', async () => {
    await imported('funds', payment('F1'));
    expect(await statusesOf('funds', [refundOf('F1', '10', 'building')])).toEqual(['reversed']);
    expect(await reversedOf('funds')).toEqual({ General: '0.00', Building: '10.00' });
    expect(await statusesOf('funds', [refundOf('F1', '3', '')])).toEqual(['reversed']);
    expect(await reversedOf('funds')).toEqual({ General: '2.00', Building: '11.00' });
    // Without an amount, all that is left in the fund.
    const rest = [refundOf('F1', '', 'Building', 're_1'), refundOf('F1', '', 'Building', 're_2')];
    expect(await statusesOf('funds', rest)).toEqual(['reversed', 'already reversed']);
    expect(await reversedOf('funds')).toEqual({ General: '2.00', Building: '40.00' });
  });

  it('is known by its fund, so that the order of the rows does not matter', async () => {
    await imported('order', payment('F1'));
    const rows = [refundOf('F1', '5', 'General'), refundOf('F1', '5', 'Building')];
    expect(await statusesOf('order', rows)).toEqual(['reversed', 'reversed']);
    expect(await statusesOf('order', rows.toReversed())).toEqual(['already reversed', 'already reversed']);
    // Another export does not have the fund.
    const without = rows.map((row) => row.replace(/General|Building/, ''));
    expect(await statusesOf('order', without)).toEqual(['already reversed', 'already reversed']);
    expect(await reversedOf('order')).toEqual({ General: '5.00', Building: '5.00' });
  });

  it.each([
    ['without', 'with', ['', 'Building'], { General: '3.00', Building: '7.00' }],
    ['with', 'without', ['Building', ''], { General: '3.16', Building: '6.84' }],
  ])(
    '%s a fund is another one than that %s a fund in the same file',
    async (source, _other, [first, second], after) => {
      await imported(source, payment('F1'));
      const rows = [refundOf('F1', '5', first ?? ''), refundOf('F1', '5', second ?? '')];
      expect(await statusesOf(source, rows)).toEqual(['reversed', 'reversed']);
      for (const order of [rows, rows.toReversed()])
        expect(await statusesOf(source, order)).toEqual(['already reversed', 'already reversed']);
      expect(await reversedOf(source)).toEqual(after);
    },
  );

  it('is refused if an earlier row of the file counts as it', async () => {
    await imported('claimed', payment('F1'));
    expect(await statusesOf('claimed', [refundOf('F1', '5', '')])).toEqual(['reversed']);
    const rows = [refundOf('F1', '5', 'Building'), refundOf('F1', '5', '')];
    expect(await imported('claimed', rows)).toMatchObject([
      { status: 'already reversed' },
      { status: 'refused', error: expect.stringContaining('RefundId is required: an earlier row of the file') },
    ]);
    expect(await reversedOf('claimed')).toEqual({ General: '3.00', Building: '2.00' });
  });

  it('is refused if the fund is no part of the payment, or unknown', async () => {
    await imported('others', payment('F1'));
    await imported('others', [part('F2', '10', 'General')]);
    expect(
      await imported('others', [
        refundOf('F1', '5', 'Missions'),
        refundOf('F1', '5', 'Nothing'),
        refundOf('F2', '5', 'Building'),
        refundOf('F1', '41', 'Building'),
      ]),
    ).toMatchObject([
      {
        code: 'reversal_exceeds_gift',
        error: expect.stringMatching(/no part of contribution \d+.*Building and General/),
      },
      { code: 'fund_not_found' },
      { code: 'reversal_exceeds_gift', error: expect.stringContaining('a gift to General. Nothing was reversed') },
      { code: 'reversal_exceeds_gift', error: expect.stringContaining('Only USD 40.00 is left') },
    ]);
    expect(await reversedOf('others')).toEqual({ General: '0.00', Building: '0.00' });
  });

  it('follows a part that Finance has moved to another fund', async () => {
    const [recorded] = await imported('moved', [part('F1', '40', 'Building')]);
    await service
      .http()
      .post(`/Api/Contributions/${recorded?.contributionId}/move`)
      .auth(...finance)
      .send({ FundId: 3, Reason: 'The giver meant Missions' })
      .expect(200);
    expect(await statusesOf('moved', [refundOf('F1', '5', 'Building'), refundOf('F1', '6', 'Missions')])).toEqual([
      ...['reversed', 'reversed'],
    ]);
    expect(await reversedOf('moved')).toEqual({ Building: '11.00' });
  });

  it('takes what was given back after the part was moved', async () => {
    const [recorded] = await imported('restored', [part('F1', '40', 'Building')]);
    const post = (path: string, body: object): Promise<unknown> =>
      service
        .http()
        .post(`/Api/Contributions/${path}`)
        .auth(...finance)
        .send(body)
        .expect(200);
    const id = String(recorded?.contributionId);
    await post(`${id}/move`, { FundId: 3, Reason: 'The giver meant Missions' });
    expect(await statusesOf('restored', [refundOf('F1', '', 'Building', 're_1')])).toEqual(['reversed']);
    const [entry] = await service.database.query<{ id: number }>('SELECT id FROM contribution WHERE reverses_id = $1', [
      id,
    ]);
    await post(`${entry?.id}/reinstate`, { Note: 'The dispute was won' });
    const again = refundOf('F1', '', 'Building', 're_2');
    expect(await statusesOf('restored', [again])).toEqual(['reversed']);
    expect(await statusesOf('restored', [again])).toEqual(['already reversed']);
  });

  it('is the same one if it was recorded without its fund', async () => {
    await imported('before', payment('F1'));
    await refundedByEarlierRelease('before', 'F1', '5', '2026-07-26');
    await service
      .http()
      .post('/Api/Transactions/before/F1/reverse?amount=10&refundId=re_7')
      .auth(...service.login)
      .expect(200);
    const rows = [refundOf('F1', '5', 'Building'), refundOf('F1', '10', 'Building', 're_7')];
    for (let again = 0; again < 2; again++)
      expect(await statusesOf('before', rows)).toEqual(['already reversed', 'already reversed']);
    expect(await reversedOf('before')).toEqual({ General: '9.00', Building: '6.00' });
    expect(await imported('before', [refundOf('F1', '11', 'Building', 're_7')])).toMatchObject([
      { code: 'transaction_id_reused' },
    ]);
  });

  it('does not name the fund that is the default of the file', async () => {
    await imported('default', payment('F1'));
    const mapping = { ...MAPPING, Fund: 'FundName', Refund: 'RefundId', defaults: { FundId: 3 } };
    expect(await statusesOf('default', [refundOf('F1', '10', '')], mapping)).toEqual(['reversed']);
    expect(await reversedOf('default')).toEqual({ General: '6.00', Building: '4.00' });
  });
});
