// npm run bench:match: times the match query among 1,000, 100,000 and 1,000,000 people (docs/matching.md, "Speed").
import type { Pool, PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { type FoldedGiver, lockMatches } from '../src/people/matching/match-person.js';
import { BenchDatabases } from './databases.js';
import { runMain } from './main.js';
import { serverFromEnvironment } from './options.js';
import { count, table } from './table.js';

const PEOPLE = [1_000, 100_000, 1_000_000];
/** One in this many people shares an e-mail address, and as many others share a phone number. */
const SHARED = 100;
const BATCH = 50_000;
const WARM_UP = 200;
const RUNS = 2_000;
const FIRST_NAMES =
  'thomas,robert,elizabeth,william,katherine,michael,anna,maria,jose,margaret,david,susan,james,linda,john,karen,peter,ruth,alex,sam';

/** Times in milliseconds, and the scans in the plan of the query. */
interface MatchFigures {
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  readonly plan: string;
}

/**
 * Adds persons as gifts create them: the triggers of the database add contacts and match keys. The first hundredth
 * shares an e-mail address and the second a phone number. Each of these two has 500 last names.
 */
async function fill(pool: Pool, people: number): Promise<void> {
  const begin = performance.now();
  for (let done = 0; done < people; done += BATCH) {
    const upTo = Math.min(people, done + BATCH);
    await pool.query(
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
    if (people > BATCH) log(`${count(upTo)} of ${count(people)} people, ${seconds} s`);
  }
  await pool.query('VACUUM ANALYZE');
}

async function figuresOf(pool: Pool, people: number): Promise<Record<string, MatchFigures>> {
  const shared = people / SHARED;
  const known = await givers(pool, 2 * shared + 1, people);
  const unknown = known.map((giver, i) => ({ ...giver, last: `nobody${i}`, email: `nobody${i}@example.org` }));
  const client = await pool.connect();
  try {
    return {
      known: await measure(client, known),
      unknown: await measure(client, unknown, 0),
      'shared e-mail': await measure(client, await givers(pool, 1, shared)),
      'shared phone': await measure(client, await givers(pool, shared + 1, 2 * shared)),
    };
  } finally {
    client.release();
  }
}

/** The details of persons whose ids are spread evenly over a range. */
async function givers(pool: Pool, from: number, to: number): Promise<FoldedGiver[]> {
  const step = (to - from) / RUNS;
  const ids = Array.from({ length: RUNS }, (_, i) => Math.round(from + ((i * 7_919) % RUNS) * step));
  const { rows } = await pool.query<FoldedGiver>(
    `SELECT first_name_folded AS first, last_name_folded AS last, email_folded AS email, phone_folded AS phone
     FROM unnest($1::integer[]) WITH ORDINALITY AS wanted (id, place) JOIN person USING (id) ORDER BY place`,
    [ids],
  );
  return rows;
}

/** Times the query of the service for each giver. @param matches the minimum of persons that each giver must match */
async function measure(client: PoolClient, all: readonly FoldedGiver[], matches = 1): Promise<MatchFigures> {
  const tx = queriedBy(client);
  for (const giver of all.slice(0, WARM_UP)) await lockMatches(tx, giver);
  const times: number[] = [];
  for (const giver of all) {
    const begin = performance.now();
    const found = await lockMatches(tx, giver);
    times.push(performance.now() - begin);
    if (found.length < matches) throw new Error(`Nobody was found for ${JSON.stringify(giver)}`);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? NaN;
  return { median: at(0.5), p95: at(0.95), max: at(1), plan: await planOf(client, all) };
}

/** The scans in the plan of the statement for the last giver. */
async function planOf(client: PoolClient, all: readonly FoldedGiver[]): Promise<string> {
  const scans: string[] = [];
  const explaining = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (FORMAT JSON) ${text}`,
        values,
      );
      if (rows[0] !== undefined) collectScans(rows[0]['QUERY PLAN'][0].Plan, scans);
      return { rows: [] };
    },
  };
  const last = all.at(-1);
  if (last !== undefined) await lockMatches(queriedBy(explaining), last);
  return scans.join(', ');
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

function collectScans(node: PlanNode, scans: string[]): void {
  if (node['Node Type'].includes('Scan')) scans.push(`${node['Node Type']} ${node['Index Name'] ?? ''}`.trim());
  for (const child of node.Plans ?? []) collectScans(child, scans);
}

/** An object that queries accept as a transaction. Each statement runs in its own transaction. */
function queriedBy(client: unknown): EntityManager {
  return { queryRunner: { isReleased: false, connect: () => Promise.resolve(client) } } as unknown as EntityManager;
}

const HEADS = ['Givers', 'Median', 'p95', 'Most', 'Read by'];

function rowOf([givers, { median, p95, max, plan }]: [string, MatchFigures]): string[] {
  return [givers, ...[median, p95, max].map((milliseconds) => milliseconds.toFixed(2)), plan];
}

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

await runMain(async (onEnd) => {
  const databases = new BenchDatabases(serverFromEnvironment());
  onEnd(() => databases.dropAll());
  for (const people of PEOPLE) {
    const { pool } = await databases.create();
    await fill(pool, people);
    log(`\n${count(people)} people, milliseconds:`);
    const rows = Object.entries(await figuresOf(pool, people));
    log(table(HEADS, rows.map(rowOf)));
    await databases.dropAll();
  }
  return true;
});
