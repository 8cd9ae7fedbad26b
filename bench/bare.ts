/**
 * A minimal program to compare the service with: plain Express and pg, with the statements of the service in the same
 * order and transactions, and nothing else. It has no validation, password check, ORM, events, log or retries.
 * test/process/statements.spec.ts checks that its statements are those of the service.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import pg from 'pg';
import {
  SELECT_USER,
  CLAIM_KEY,
  SELECT_ANSWER,
  KEEP_ANSWER,
  LOCK_CANDIDATES,
  LOCK_PERSON,
  SELECT_LAST_NAME,
  LOCK_CONTACTS,
  SELECT_SIMILAR,
  INSERT_PERSON,
  INSERT_GIFT,
  LOCK_PAYMENT,
  LOCK_GIFTS,
  INSERT_REVERSING_ENTRIES,
  INSERT_AUDIT_ENTRY,
  CLOSE_FOR_REVERSAL,
  INSERT_NOTICE,
  INSERT_JOB,
} from './bare-statements.js';

interface Gift {
  First: string;
  Last: string;
  Email: string;
  Phone: string;
  Amount: string;
  Source?: string;
  PeopleId?: number;
}

interface User {
  id: number;
  name: string;
}

interface Giver {
  id: number;
  by: 'id' | 'match' | 'created';
  matchedOn: string[];
  doubts: string[];
}

interface AddAnswer {
  contributionId: number;
  peopleId: number;
  newPerson: boolean;
  multipleMatches: boolean;
  source: string | null;
}

/** The short forms of the one first name that all givers of the bench have. */
const SHORT_FORMS: Record<string, string[]> = {
  robert: ['bob', 'bobby', 'dob', 'dobbin', 'hob', 'hobkin', 'rob', 'robby', 'robbie', 'bert'],
};

/** The same session settings, time limits and number of connections as in src/database/sessions/connection.ts. */
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  application_name: 'bare',
  options: '-c default_transaction_isolation=read\\ committed -c search_path=public -c enable_seqscan=off -c jit=off',
  max: 10,
  keepAlive: true,
  connectionTimeoutMillis: 3_000,
  lock_timeout: 4_000,
  statement_timeout: 5_000,
  query_timeout: 6_000,
  idle_in_transaction_session_timeout: 10_000,
});
pool.on('error', () => undefined);

const churchDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' });

async function row<Row>(client: pg.PoolClient, query: pg.QueryConfig, values: unknown[]): Promise<Row | undefined> {
  return (await client.query(query, values)).rows[0] as Row | undefined;
}

/** Reads the user without checking the password. */
async function userOf(request: Request): Promise<User> {
  const credentials = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString();
  const name = credentials.slice(0, credentials.indexOf(':'));
  const { rows } = await pool.query<{ id: number }>(SELECT_USER, [name]);
  if (rows[0] === undefined) throw new Error(`There is no user ${name}`);
  return { id: rows[0].id, name };
}

async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('START TRANSACTION');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function once<T>(client: pg.PoolClient, call: unknown[], body: object, work: () => Promise<T>): Promise<T> {
  if (call[2] === undefined) return work();
  const digest = createHash('sha256').update(JSON.stringify(body)).digest();
  if ((await row(client, CLAIM_KEY, [...call, digest])) === undefined) {
    const kept = await row<{ request_digest: Buffer; answer: T }>(client, SELECT_ANSWER, call);
    if (kept?.request_digest.equals(digest) !== true) throw new Error('The key was used for something else');
    return kept.answer;
  }
  const answer = await work();
  await client.query(KEEP_ANSWER, [...call, JSON.stringify(answer)]);
  return answer;
}

async function matchGiver(
  client: pg.PoolClient,
  first: string,
  last: string,
  contacts: string[],
): Promise<Giver | undefined> {
  const { rows } = await client.query<{ personId: number; email: boolean; phone: boolean; firstName: boolean }>(
    LOCK_CANDIDATES,
    [[last], [first], [first, ...(SHORT_FORMS[first] ?? [])], contacts],
  );
  const best = rows.find((candidate) => candidate.firstName);
  if (best === undefined) return undefined;
  const matchedOn = ['lastName', 'firstName', ...(['email', 'phone'] as const).filter((kind) => best[kind])];
  return { id: best.personId, by: 'match', matchedOn, doubts: [] };
}

