import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { type FoldedGiver, lockMatches } from '../../src/people/matching/match-person.js';
import { findSimilar, similarityQuery } from '../../src/people/matching/similar-persons.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** A node of the plan for a statement. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const PEOPLE = 50_000;
const SHARED = 2_000;

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  // The first 2,000 share an e-mail address and ten last names, the next 2,000 a phone number and one last name.
  await client.query(
    `INSERT INTO person (first_name, last_name, email, phone,
       first_name_folded, last_name_folded, email_folded, phone_folded)
     SELECT first, last, email, phone, first, last, email, phone
     FROM generate_series(1, $1::integer) AS g, LATERAL (SELECT
       CASE WHEN g % 3 = 0 THEN 'thomas' ELSE 'first' || (g % 5000) END AS first,
       CASE WHEN g <= $2 THEN 'group' || (g % 10) WHEN g <= 2 * $2 THEN 'office' ELSE 'last' || (g % 900) END AS last,
       CASE WHEN g <= $2 THEN 'office@example.org' ELSE 'giver' || g || '@example.org' END AS email,
       CASE WHEN g > $2 AND g <= 2 * $2 THEN '+16155550100' ELSE '+1' || (2000000000 + g) END AS phone
     ) p`,
    [PEOPLE, SHARED],
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** A statement of the service and its values. */
interface Sent {
  readonly text: string;
  readonly values: readonly (string | boolean | null | string[])[];
}

/** The statement that the service sends. */
async function statementOf(work: (tx: EntityManager) => Promise<unknown>): Promise<Sent> {
  const sent: Sent[] = [];
  const query = (statement: Sent): Promise<{ rows: object[] }> => {
    sent.push(statement);
    return Promise.resolve({ rows: [] });
  };
  const queryRunner = { isReleased: false, connect: () => Promise.resolve({ query }) };
  await work({ queryRunner } as unknown as EntityManager);
  const [statement, ...others] = sent;
  if (statement === undefined || others.length > 0) throw new Error(`${sent.length} statements, not one`);
  return statement;
}

const statementFor = (giver: FoldedGiver): Promise<Sent> => statementOf((tx) => lockMatches(tx, giver));

/** All scans of a plan, each with the index it reads. */
function scansOf(node: PlanNode): string[] {
  const own = node['Node Type'].includes('Scan') ? [`${node['Node Type']}: ${node['Index Name'] ?? 'no index'}`] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}

async function explain(text: string, values?: readonly unknown[]): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${text}`, [
    ...(values ?? []),
  ]);
  return rows.flatMap((row) => scansOf(row['QUERY PLAN'][0].Plan));
}

/** A bitmap index scan finds in the index what the bitmap heap scan above it then fetches from the table. */
function throughIndexes(scans: readonly string[]): string[] {
  return scans.filter((scan) => !/^(Bitmap Heap|Subquery|CTE|WorkTable|Function) Scan: no index$/.test(scan));
}

/**
 * Expects one look-up in the index of match_key, then in the persons that it finds: no table is scanned completely.
 * Other persons with the e-mail or the phone are read in the order of the index, at most five. Until statistics exist,
 * usually within a minute, the server may expect so few that it reads them all.
 */
function expectOneLookUp(scans: readonly string[], analyzed: boolean): void {
  const firstPersons = analyzed
    ? /^Index (Only )?Scan: contact_folded_person_idx$/
    : /^(Index (Only )?|Bitmap Index )Scan: contact_folded_person_idx$/;
  expect(throughIndexes(scans)).toEqual([
    expect.stringMatching(firstPersons),
    expect.stringMatching(firstPersons),
    expect.stringMatching(/^(Index Only Scan|Index Scan|Bitmap Index Scan): match_key_pkey$/),
    'Index Scan: person_pkey',
  ]);
}

const GIVERS: readonly [string, FoldedGiver][] = [
  ['a known giver', { first: 'first4003', last: 'last403', email: 'giver49003@example.org', phone: '+12000049003' }],
  [
    'a giver with short forms',
    { first: 'tom', last: 'last300', email: 'giver30000@example.org', phone: '+12000030000' },
  ],
  ['an unknown giver', { first: 'nobody', last: 'nobody', email: 'nobody@example.org', phone: '+16155559999' }],
  [
    'a giver whose e-mail address 2,000 share',
    { first: 'first11', last: 'group1', email: 'office@example.org', phone: null },
  ],
  ['a stranger with that address', { first: 'nobody', last: 'last11', email: 'office@example.org', phone: null }],
  ['a giver whose phone number 2,000 share', { first: 'thomas', last: 'office', email: null, phone: '+16155550100' }],
  [
    'a giver with both shared contacts',
    { first: 'tom', last: 'office', email: 'office@example.org', phone: '+16155550100' },
  ],
  ['a giver without e-mail and phone', { first: 'thomas', last: 'last300', email: null, phone: null }],
];

describe.each([
  ['just filled', false],
  ['with statistics', true],
])('among 50,000 persons, %s, the match query is one look-up', (_state, analyzed) => {
  beforeAll(async () => {
    if (analyzed) await client.query('ANALYZE');
  });

  it.each(GIVERS)('for %s', async (_who, giver) => {
    const { text, values } = await statementFor(giver);
    expectOneLookUp(await explain(text, values), analyzed);
  });

  it.each(GIVERS)('for %s with a generic plan', async (_who, giver) => {
    const { text, values } = await statementFor(giver);
    expectOneLookUp(await generically({ text, values }, (execute) => explain(execute)), analyzed);
  });
});

/** Prepares a generic plan and calls `work` with the statement that runs it with these values. */
async function generically<T>({ text, values }: Sent, work: (execute: string) => Promise<T>): Promise<T> {
  const literals = values.map((value) =>
    Array.isArray(value)
      ? `ARRAY[${value.map((one) => client.escapeLiteral(one)).join(', ')}]::text[]`
      : value === null
        ? 'NULL'
        : client.escapeLiteral(String(value)),
  );
  await client.query("SET plan_cache_mode = 'force_generic_plan'");
  await client.query(`PREPARE match AS ${text}`);
  try {
    return await work(`EXECUTE match (${literals.join(', ')})`);
  } finally {
    await client.query('DEALLOCATE match');
    await client.query('RESET plan_cache_mode');
  }
}

/** The statement that looks for persons similar to a giver whom nobody matches. */
const similarTo = ({
  first = 'nobody',
  last = 'nobody',
  email = 'nobody@example.org',
  phone = 'n/a',
}): Promise<Sent> => {
  const folded = { first, last, email, phone: phone.startsWith('+') ? phone : null };
  const giver = { first, last, email, phone, address: null, zip: null };
  return statementOf((tx) => findSimilar(tx, similarityQuery(giver, folded)));
};

/** The number of rows that a plan read in all its scans. PostgreSQL 18 also counts repeated scans. */
function rowsRead(node: PlanNode): number {
  const own = node['Node Type'].includes('Scan')
    ? ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0)
    : 0;
  return own + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
}

/** The indexes that finding similar persons may read. */
const INDEXES =
  /: (contact_folded_person_idx|contact_once_per_person|match_key_pkey|person_(pkey|merged_into_idx|unreadable_phone_idx|name_idx|nickname_idx|former_name_idx))$/;

/** The limit, however many share a contact or a name: at most 50 + 50 + 10 persons by contacts and 30 by names. */
const READ_AT_MOST = 1_500;

describe.each([
  ['just filled', false],
  ['with statistics', true],
])(
  'among 50,000 persons, %s, the search for similar persons uses indexes, and with statistics reads a limited number of rows',
  (_state, analyzed) => {
    beforeAll(async () => {
      if (analyzed) await client.query('ANALYZE');
      await client.query('SET enable_seqscan = off');
    });
    afterAll(() => client.query('RESET enable_seqscan'));

    it.each<[string, Parameters<typeof similarTo>[0]]>([
      ['a stranger', {}],
      ['a stranger with two contacts', { phone: '+16155559999' }],
      ['a giver whose e-mail address 2,000 have', { email: 'office@example.org', last: 'group3' }],
      ['a giver whose phone number 2,000 have', { phone: '+16155550100' }],
      ['a giver whose name 2,000 / 3 have', { first: 'thomas', last: 'office' }],
      ['all of these', { first: 'thomas', last: 'office', email: 'office@example.org', phone: 'none' }],
      ['a giver with a Mexican number', { phone: '+525512345678' }],
    ])('%s', async (_who, giver) => {
      const read = await generically(await similarTo(giver), async (execute) => {
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`,
        );
        return rows.map((row) => row['QUERY PLAN'][0].Plan);
      });
      for (const scan of throughIndexes(read.flatMap(scansOf))) expect(scan).toMatch(INDEXES);
      if (analyzed) expect(read.reduce((sum, plan) => sum + rowsRead(plan), 0)).toBeLessThan(READ_AT_MOST);
    });
  },
);

