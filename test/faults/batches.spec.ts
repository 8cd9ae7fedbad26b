import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { assertLedgerInvariants, type Ledger } from '../support/ledger-invariants.js';
import { assertSame, type LoadOptions, Processors, type RepeatedCall } from '../support/load.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { addBatch, amountOf, type GiftResult, resultsOf, splitsOf } from './batch.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'all of a batch or nothing'];
const CLIENTS = 8;
const GIFTS = 30;
/** The time for a process to start on a busy machine, in milliseconds. */
const START_LIMIT = 20_000;

/** A gift of a batch with its own id. */
interface SentGift {
  readonly TransactionId: string;
  readonly Amount: string;
  readonly Splits?: readonly object[];
}

/**
 * Processors that send batches. Two each send the same batches at the same time, and each batch begins with the last gift
 * of the one before.
 */
class Batches extends Processors {
  /** What the books must contain, by TransactionId: "t of 12.34 is contribution 5 in 3 parts". */
  readonly gifts = new Map<string, string>();
  readonly givers = new Set<string>();
  /** The number of gifts that were answered with 200, those that were sent again included. */
  answered = 0;

  constructor(
    options: LoadOptions,
    private readonly funds: readonly number[],
  ) {
    super(options);
  }

  protected async turn(call: RepeatedCall, index: number, count: number): Promise<void> {
    const sender = Math.floor(index / 2);
    const numbers = Array.from({ length: GIFTS }, (_, place) => count * (GIFTS - 1) + place);
    const gifts = numbers.map((number) => this.giftOf(sender, number));
    const results = resultsOf(await call((client) => addBatch(client, gifts)));
    expect(results.map(({ Index }) => Index)).toEqual(numbers.map((_number, place) => place));
    for (const result of results) this.note(gifts[result.Index], result);
  }

  async assertBooked(ledger: Ledger): Promise<void> {
    const rows = await ledger.query<{ line: string }>(
      `SELECT format('%s of %s is contribution %s in %s parts', transaction_id, sum(amount), payment_id, count(*)) AS line
       FROM contribution WHERE source = $1 GROUP BY transaction_id, payment_id`,
      [this.options.name],
    );
    assertSame(
      rows.map(({ line }) => line),
      [...this.gifts.values()],
    );
    const [persons] = await ledger.query<{ count: number }>(
      `SELECT count(DISTINCT person_id)::integer AS count FROM contribution WHERE source = $1`,
      [this.options.name],
    );
    expect(persons?.count).toBe(this.givers.size);
  }

  /** Every third gift is split, every tenth is invalid, every fourth is of a new giver. */
  private giftOf(sender: number, number: number): SentGift {
    const { name } = this.options;
    const cents = 1_000 + number;
    const giver = number % 4 === 1 ? `${name}${sender}n${number}` : `${name}${number % 3}`;
    const fields = { Phone: 'n/a', Source: name, TransactionId: `${sender}-${number}`, Amount: amountOf(cents) };
    if (number % 10 === 9) return { ...gift(giver), ...fields, Amount: '0' };
    this.givers.add(giver);
    return { ...gift(giver), ...fields, ...(number % 3 === 0 && { Splits: splitsOf(cents, this.funds) }) };
  }

  private note(sent: SentGift | undefined, { Status, Answer, Problem }: GiftResult): void {
    if (sent === undefined) throw new Error('There are more results than gifts');
    const { TransactionId, Amount, Splits = [{}] } = sent;
    if (Amount === '0') {
      expect([Status, Problem?.code]).toEqual([400, 'invalid_request']);
      return;
    }
    expect([TransactionId, Status, Problem]).toEqual([TransactionId, 200, undefined]);
    const line = `${TransactionId} of ${Amount} is contribution ${Answer?.ContributionId} in ${Splits.length} parts`;
    // A gift that is sent again gets its first answer.
    expect(line).toBe(this.gifts.get(TransactionId) ?? line);
    this.gifts.set(TransactionId, line);
    this.answered++;
  }
}

let database: TestDatabase;
let service: ServiceProcess;
let variables: Record<string, string>;
let funds: readonly number[];

beforeAll(async () => {
  database = await createTestDatabase();
  variables = { DATABASE_URL: database.url, PORT: String(await freePort()) };
  await createApiUser(variables, LOGIN[1]);
  service = await startServiceProcess(variables);
  const added = await database.query<{ id: number }>(`INSERT INTO fund (name) VALUES ('Roof'), ('Organ') RETURNING id`);
  funds = [1, ...added.map(({ id }) => id)];
});
afterEach(() => assertLedgerInvariants(database));
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('internal_error');
  await database.drop();
});

/** Sends batches during the fault. @returns the load, which has stopped. */
async function underBatches(name: string, scenario: string, fault: (load: Batches) => Promise<void>): Promise<Batches> {
  const load = new Batches({ name, login: LOGIN, urls: [service.url], clients: CLIENTS }, funds);
  try {
    await load.succeed(CLIENTS);
    await fault(load);
    await load.recover(START_LIMIT);
    await load.stop();
    const sent = `${load.gifts.size} gifts in batches of ${GIFTS}, answered ${load.answered} times`;
    printFigures(scenario, load.tally, sent);
    expect(load.tally.retryAfterMissing).toBe(0);
    await load.assertBooked(database);
    return load;
  } finally {
    await load.stop();
  }
}

describe('each gift of a batch is recorded once', () => {
  it('although the service is killed, and the batch is sent again', async () => {
    const { tally } = await underBatches('killed', `service killed ${EXTENT.rounds} times`, async (load) => {
      for (let round = 0; round < EXTENT.rounds; round++) {
        await load.succeed(1 + Math.floor(Math.random() * CLIENTS));
        await service.end('SIGKILL');
        service = await startServiceProcess(variables);
        await load.recover(START_LIMIT);
      }
    });
    expect(['0', '200', '503 database_unavailable']).toEqual(expect.arrayContaining([...tally.seen.keys()]));
    expect(tally.count(0)).toBeGreaterThan(0);
  });

  it('although sessions of the database are terminated, and the batch is sent again', async () => {
    const { tally } = await underBatches('terminated', 'sessions terminated at random', async (load) => {
      const enough = load.tally.count(200) + EXTENT.rounds * CLIENTS;
      while (load.tally.count(200) < enough || load.tally.count(503) < EXTENT.rounds) {
        await database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'offertory%' AND random() < 0.3`,
        );
        await load.succeed(2);
      }
    });
    expect([...tally.seen.keys()].sort()).toEqual(['200', '503 database_unavailable']);
  });
});
