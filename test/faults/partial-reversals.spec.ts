import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client, untilAnswered } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { holdLock } from '../support/held-lock.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { countLockWaits } from '../support/lock-waits.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { letJobsExpire, matchMails, untilNotified } from '../support/notices.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures, Tally } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { splitsOf } from './batch.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'ten times a hundred'];
const REPLICAS = 3;
const CALLS = 50;
/** A gift of 1,000 is taken back after so many reversals of 100. */
const REVERSALS = 10;
/** So many calls wait for locks before a replica is killed. Of one user, a replica lets five into its ten connections. */
const WAITING = 12;
/** The replica that is killed. */
const VICTIM = 2;

let database: TestDatabase;
let mails: MailServer;
let replicas: ServiceProcess[];
let funds: number[];
const start = (port: number): Promise<ServiceProcess> =>
  startServiceProcess({
    DATABASE_URL: database.url,
    PORT: String(port),
    SMTP_URL: mails.url,
    FINANCE_EMAILS: 'office@example.org',
  });

beforeAll(async () => {
  database = await createTestDatabase();
  mails = await startMailServer();
  await createApiUser({ DATABASE_URL: database.url }, LOGIN[1]);
  replicas = await Promise.all(Array.from({ length: REPLICAS }, async () => start(await freePort())));
  const added = await database.query<{ id: number }>(`INSERT INTO fund (name) VALUES ('Roof'), ('Organ') RETURNING id`);
  funds = [1, ...added.map(({ id }) => id)];
});
afterEach(async () => {
  // That leases end by themselves is tested by kill.spec.ts.
  await letJobsExpire(database);
  await untilNotified(database, 1, 150_000);
  const [reversals] = await database.query<{ count: number }>(
    'SELECT count(DISTINCT reversal_id)::integer AS count FROM contribution',
  );
  expect((await matchMails(database, mails.mails)).delivered).toBe(reversals?.count);
  await assertLedgerInvariants(database);
});
afterAll(async () => {
  for (const replica of replicas) {
    expect(await replica.end('SIGTERM')).toBe(0);
    expect(replica.output()).not.toContain('internal_error');
  }
  await mails.stop();
  await database.drop();
});

/** A client of the replica; numbers from the last one on begin again with the first. */
function client(replica: number): Client {
  const { url } = replicas[replica % REPLICAS] ?? { url: '' };
  return new Client(url, ...LOGIN);
}

let gifts = 0;

/** Adds a gift of 1,000. @returns its id. */
async function give(parts: 1 | 3): Promise<number> {
  const fields = parts === 1 ? {} : { Splits: splitsOf(100_000, funds) };
  const { status, body } = await client(0).add(gift(`partly${++gifts}`, { Amount: '1000', ...fields }));
  expect(status).toBe(200);
  return Number(body['ContributionId']);
}

function take(from: number, at: Client, refundId?: string): Promise<Answer> {
  const refund = refundId === undefined ? '' : `&reason=refund&refundId=${refundId}`;
  return at.request(`/Api/ReverseContribution/${from}/bank?amount=100${refund}`, { method: 'POST' });
}

/** How often something was taken back of a gift, and what is left of it. */
async function stateOf(id: number): Promise<{ reversals: number; refunds: string[]; total: string; below: boolean }> {
  const [state] = await database.query<{ reversals: number; refunds: string[]; total: string; below: boolean }>(
    `SELECT count(DISTINCT reversal_id)::integer AS reversals, sum(amount) AS total, sum(amount) < 0 AS below,
       COALESCE(array_agg(DISTINCT refund_id ORDER BY refund_id) FILTER (WHERE refund_id IS NOT NULL), '{}') AS refunds
     FROM contribution WHERE payment_id = $1`,
    [id],
  );
  if (state === undefined) throw new Error(`Payment ${id} is not in the books`);
  return state;
}

/** Looks at a gift until the work is done: no more than ten reversals are ever seen, and no total below 0. */
async function watching<T>(id: number, work: Promise<T>): Promise<T> {
  let isDone = false;
  const watch = until(async () => {
    const { reversals, below } = await stateOf(id);
    expect(reversals).toBeLessThanOrEqual(REVERSALS);
    expect(below).toBe(false);
    return isDone;
  });
  const [result] = await Promise.all([work.finally(() => (isDone = true)), watch]);
  return result;
}

const tallyOf = (answers: readonly Answer[]): Tally => {
  const tally = new Tally();
  answers.forEach((answer) => tally.note(answer));
  return tally;
};

const TEN_OF_FIFTY = new Map([
  ['200', REVERSALS],
  ['409 already_reversed', CALLS - REVERSALS],
]);