/** Changes of one person after which the database computes its keys again. */
const CHANGES: readonly [string, string][] = [
  [
    'is added',
    `INSERT INTO person (first_name, last_name, email, phone,
       first_name_folded, last_name_folded, email_folded, phone_folded)
     VALUES ('A', 'B', 'a@example.org', 'none', 'a', 'b', 'a@example.org', NULL)`,
  ],
  ['is given a nickname', "UPDATE person SET nickname = 'A', nickname_folded = 'a' WHERE id = 30000"],
  [
    'has another contact',
    `INSERT INTO contact (person_id, kind, value, folded, confirmed)
     VALUES (30000, 'email', 'a@example.org', 'a@example.org', true)`,
  ],
  ['loses a contact', "DELETE FROM contact WHERE person_id = 30000 AND kind = 'phone'"],
  ['is merged', 'UPDATE person SET merged_into = 30001 WHERE id = 30000'],
];

describe.each([
  ['without statistics', false],
  ['with statistics', true],
])('among 50,000 persons, %s, no table is scanned completely when a person', (_state, analyzed) => {
  beforeAll(async () => {
    if (analyzed) await client.query('ANALYZE');
    // As after an upgrade of PostgreSQL: only the sizes of the tables are known.
    else await client.query("DELETE FROM pg_statistic WHERE starelid::regclass::text ~ '^(person|contact|match_key)$'");
  });

  it.each(CHANGES)('%s', async (_what, statement) => {
    await client.query('BEGIN');
    try {
      const { rowCount } = await client.query(statement);
      expect(rowCount).toBe(1);
      const scans = await client.query(
        `SELECT relname FROM pg_stat_xact_user_tables
         WHERE seq_scan > 0 AND relname IN ('person', 'contact', 'match_key')`,
      );
      expect(scans.rows).toEqual([]);
    } finally {
      await client.query('ROLLBACK');
    }
  });
});

describe('the persons of these tests', () => {
  it('have a key for each of their contacts after one statement added them', async () => {
    const keys = await client.query(
      `SELECT count(*)::integer AS keys, count(DISTINCT person_id)::integer AS persons,
         count(*) FILTER (WHERE contact = 'office@example.org')::integer AS email,
         count(*) FILTER (WHERE contact = '+16155550100')::integer AS phone
       FROM match_key`,
    );
    expect(keys.rows).toEqual([{ keys: 2 * PEOPLE, persons: PEOPLE, email: SHARED, phone: SHARED }]);
  });
});
