// @ts-check
// npm run bench:match: how long the match query takes among 1,000, 100,000 and 1,000,000 people, on the PostgreSQL
// server of BENCH_DATABASE_URL. Makes databases of its own there and drops them. docs/matching.md, "Speed".
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { DataSource } from 'typeorm';
import { migrateDatabase } from '../dist/src/database/index.js';
import { lockMatches } from '../dist/src/people/match-person.js';

/** @typedef {{ first: string | null, last: string | null, email: string | null, phone: string | null }} FoldedGiver */

const PEOPLE = [1_000, 100_000, 1_000_000];
/** One in so many shares one e-mail address, and as many others share one phone number. */
const SHARED = 100;
const BATCH = 50_000;
const WARM_UP = 200;
const RUNS = 2_000;
const FIRST_NAMES =
  'thomas,robert,elizabeth,william,katherine,michael,anna,maria,jose,margaret,david,susan,james,linda,john,karen,peter,ruth,alex,sam';

const server = process.env['BENCH_DATABASE_URL'];
if (server === undefined) {
  console.error('Set BENCH_DATABASE_URL to a PostgreSQL server on which databases may be created.');
  process.exit(1);
}

for (const people of PEOPLE) await measure(people);

/** @param {number} people */
async function measure(people) {
  const admin = await connect(String(server));
  const name = `offertory_bench_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`CREATE DATABASE ${name}`);
  try {
    const url = new URL(String(server));
    url.pathname = `/${name}`;
    await migrateDatabase({ url: url.toString() });
    const database = await connect(url.toString());
    try {
      await fill(database, people);
      console.log(`\n${people.toLocaleString('en')} people:`);
      console.table(await figures(database, people));
    } finally {
      await database.destroy();
    }
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.destroy();
  }
}

/** @param {string} url */
function connect(url) {
  return new DataSource({ type: 'postgres', url }).initialize();
}

/**
 * Persons as gifts create them: the database's own triggers fill contacts and match keys. The first hundredth shares
 * an e-mail address, the second a phone number, and each of these two has 500 last names.
 * @param {DataSource} database
 * @param {number} people
 */
async function fill(database, people) {
  const begin = performance.now();
  for (let done = 0; done < people; done += BATCH) {
    const upTo = Math.min(people, done + BATCH);
    await database.query(
      `INSERT INTO person (first_name, last_name, email, phone,
         first_name_folded, last_name_folded, email_folded, phone_folded)
       SELECT first, last, email, phone, first, last, email, phone
       FROM generate_series($1::integer, $2::integer) AS g, LATERAL (SELECT
         CASE WHEN g <= 2 * $3 THEN 500 ELSE 50000 END AS names,
         string_to_array($4, ',') AS firsts
       ) n, LATERAL (SELECT
         firsts[1 + (g / names) % cardinality(firsts)] AS first,
         'lastname' || (g % names) AS last,
         CASE WHEN g <= $3 THEN 'office@example.org' ELSE 'giver' || g || '@example.org' END AS email,
         CASE WHEN g > $3 AND g <= 2 * $3 THEN '+16155550100' ELSE '+1' || (2000000000 + g) END AS phone
       ) p`,
      [done + 1, upTo, people / SHARED, FIRST_NAMES],
    );
    const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
    if (people > BATCH) console.log(`${upTo.toLocaleString('en')} people filled in, ${seconds} s`);
  }
  await database.query('VACUUM ANALYZE');
}

/**
 * @param {DataSource} database
 * @param {number} people
 */
async function figures(database, people) {
  const shared = people / SHARED;
  const known = await givers(database, 2 * shared + 1, people);
  return {
    known: await time(database, known),
    unknown: await time(
      database,
      known.map((giver, i) => ({ ...giver, last: `nobody${i}`, email: `nobody${i}@example.org` })),
      0,
    ),
    'shared e-mail': await time(database, await givers(database, 1, shared)),
    'shared phone': await time(database, await givers(database, shared + 1, 2 * shared)),
  };
}

/**
 * The details of persons whose ids are spread evenly over a range.
 * @param {DataSource} database
 * @param {number} from
 * @param {number} to
 * @returns {Promise<FoldedGiver[]>}
 */
async function givers(database, from, to) {
  const step = (to - from) / RUNS;
  const ids = Array.from({ length: RUNS }, (_, i) => Math.round(from + ((i * 7919) % RUNS) * step));
  return database.query(
    `SELECT first_name_folded AS first, last_name_folded AS last, email_folded AS email, phone_folded AS phone
     FROM unnest($1::integer[]) WITH ORDINALITY AS wanted (id, place) JOIN person USING (id) ORDER BY place`,
    [ids],
  );
}

/**
 * Times the product's own query for each of these givers; the milliseconds, and the plan of the last.
 * @param {DataSource} database
 * @param {FoldedGiver[]} all
 * @param {number} matches how many persons each must match at least
 */
async function time(database, all, matches = 1) {
  const runner = database.createQueryRunner();
  try {
    for (const giver of all.slice(0, WARM_UP)) await lockMatches(runner.manager, giver);
    const times = [];
    for (const giver of all) {
      const begin = performance.now();
      const found = await lockMatches(runner.manager, giver);
      times.push(performance.now() - begin);
      if (found.length < matches) throw new Error(`Nobody was found for ${JSON.stringify(giver)}`);
    }
    times.sort((a, b) => a - b);
    const at = (/** @type {number} */ share) => Number(times[Math.floor(share * (times.length - 1))]?.toFixed(2));
    return { 'median ms': at(0.5), 'p95 ms': at(0.95), 'max ms': at(1), plan: await planOf(database, all.at(-1)) };
  } finally {
    await runner.release();
  }
}

/**
 * The scans by which the statement that lockMatches sends for this giver reads.
 * @param {DataSource} database
 * @param {FoldedGiver | undefined} giver
 */
async function planOf(database, giver) {
  /** @type {string[]} */
  const scans = [];
  const query = async (/** @type {{ text: string, values: unknown[] }} */ { text, values }) => {
    const [row] = await database.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
    collectScans(row['QUERY PLAN'][0].Plan, scans);
    return { rows: [] };
  };
  const queryRunner = { isReleased: false, connect: () => Promise.resolve({ query }) };
  const tx = /** @type {any} */ ({ queryRunner });
  if (giver !== undefined) await lockMatches(tx, giver);
  return scans.join(', ');
}

/**
 * @param {any} node
 * @param {string[]} scans
 */
function collectScans(node, scans) {
  if (node['Node Type'].includes('Scan')) scans.push(`${node['Node Type']} ${node['Index Name'] ?? ''}`.trim());
  for (const child of node.Plans ?? []) collectScans(child, scans);
}
