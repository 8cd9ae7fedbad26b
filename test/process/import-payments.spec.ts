import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { runProgram } from '../support/service-process.js';
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

const query = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => service.database.query<Row>(sql, values);

/** Runs an import. @returns its summary, and the result of each row. */
async function importFile(
  name: string,
  lines: readonly string[],
  mapping: object,
  ...options: string[]
): Promise<{ code: number | null; summary: Record<string, unknown>; rows: Record<string, string>[] }> {
  const path = files.write(`${name}.csv`, `${lines.join('\n')}\n`);
  const all = [
    '--mapping',
    files.write(`${name}.json`, JSON.stringify(mapping)),
    '--source',
    name,
    '--json',
    ...options,
  ];
  const { code, stdout } = await runProgram('cli', ['import', path, '--user', 'api', ...all], {
    DATABASE_URL: service.database.url,
  });
  const summary = JSON.parse(stdout) as Record<string, unknown>;
  return { code, summary, rows: files.read(String(summary['result'])) };
}

const statuses = (rows: readonly Record<string, string>[]): (string | undefined)[] => rows.map(({ Status }) => Status);

describe('import', () => {
  it('reads the fields of payments from columns that the mapping names, and from no others', async () => {
    const lines = [
      'Id,First,Last,Email,Phone,Amount,Date,Paid by,Check,Fee,Payout,Fund,Method',
      'P1,Ann,Lee,ann@example.org,901-555-0101,10,2026-07-26,Card,,0.30,po_1,building,Visa',
      'P2,Bob,Lee,bob@example.org,901-555-0102,20,2026-07-26,Check,0017,,,General,',
      'P3,Cid,Lee,cid@example.org,901-555-0103,20,2026-07-26,Gold,,,,General,',
      'P4,Cid,Lee,cid@example.org,901-555-0103,20,2026-07-26,,,21,,Nothing,',
    ];
    const mapping = {
      ...{ Id: 'TransactionId', 'Paid by': 'Method', Check: 'CheckNumber', Fee: 'Fee', Payout: 'PayoutId' },
      Fund: 'FundName',
    };
    const { rows } = await importFile('payments', lines, mapping);
    expect(rows.map(({ Status, Code, Error: error }) => [Status, Code, error])).toEqual([
      ['recorded', '', ''],
      ['recorded', '', ''],
      ['refused', 'invalid_request', expect.stringContaining('Method must be')],
      ['refused', 'invalid_request', expect.stringContaining('Fee must be at most Amount')],
    ]);
    expect(
      await query(
        `SELECT c.transaction_id AS id, fund.name AS fund, method, check_number, fee, payout_id
         FROM contribution c JOIN payment ON payment.id = c.payment_id JOIN fund ON fund.id = c.fund_id
         WHERE c.source = 'payments' ORDER BY 1`,
      ),
    ).toEqual([
      { id: 'P1', fund: 'Building', method: 'card', check_number: null, fee: '0.30', payout_id: 'po_1' },
      { id: 'P2', fund: 'General', method: 'check', check_number: '0017', fee: null, payout_id: null },
    ]);
  });

  it('does not list gifts of earlier years for review', async () => {
    const lines = ['TransactionId,First,Last,Email,Phone,Amount,Date', 'O1,Old,Giver,old@example.org,1,10,2019-05-01'];
    const { rows } = await importFile('old', lines, {});
    expect(rows).toMatchObject([{ Status: 'recorded', Review: '' }]);
  });

  describe('with refunds', () => {
    const HEADER = 'TransactionId,First,Last,Email,Phone,Amount,Date,Status';
    const gift = (id: string, amount: string, status = 'Paid'): string =>
      `${id},Ann,Refund${id},${id}@example.org,n/a,${amount},2026-07-26,${status}`;
    const MAPPING = { Status: null, refunds: { Status: ['Refunded', 'Partly refunded'] } };
    const FILE = [
      HEADER,
      gift('R1', '10'),
      gift('R2', '20'),
      gift('R3', '30'),
      gift('R1', '-10', 'refunded'),
      gift('R2', '5', 'Partly Refunded'),
      gift('R2', '5', 'Partly Refunded'),
      gift('R3', '', 'Refunded'),
      gift('R4', '5', 'Refunded'),
      gift('R3', '30.01', 'Refunded'),
      ',Ann,Lee,a@example.org,1,5,2026-07-26,Refunded',
    ];
    const reversals = (source: string): Promise<unknown[]> =>
      query(
        `SELECT gift.transaction_id AS id, gift.reversed_amount AS reversed, gift.status
         FROM contribution gift WHERE source = $1 AND reverses_id IS NULL ORDER BY 1`,
        [source],
      );

    it('takes back the gift that has the TransactionId, and no more when the file is imported again', async () => {
      const first = await importFile('refunds', FILE, MAPPING);
      expect(statuses(first.rows)).toEqual([
        ...['recorded', 'recorded', 'recorded', 'reversed', 'reversed', 'reversed', 'reversed'],
        ...['refused', 'already reversed', 'refused'],
      ]);
      expect(first.rows[7]).toMatchObject({ Code: 'contribution_not_found' });
      expect(first.rows[9]).toMatchObject({ Code: 'invalid_request' });
      expect(first.summary).toMatchObject({ rows: 10, recorded: 3, reversed: 4, alreadyRecorded: 1, refused: 2 });
      const after = [
        { id: 'R1', reversed: '10.00', status: 1 },
        { id: 'R2', reversed: '10.00', status: 0 },
        { id: 'R3', reversed: '30.00', status: 1 },
      ];
      expect(await reversals('refunds')).toEqual(after);

      const again = await importFile('refunds', FILE, MAPPING);
      expect(statuses(again.rows)).toEqual([
        ...['already recorded (reversed)', 'already recorded', 'already recorded (reversed)'],
        ...['already reversed', 'already reversed', 'already reversed', 'already reversed'],
        ...['refused', 'already reversed', 'refused'],
      ]);
      expect(again.summary).toMatchObject({ recorded: 0, reversed: 0, alreadyRecorded: 8 });
      expect(await reversals('refunds')).toEqual(after);
    });

    it('says in a dry run what would be reversed, and reverses nothing', async () => {
      const { rows, summary } = await importFile('dry', FILE, MAPPING, '--dry-run');
      expect(statuses(rows).slice(0, 7)).toEqual([
        ...['would be recorded', 'would be recorded', 'would be recorded'],
        ...['would be reversed', 'would be reversed', 'would be reversed', 'would be reversed'],
      ]);
      expect(summary).toMatchObject({ wouldBeRecorded: 3, wouldBeReversed: 5, refused: 2 });
      expect(await reversals('dry')).toEqual([]);
    });

    it('tells refunds of other dates, and those with ids of their own, apart', async () => {
      const dated = (date: string, id = ''): string => `D1,Ann,Dated,d1@example.org,n/a,2,${date},Refunded,${id}`;
      const mapping = { ...MAPPING, Refund: 'RefundId' };
      const file = [`${HEADER},Refund`, 'D1,Ann,Dated,d1@example.org,n/a,10,2026-07-01,Paid,', dated('2026-07-02')];
      await importFile('dated', file, mapping);
      const later = await importFile(
        'dated',
        [`${HEADER},Refund`, dated('2026-08-02'), dated('2026-08-03', 're_9')],
        mapping,
      );
      expect(statuses(later.rows)).toEqual(['reversed', 'reversed']);
      const { ContributionId } = (
        await query<{ ContributionId: number }>(
          `SELECT id AS "ContributionId" FROM contribution WHERE transaction_id = 'D1' AND reverses_id IS NULL`,
        )
      )[0] ?? { ContributionId: 0 };
      // The same refund by the API is the same refund.
      const again = await service.reverse(`${ContributionId}/dated?amount=2&refundId=re_9`).expect(200);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(await reversals('dated')).toEqual([{ id: 'D1', reversed: '6.00', status: 0 }]);
    });

    it('refuses to take back more than is left, and notifies Finance of each refund', async () => {
      const { rows } = await importFile('more', [HEADER, gift('M1', '10'), gift('M1', '11', 'Refunded')], MAPPING);
      expect(rows[1]).toMatchObject({ Status: 'refused', Code: 'reversal_exceeds_gift' });
      const [count] = await query<{ count: number }>(
        `SELECT count(*)::integer FROM notice JOIN contribution entry ON entry.id = reversing_contribution_id
         WHERE entry.source = 'refunds'`,
      );
      expect(count).toEqual({ count: 4 });
    });

    it.each<[string, object, RegExp]>([
      ['a column that is not there', { Status: null, refunds: { State: ['Refunded'] } }, /not there: "State"/],
      ['no list of values', { Status: null, refunds: { Status: 'Refunded' } }, /must be a list of texts/],
      ['a Status of which other values are undecided', { refunds: { Status: ['Refunded'] } }, /"Status" can say/],
    ])('stops before anything is recorded: %s', async (_what, mapping, message) => {
      const path = files.write('stops.csv', `${[HEADER, gift('S1', '10')].join('\n')}\n`);
      const options = ['--source', 'stops', '--mapping', files.write('stops.json', JSON.stringify(mapping))];
      const outcome = await runProgram('cli', ['import', path, '--user', 'api', ...options], {
        DATABASE_URL: service.database.url,
      });
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
      expect(await reversals('stops')).toEqual([]);
    });
  });
});