describe.each([1, 3] as const)(`${CALLS} calls at once take 100 each back of a gift of 1,000 of %i parts`, (parts) => {
  it('ten of them succeed', async () => {
    const id = await give(parts);
    const calls = Array.from({ length: CALLS }, () => take(id, client(0)));
    const tally = tallyOf(await watching(id, Promise.all(calls)));
    printFigures(`${CALLS} partial reversals of a gift of ${parts} parts`, tally);
    expect(tally.seen).toEqual(TEN_OF_FIFTY);
    expect(await stateOf(id)).toMatchObject({ reversals: REVERSALS, total: '0.00' });
  });

  /** Makes calls at once, spread over the replicas, and kills one while its calls wait for the payment, or soon after. */
  async function whileOneIsKilled(
    id: number,
    when: (typeof KILLS)[number],
    make: (call: number) => Promise<Answer>,
  ): Promise<readonly Answer[]> {
    // So that a restarted replica is as quick as the others: passwords are checked, and connections open.
    await Promise.all(Array.from({ length: CALLS }, (_, call) => client(call).read(id)));
    const lock = await holdLock(database.url, 'SELECT FROM payment WHERE id = $1 FOR UPDATE', [id]);
    const calls = Array.from({ length: CALLS }, (_, call) => make(call));
    const answers = watching(id, Promise.all(calls));
    try {
      await until(async () => (await countLockWaits(database)) >= WAITING);
      if (when === 'before its first answer') await replicas[VICTIM]?.end('SIGKILL');
    } finally {
      await lock.release();
    }
    await Promise.race(calls.filter((_answer, call) => call % REPLICAS === VICTIM));
    await replicas[VICTIM]?.end('SIGKILL');
    replicas[VICTIM] = await start(Number(new URL(replicas[VICTIM]?.url ?? '').port));
    return await answers;
  }

  const KILLS = ['before its first answer', 'after its first answer'] as const;

  describe.each(KILLS)('when one of three replicas is killed %s', (when) => {
    const rounds = Array.from({ length: EXTENT.cutReversals }, (_, round) => round + 1);
    const scenario = `3 replicas, one killed ${when}, ${parts} parts`;

    it.each(rounds)('at most ten succeed if none is repeated (%i)', async () => {
      const id = await give(parts);
      const tally = tallyOf(await whileOneIsKilled(id, when, (call) => take(id, client(call))));
      const { reversals, total } = await stateOf(id);
      printFigures(`${scenario}: none repeated`, tally, `${reversals} reversals, ${total} left`);
      expect(['0', '200', '409 already_reversed']).toEqual(expect.arrayContaining([...tally.seen.keys()]));
      if (when === 'before its first answer') expect(tally.count(0)).toBeGreaterThan(0);
      expect(reversals).toBeLessThanOrEqual(REVERSALS);
      expect(reversals).toBeGreaterThanOrEqual(tally.count(200));
      expect(total).toBe(`${(REVERSALS - reversals) * 100}.00`.replace(/^000\./, '0.'));
    });

    /** Repeats a refund at the next replica until it is answered, as a sender does. */
    const repeat = (id: number, refundId: string, first: number): Promise<Answer> =>
      untilAnswered((attempt) => take(id, client(first + attempt), refundId));

    it.each(rounds)('exactly ten succeed if each is repeated with its own refundId (%i)', async (round) => {
      const id = await give(parts);
      const refund = (call: number): string => `${id}-${round}-${String(call).padStart(2, '0')}`;
      const answers = await whileOneIsKilled(id, when, (call) => repeat(id, refund(call), call));
      const tally = tallyOf(answers);
      printFigures(`${scenario}: ${CALLS} refunds, repeated`, tally);
      expect(tally.seen).toEqual(TEN_OF_FIFTY);
      const done = answers.flatMap(({ status }, call) => (status === 200 ? [refund(call)] : []));
      expect(await stateOf(id)).toMatchObject({ reversals: REVERSALS, refunds: done, total: '0.00' });
      const again = await Promise.all(answers.map((_answer, call) => repeat(id, refund(call), call + 1)));
      expect(again.map(({ status, body }) => [status, status === 200 && body])).toEqual(
        answers.map(({ status, body }) => [status, status === 200 && body]),
      );
      expect(await stateOf(id)).toMatchObject({ reversals: REVERSALS, refunds: done, total: '0.00' });
    });

    it.each(rounds)('all succeed if they are ten refunds, each sent five times (%i)', async (round) => {
      const id = await give(parts);
      const refund = (call: number): string => `${id}-${round}-${call % REVERSALS}`;
      const tally = tallyOf(await whileOneIsKilled(id, when, (call) => repeat(id, refund(call), call)));
      printFigures(`${scenario}: ${REVERSALS} refunds, each sent 5 times and repeated`, tally);
      expect(tally.seen).toEqual(new Map([['200', CALLS]]));
      expect(tally.replayed).toBeGreaterThanOrEqual(CALLS - REVERSALS);
      const refunds = Array.from({ length: REVERSALS }, (_, call) => refund(call));
      expect(await stateOf(id)).toMatchObject({ reversals: REVERSALS, refunds, total: '0.00' });
    });
  });
});
