import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { DepositCalls, makeEveryDepositCall } from './deposit-calls.js';
import { entriesOf, type RecordedEntry } from './recorded-entries.js';

let service: TestApp;
let deposits: DepositCalls;
let psql: Client;

beforeAll(async () => {
  service = await startTestApp();
  deposits = new DepositCalls(service, await service.createUser('treasurer', 'some long password', ['Finance']));
  psql = new Client({ connectionString: service.database.url, application_name: 'psql' });
  await psql.connect();
});
afterAll(async () => {
  await psql.end();
  await service.stop();
});

/** What was recorded while this went on, the oldest first. */
const recordedBy = (work: () => PromiseLike<unknown>): Promise<RecordedEntry[]> => entriesOf(service.database, work);

describe('a change of deposits by the service', () => {
  it('has its own entry, and no second one as a change in SQL', async () => {
    const entries = await recordedBy(() => makeEveryDepositCall(service, deposits.finance));
    expect(entries.filter(({ via }) => via === 'database')).toEqual([]);
    const ofDeposits = entries.map(({ action }) => action).filter((action) => action.startsWith('deposit.'));
    const verbs = ['add', 'find', 'remove', 'adjust', 'bank', 'withdraw-bank', 'reconcile', 'read', 'compare'];
    expect(new Set(ofDeposits)).toEqual(new Set(verbs.map((verb) => `deposit.${verb}`)));
  });
});

