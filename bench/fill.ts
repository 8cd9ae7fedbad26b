import type { Pool, PoolClient } from 'pg';
import { count } from './table.js';

/** The size of a database. */
export interface Size {
  readonly people: number;
  readonly gifts: number;
}

/** Person n of a filled database has this number in its name, e-mail address and phone number. */
export const FIRST_NUMBER = 2_000_000;

const PEOPLE_AT_ONCE = 50_000;
const GIFTS_AT_ONCE = 200_000;
/** Users besides the API user. All have equal shares of the gifts. */
const OTHER_USERS = 4;
const OTHER_FUNDS = ['Building', 'Missions', 'Youth'];

/**
 * Fills a database that has only its API user: people as their first gifts would have created them, and gifts of up to
 * ten years in bundles by day and user. The rows are the same as those of API calls, but are added much faster.
 * @param log gets the progress
 */
export async function fill(pool: Pool, { people, gifts }: Size, log: (line: string) => void): Promise<void> {
  const begin = performance.now();
  const tell = (what: string): void => log(`${what}, ${((performance.now() - begin) / 1_000).toFixed(0)} s`);
  const client = await pool.connect();
  try {
    await client.query("SET maintenance_work_mem = '256MB'");
    await client.query('SET synchronous_commit = off');
    await fillPeople(client, people, tell);
    await fillGifts(client, { people, gifts }, tell);
    await client.query('VACUUM ANALYZE');
    tell(`${count(people)} people and ${count(gifts)} gifts vacuumed`);
  } finally {
    client.release(true);
  }
}

/** Triggers of the database add contacts and match keys. Values are folded as in src/people/matching/folding.ts. */
async function fillPeople(client: PoolClient, people: number, tell: (what: string) => void): Promise<void> {
  for (let done = 0; done < people; done += PEOPLE_AT_ONCE) {
    const upTo = Math.min(people, done + PEOPLE_AT_ONCE);
    await client.query(
      `INSERT INTO person (first_name, last_name, email, phone,
         first_name_folded, last_name_folded, email_folded, phone_folded, folded_by)
       SELECT 'Robert', 'Lastname' || n, email, phone, 'robert', 'lastname' || n, email, phone,
         (SELECT concat_ws(' ', version, country) FROM folding)
       FROM generate_series($1::integer, $2::integer) AS n,
         LATERAL (SELECT 'giver' || n || '@example.org' AS email, '+1615' || n AS phone) contacts
       ORDER BY n`,
      [FIRST_NUMBER + done + 1, FIRST_NUMBER + upTo],
    );
    if (people > PEOPLE_AT_ONCE) tell(`${count(upTo)} of ${count(people)} people`);
  }
}

/**
 * Adds gifts without triggers and foreign keys. The INSERT sets the values of the triggers: change numbers, times and
 * users. Secondary indexes are created afterwards, which is much faster than updating ten of them for each row.
 */
async function fillGifts(client: PoolClient, { people, gifts }: Size, tell: (what: string) => void): Promise<void> {
  const days = Math.min(3_650, Math.max(30, Math.round(gifts / 2_000)));
  await addUsersAndFunds(client);
  await client.query('SET session_replication_role = replica');
  await client.query(INSERT_BUNDLES, [days]);
  const indexes = await dropSecondaryIndexes(client);
  for (let done = 0; done < gifts; done += GIFTS_AT_ONCE) {
    const upTo = Math.min(gifts, done + GIFTS_AT_ONCE);
    await client.query(INSERT_PAYMENTS, [done + 1, upTo]);
    await client.query(INSERT_GIFTS, [done + 1, upTo, gifts, people, days]);
    if (gifts > GIFTS_AT_ONCE) tell(`${count(upTo)} of ${count(gifts)} gifts`);
  }
  for (const definition of indexes) {
    await client.query(definition);
    if (gifts > GIFTS_AT_ONCE) tell(definition.replace(/^CREATE (UNIQUE )?INDEX (\w+) .*$/s, 'index $2'));
  }
  await client.query('SET session_replication_role = DEFAULT');
  await client.query("SELECT setval('contribution_id_seq', $1), setval('contribution_change_no_seq', $1)", [gifts]);
}

async function addUsersAndFunds(client: PoolClient): Promise<void> {
  await client.query(
    `WITH added AS (
       INSERT INTO app_user (username, password_hash)
       SELECT 'processor' || n, password_hash FROM app_user, generate_series(1, $1::integer) AS n RETURNING id
     )
     INSERT INTO app_user_role (user_id, role_id) SELECT added.id, role_id FROM added, app_user_role`,
    [OTHER_USERS],
  );
  await client.query('INSERT INTO fund (name) SELECT unnest($1::text[])', [OTHER_FUNDS]);
}

