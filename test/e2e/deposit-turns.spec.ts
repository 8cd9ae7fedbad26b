import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { countLockWaits } from '../support/lock-waits.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { type DepositAnswer, DepositCalls, unique } from './deposit-calls.js';

let service: TestApp;
let calls: DepositCalls;

beforeAll(async () => {
  service = await startTestApp();
  calls = new DepositCalls(service, await service.createUser('treasurer', 'some long password', ['Finance']));
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  await service.stop();
});

/** SQL in a session of its own that puts payments into deposits without the service. */
class Outsider {
  private constructor(private readonly client: Client) {}

  static async holding(depositId: number, paymentId: number): Promise<Outsider> {
    const client = new Client({ connectionString: service.database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO deposit_item (deposit_id, is_reversal, contribution_id, payment_id, amount, fee, has_own_fee, added_by)
       SELECT $1, false, id, id, amount, fee, false, 'outside' FROM payment WHERE id = $2`,
      [depositId, paymentId],
    );
    return new Outsider(client);
  }

  /** Whether another session waits for this one. */
  async isWaitedFor(): Promise<boolean> {
    const { rows } = await this.client.query<{ waiting: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))) AS waiting`,
    );
    return rows[0]?.waiting ?? false;
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.client.query(how);
    await this.client.end();
  }
}

async function enteredDeposit(): Promise<number> {
  const sent = { DepositId: unique('f'), Source: 'txt2give', Date: '2026-11-20' };
  return ((await calls.post('Deposits/enter', sent).expect(200)).body as DepositAnswer).id;
}

async function deadlocks(): Promise<number> {
  const [row] = await service.database.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row?.deadlocks);
}

describe('calls that put the same payments into deposits at once', () => {
  it('do not wait for each other, also if one finds what it had named before', async () => {
    const before = await deadlocks();
    for (let round = 0; round < 4; round++) {
      const TransactionId = unique('late');
      const { id } = await calls.accepted({ Items: [{ TransactionId }] });
      const early = await calls.gift();
      const late = await calls.gift({ TransactionId });
      // Both calls wait for this session, and go on at the same moment. Otherwise the first one is usually done too soon.
      const outsider = await Outsider.holding(await enteredDeposit(), early.id);
      const both = { Items: [{ ContributionId: early.id }, { ContributionId: late.id }] };
      const answers = Promise.all([
        calls.send(both).then(({ status }) => status),
        calls.post(`Deposits/${id}/items`, { Items: [{ ContributionId: early.id }] }).then(({ status }) => status),
      ]);
      await until(async () => (await countLockWaits(service.database)) === 2);
      await outsider.end('ROLLBACK');
      expect((await answers).filter((status) => status === 200)).toHaveLength(1);
    }
    expect(await deadlocks()).toBe(before);
  });
});

describe('SQL that puts what was found into other deposits, again and again', () => {
  it('makes a call a 409, and does not keep the list from being shown', async () => {
    const names = [unique('late'), unique('late'), unique('late')];
    const { id } = await calls.accepted({ Items: names.map((TransactionId) => ({ TransactionId })) });
    const outsiders: Outsider[] = [];
    for (const TransactionId of names) {
      const gift = await calls.gift({ TransactionId });
      outsiders.push(await Outsider.holding(await enteredDeposit(), gift.id));
    }
    const [other] = await calls.gifts('11');
    const refused = calls
      .post(`Deposits/${id}/items`, { Items: [{ ContributionId: other }] })
      .then(({ body }) => body as object);
    for (let left = outsiders; left.length > 0;) {
      let waitedFor: Outsider | undefined;
      await until(async () => {
        for (const one of left) if (await one.isWaitedFor()) waitedFor = one;
        return waitedFor !== undefined;
      });
      const ended = waitedFor;
      left = left.filter((one) => one !== ended);
      await ended?.end('COMMIT');
    }
    expect(await refused).toMatchObject({ status: 409, code: 'in_other_deposit' });
    await service.get('Deposits', calls.finance).expect(200);
    expect(await calls.read(id)).toMatchObject({ itemCount: 3, unknownCount: 3 });
  });
});