describe('SQL that bypasses the service and changes', () => {
  interface Rows {
    /** A reconciled deposit, and an open one with what the bank says. Each has one item and one adjustment. */
    readonly reconciled: number;
    readonly open: number;
    readonly item: number;
    readonly itemOfOpen: number;
    readonly adjustment: number;
    readonly adjustmentOfOpen: number;
  }
  let rows: Rows;

  const madeDeposit = async (): Promise<{ id: number; item: number; adjustment: number }> => {
    const { id } = await deposits.sent(await deposits.gifts('12'), { Amount: '13' });
    await deposits.post(`Deposits/${id}/adjust`, { Amount: '1', Reason: 'x' }).expect(200);
    await deposits.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '13' }).expect(200);
    const [found] = await service.database.query<{ item: number; adjustment: number }>(
      `SELECT i.id AS item, a.id AS adjustment FROM deposit_item i JOIN deposit_adjustment a USING (deposit_id)
       WHERE deposit_id = ${id}`,
    );
    return { id, item: found?.item ?? 0, adjustment: found?.adjustment ?? 0 };
  };

  beforeEach(async () => {
    const [one, other] = [await madeDeposit(), await madeDeposit()];
    await deposits.post(`Deposits/${one.id}/reconcile`).expect(200);
    const { id: reconciled, item, adjustment } = one;
    const { id: open, item: itemOfOpen, adjustment: adjustmentOfOpen } = other;
    rows = { reconciled, item, adjustment, open, itemOfOpen, adjustmentOfOpen };
  });

  const ITEM = `INSERT INTO deposit_item (deposit_id, is_reversal, source, transaction_id, has_own_fee, added_by)`;
  const INSERTED = `INSERT INTO deposit (source, deposit_id, day, currency, created_by, bank_amount, reconciled_by, reconciled_at)
    OVERRIDING SYSTEM VALUE`;

  /** In the session of a would-be replica, in which the database refuses nothing. */
  it.each<
    [what: string, statement: (of: Rows) => string, subject: (of: Rows) => number, details: (of: Rows) => object]
  >([
    [
      'what the bank says of a reconciled deposit',
      ({ reconciled }) => `UPDATE deposit SET bank_reference = 'x', bank_day = '2026-11-24' WHERE id = ${reconciled}`,
      ({ reconciled }) => reconciled,
      () => ({ table: 'deposit', operation: 'UPDATE', columns: ['bank_day', 'bank_reference'] }),
    ],
    [
      'an item of a reconciled deposit',
      ({ item }) => `UPDATE deposit_item SET amount = 11, fee = 1 WHERE id = ${item}`,
      ({ reconciled }) => reconciled,
      ({ item }) => ({ table: 'deposit_item', operation: 'UPDATE', itemId: item, columns: ['amount', 'fee'] }),
    ],
    [
      'the deposit of an item of a reconciled one',
      ({ item, open }) => `UPDATE deposit_item SET deposit_id = ${open} WHERE id = ${item}`,
      ({ reconciled }) => reconciled,
      ({ item }) => ({ table: 'deposit_item', operation: 'UPDATE', itemId: item, columns: ['deposit_id'] }),
    ],
    [
      'a reconciled deposit, by an item of another one',
      ({ itemOfOpen, reconciled }) => `UPDATE deposit_item SET deposit_id = ${reconciled} WHERE id = ${itemOfOpen}`,
      ({ reconciled }) => reconciled,
      ({ itemOfOpen: itemId }) => ({ table: 'deposit_item', operation: 'UPDATE', itemId, columns: ['deposit_id'] }),
    ],
    [
      'a reconciled deposit, by a new item',
      ({ reconciled }) => `${ITEM} VALUES (${reconciled}, false, 'a', 'b', false, 'x')`,
      ({ reconciled }) => reconciled,
      () => ({ table: 'deposit_item', operation: 'INSERT', itemId: expect.any(Number) as unknown }),
    ],
    [
      'a reconciled deposit, by an item less',
      ({ item }) => `DELETE FROM deposit_item WHERE id = ${item}`,
      ({ reconciled }) => reconciled,
      ({ item }) => ({ table: 'deposit_item', operation: 'DELETE', itemId: item }),
    ],
    [
      'an adjustment of a reconciled deposit',
      ({ adjustment }) => `UPDATE deposit_adjustment SET amount = 2 WHERE id = ${adjustment}`,
      ({ reconciled }) => reconciled,
      ({ adjustment }) => ({
        table: 'deposit_adjustment',
        operation: 'UPDATE',
        adjustmentId: adjustment,
        columns: ['amount'],
      }),
    ],
    [
      'an adjustment of an open deposit, which stays as it is, too',
      ({ adjustmentOfOpen }) => `DELETE FROM deposit_adjustment WHERE id = ${adjustmentOfOpen}`,
      ({ open }) => open,
      ({ adjustmentOfOpen }) => ({
        table: 'deposit_adjustment',
        operation: 'DELETE',
        adjustmentId: adjustmentOfOpen,
      }),
    ],
    [
      'a deposit that is open again',
      ({ reconciled }) => `UPDATE deposit SET reconciled_at = NULL, reconciled_by = NULL WHERE id = ${reconciled}`,
      ({ reconciled }) => reconciled,
      () => ({ table: 'deposit', operation: 'UPDATE', columns: ['reconciled_at', 'reconciled_by'] }),
    ],
    [
      'a deposit that is reconciled',
      ({ open }) => `UPDATE deposit SET reconciled_at = now(), reconciled_by = 'x' WHERE id = ${open}`,
      ({ open }) => open,
      () => ({ table: 'deposit', operation: 'UPDATE', columns: ['reconciled_at', 'reconciled_by'] }),
    ],
    [
      'a reconciled deposit that is deleted',
      ({ reconciled }) => `DELETE FROM deposit WHERE id = ${reconciled}`,
      ({ reconciled }) => reconciled,
      () => ({ table: 'deposit', operation: 'DELETE' }),
    ],
  ])('%s is recorded', async (_what, statement, subject, details) => {
    const entries = await recordedBy(() =>
      psql.query(`SET LOCAL session_replication_role = replica; ${statement(rows)}`),
    );
    expect(entries).toEqual([
      {
        actor: `database: ${psql.user ?? ''}`,
        via: 'database',
        action: 'database.deposit-change',
        subject: `deposit ${subject(rows)}`,
        details: { application: 'psql', ...details(rows) },
      },
    ]);
  });

  /** The database allows these to its owner. */
  it.each<[what: string, statement: (of: Rows) => string, details: object]>([
    [
      'what the bank says of an open deposit',
      ({ open }) => `UPDATE deposit SET bank_amount = 14 WHERE id = ${open}`,
      { table: 'deposit', operation: 'UPDATE', columns: ['bank_amount'] },
    ],
    [
      'what the bank says of an open deposit, which is withdrawn',
      ({ open }) => `UPDATE deposit SET bank_day = NULL, bank_amount = NULL, bank_reference = NULL WHERE id = ${open}`,
      { table: 'deposit', operation: 'UPDATE', columns: ['bank_amount', 'bank_day'] },
    ],
    [
      'an open deposit, by an adjustment',
      ({ open }) =>
        `INSERT INTO deposit_adjustment (deposit_id, amount, reason, added_by) VALUES (${open}, 1, 'x', 'x')`,
      { table: 'deposit_adjustment', operation: 'INSERT', adjustmentId: expect.any(Number) as unknown },
    ],
  ])('%s is recorded', async (_what, statement, details) => {
    const entries = await recordedBy(() => psql.query(statement(rows)));
    expect(entries).toMatchObject([{ action: 'database.deposit-change', subject: `deposit ${rows.open}` }]);
    expect(entries[0]?.details).toEqual({ application: 'psql', ...details });
  });

  it('the deposits, by one that is reconciled from the start, is recorded', async () => {
    const entries = await recordedBy(() =>
      psql.query(`${INSERTED} VALUES ('x', 'x', '2026-11-20', 'USD', 'x', 0, 'x', now())`),
    );
    expect(entries).toMatchObject([
      { action: 'database.deposit-change', details: { table: 'deposit', operation: 'INSERT' } },
    ]);
  });

  it('the deposits, by emptying their tables, is recorded for each table', async () => {
    const entries = await recordedBy(() =>
      psql.query('SET LOCAL session_replication_role = replica; TRUNCATE deposit CASCADE'),
    );
    expect(entries.map(({ subject, details }) => `${subject}: ${String(details['table'])}`).sort()).toEqual([
      'all deposits: deposit',
      'all deposits: deposit_adjustment',
      'all deposits: deposit_item',
    ]);
  });
});