/** One bundle for each day up to yesterday and each user. Bundles older than three days are closed. */
const INSERT_BUNDLES = `
  INSERT INTO bundle (bundle_type_id, user_id, day, status, created_at, closed_at, closed_by)
  SELECT 4, u.id, day, CASE WHEN ago > 3 THEN 0 ELSE 1 END, day,
    CASE WHEN ago > 3 THEN day + interval '2 days' END, CASE WHEN ago > 3 THEN 'treasurer' END
  FROM generate_series(1, $1::integer) AS ago, LATERAL (SELECT current_date - 1 - ago AS day) d, app_user u
  ORDER BY ago DESC, u.id`;

/** The payment of gift n, which is its only part. One in ten is a check. */
const INSERT_PAYMENTS = `
  INSERT INTO payment (id, amount, method, check_number)
  SELECT n, 10 + n % 500, CASE WHEN n % 10 = 0 THEN 'check' ELSE 'card' END, CASE WHEN n % 10 = 0 THEN 'C' || n END
  FROM generate_series($1::integer, $2::integer) AS n`;

/**
 * Gift n, from the oldest to the newest. Neighbouring gifts belong to different people and users, as in real use. About
 * half of them have a transaction id, and one in five has notes.
 */
const INSERT_GIFTS = `
  INSERT INTO contribution (id, payment_id, person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
    source, notes, giver_first, giver_last, giver_email, giver_phone, created_by, created_at, matched_by, matched_on, other_matches,
    has_key, transaction_id, request_digest, first_person_id, change_no, updated_at, added_by)
  OVERRIDING SYSTEM VALUE
  SELECT n, n, person, 10 + n % 500, 'USD', at, bundle.day, 1 + n % (SELECT count(*) FROM fund), bundle.id, 1,
    source, CASE WHEN n % 100 = 0 THEN 'In memory of Nr' || n WHEN n % 5 = 0 THEN 'Weekly tithe' END, 'Robert', 'Lastname' || number, 'giver' || number || '@example.org', '+1615' || number, u.id, at,
    'match', ARRAY['lastName', 'firstName', 'email', 'phone'], '{}',
    sent_with_id, CASE WHEN sent_with_id THEN 'T-' || n END, CASE WHEN sent_with_id THEN sha256(n::text::bytea) END,
    CASE WHEN sent_with_id THEN person END, n, at, u.id
  FROM generate_series($1::integer, $2::integer) AS n
    CROSS JOIN (SELECT array_agg(id ORDER BY id) AS ids FROM app_user) users
    CROSS JOIN LATERAL (
      SELECT 1 + (n::bigint * 7919 % $4::integer)::integer AS person, n / cardinality(ids) % 2 = 0 AS sent_with_id,
        ids[1 + n % cardinality(ids)] AS user_id, $5 - ((n - 1)::bigint * $5::integer / $3::integer)::integer AS ago,
        (ARRAY['txt2give', 'online', 'kiosk'])[1 + n % 3] AS source
    ) g
    CROSS JOIN LATERAL (SELECT ${FIRST_NUMBER} + person AS number, current_date - 1 - ago + time '12:00' AS at) h
    JOIN app_user u ON u.id = user_id
    JOIN bundle ON bundle.user_id = u.id AND bundle.day = current_date - 1 - ago
  ORDER BY n`;

/** Drops all indexes except those of constraints. @returns the statements that create them again. */
async function dropSecondaryIndexes(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = 'contribution'::regclass
       AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid) ORDER BY 1`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

/**
 * Adds gifts of the API user with the current time, spread over the people, each with a different amount.
 * @param firstCents the amount of the first gift in cents; each next gift has one cent more
 * @returns their ids
 */
export async function addGifts(pool: Pool, gifts: number, people: number, firstCents: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `WITH bundle AS (
       INSERT INTO bundle (bundle_type_id, user_id, day) SELECT 4, id, current_date FROM app_user WHERE username = 'api'
       ON CONFLICT (bundle_type_id, user_id, day) WHERE status = 1 DO UPDATE SET day = excluded.day
       RETURNING id, user_id, day
     )
     INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
       source, giver_first, giver_last, giver_email, giver_phone, created_by, matched_by, matched_on, other_matches)
     SELECT person, ($3::bigint + n) / 100.0, 'USD', now(), day, 1, bundle.id, 1, 'bench', 'Robert', 'Lastname' || number,
       'giver' || number || '@example.org', '+1615' || number, user_id, 'match',
       ARRAY['lastName', 'firstName', 'email', 'phone'], '{}'
     FROM bundle, generate_series(0, $1::integer - 1) AS n,
       LATERAL (SELECT 1 + (n::bigint * 7919 % $2::integer)::integer AS person) p,
       LATERAL (SELECT ${FIRST_NUMBER} + person AS number) m
     RETURNING id`,
    [gifts, people, firstCents],
  );
  return rows.map(({ id }) => id);
}