async function findGiver(client: pg.PoolClient, gift: Gift): Promise<Giver> {
  const [first, last, email] = [gift.First.toLowerCase(), gift.Last.toLowerCase(), gift.Email.toLowerCase()];
  if (gift.PeopleId !== undefined) {
    await client.query(LOCK_PERSON, [gift.PeopleId]);
    const same = await row(client, SELECT_LAST_NAME, [gift.PeopleId, last]);
    return { id: gift.PeopleId, by: 'id', matchedOn: [], doubts: same === undefined ? ['other_last_name'] : [] };
  }
  const contacts = [email, gift.Phone];
  const match = (): Promise<Giver | undefined> => matchGiver(client, first, last, contacts);
  const known = (await match()) ?? (await client.query(LOCK_CONTACTS, [contacts]).then(match));
  if (known !== undefined) return known;
  const similar = await row(client, SELECT_SIMILAR, [[email], [gift.Phone], last, first, false, []]);
  const details = [gift.First, gift.Last, gift.Email, gift.Phone, null, null];
  const folded = [first, last, email, gift.Phone, '2 US', null, null];
  const person = await row<{ id: number }>(client, INSERT_PERSON, [...details, ...folded]);
  return {
    id: Number(person?.id),
    by: 'created',
    matchedOn: [],
    doubts: similar === undefined ? [] : ['similar_person'],
  };
}

async function add(client: pg.PoolClient, gift: Gift, user: User, hasKey: boolean): Promise<AddAnswer> {
  const giver = await findGiver(client, gift);
  const now = new Date();
  const day = churchDay.format(now);
  const { First, Last, Email, Phone, Amount, Source: source = null } = gift;
  const added = await row<{ id: number }>(client, INSERT_GIFT, [
    ...[
      null,
      giver.id,
      Amount,
      'USD',
      now,
      day,
      null,
      4,
      user.id,
      day,
      1,
      source,
      null,
      First,
      Last,
      Email,
      Phone,
      null,
      null,
    ],
    ...[giver.by, giver.matchedOn, [], hasKey, null, null],
    ...[Amount, null, null, null, null, null, giver.doubts, []],
  ]);
  return {
    contributionId: Number(added?.id),
    peopleId: giver.id,
    newPerson: giver.by === 'created',
    multipleMatches: false,
    source,
  };
}

async function reverse(client: pg.PoolClient, contributionId: number, source: string, user: User): Promise<number> {
  const payment = await row<{ paymentId: number; reversesId: number | null }>(client, LOCK_PAYMENT, [contributionId]);
  if (payment?.reversesId !== null) throw new Error(`Contribution ${contributionId} cannot be reversed`);
  const gift = await row<Record<string, unknown>>(client, LOCK_GIFTS, [payment.paymentId]);
  if (gift === undefined || gift['left'] === '0.00') throw new Error(`Gift ${contributionId} cannot be reversed`);
  const now = new Date();
  const day = churchDay.format(now);
  const { left: amount, currency, fund_id: fundId } = gift;
  const taken = [[contributionId], [amount], [fundId], [gift['bundle_type_id']]];
  const values = [...taken, gift['person_id'], currency, now, day, user.id, source, null, null, null];
  const entry = await row<{ id: number; created_at: Date }>(client, INSERT_REVERSING_ENTRIES, values);
  const details = JSON.stringify({ reversingContributionId: entry?.id });
  const subject = [`contribution ${contributionId}`];
  await client.query(INSERT_AUDIT_ENTRY, [user.name, 'api', 'contribution.reverse', subject, details]);
  await client.query(CLOSE_FOR_REVERSAL, [[contributionId], user.name, [contributionId]]);
  const noticeId = randomUUID();
  const fund = { id: fundId, name: gift['fund_name'] };
  const notice = {
    eventId: noticeId,
    contributionId,
    reversingContributionId: entry?.id,
    giver: { peopleId: gift['person_id'], first: gift['first_name'], last: gift['last_name'] },
    amount,
    left: '0.00',
    isPartial: false,
    currency,
    fund,
    entries: [{ contributionId, reversingContributionId: entry?.id, amount, fund }],
    day: gift['day'],
    reason: null,
    source,
    username: user.name,
    reversedAt: entry?.created_at,
  };
  await client.query(INSERT_NOTICE, [noticeId, entry?.id, JSON.stringify(notice)]);
  const job = JSON.stringify({ noticeId, waits: 0 });
  // Due in an hour. A service on the same database would otherwise run the job during the measurement.
  await client.query(INSERT_JOB, ['notify-finance', job, 3_600]);
  return Number(gift['person_id']);
}

const app = express();
app.use(express.json());

app.post('/Api/AddContribution', async (request, response) => {
  const user = await userOf(request);
  const key = request.get('Idempotency-Key');
  const gift = request.body as Gift;
  const answer = await inTransaction((client) =>
    once(client, [user.id, 'AddContribution', key], gift, () => add(client, gift, user, key !== undefined)),
  );
  response.json({
    PeopleId: answer.peopleId,
    ContributionId: answer.contributionId,
    NewPerson: answer.newPerson,
    MultipleMatches: answer.multipleMatches,
    Source: answer.source,
  });
});

app.post('/Api/ReverseContribution/:id/:source', async (request, response) => {
  const user = await userOf(request);
  const { id, source } = request.params;
  const peopleId = await inTransaction((client) => reverse(client, Number(id), source, user));
  response.json({
    operation: 'Reversal',
    peopleId,
    contributionId: Number(id),
    source: `API Reverse (source=${source})`,
  });
});

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Ready at http://127.0.0.1:${port}/Api\n`);
});
