import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, DatabaseError } from 'pg';
import pLimit from 'p-limit';
import { giftFiles } from '../support/gift-file.js';
import { runProgram } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift } from '../contract/gift-requests.js';
import { giver, phone } from '../contract/givers.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

const dryRun = async (fields: object): Promise<number> => {
  const call = service.http().post('/Api/AddContribution?dryRun=true');
  return (await call.auth(...service.login).send({ ...giver(), Amount: '10', ...fields })).status;
};

/** The last value of every sequence in the database. */
/** Without that of the audit trail, to which a dry run that names a person adds an entry. */
async function sequences(): Promise<Record<string, unknown>[]> {
  return await service.database.query(
    `SELECT schemaname, sequencename, last_value FROM pg_sequences
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND sequencename <> 'audit_entry_id_seq'
     ORDER BY 1, 2`,
  );
}

describe('sequences do not move', () => {
  it('in a thousand dry runs of all kinds of gifts, several at once', async () => {
    const known = giver();
    const first: Added = await addedGift(service, { ...known, Source: 'known', TransactionId: 'T-1' });
    const kinds: (() => object)[] = [
      () => ({}),
      () => known,
      () => ({ ...known, Phone: phone() }),
      () => ({ ...known, First: 'Somebody Else' }),
      () => ({ PeopleId: first.PeopleId }),
      () => ({ ...known, BundleTypeId: 20 }),
      () => ({ ...known, BundleTypeId: 30, ContributionTypeId: 8, Source: 'new', TransactionId: `N-${phone()}` }),
      () => ({ ...known, Source: 'known', TransactionId: 'T-1' }),
      () => ({ FundId: 2_147_483_647 }),
      () => ({ BundleTypeId: 3_000 }),
    ];
    const before = await sequences();
    expect(before.length).toBeGreaterThan(5);
    const atOnce = pLimit(8);
    const statuses = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => atOnce(() => dryRun((kinds[i % kinds.length] ?? Object)() as object))),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 422]));
    expect(statuses.filter((status) => status === 200)).toHaveLength(800);
    expect(await sequences()).toEqual(before);
    expect((await addedGift(service, giver())).ContributionId).toBe(first.ContributionId + 1);
  });

  it('in a dry run of an import', async () => {
    const files = giftFiles();
    const rows = Array.from({ length: 200 }, (_, i) => {
      const { First, Last, Email, Phone } = giver();
      return [First, Last, Email, Phone, '5', '2026-07-26', 'import', ...(i % 2 === 0 ? [`I-${i}`] : [''])].join(',');
    });
    const header = 'First,Last,Email,Phone,Amount,Date,Source,TransactionId';
    const path = files.write('gifts.csv', [header, ...rows].join('\n'));
    const before = await sequences();
    const { code, stderr, stdout } = await runProgram('cli', ['import', path, '--user', 'api', '--dry-run', '--json'], {
      DATABASE_URL: service.database.url,
    });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, wouldBeRecorded: 200 });
    expect(await sequences()).toEqual(before);
    files.remove();
  });
});

describe('a row written by a dry run', () => {
  it.each([
    [
      'person',
      "(id, first_name, last_name, email, phone) OVERRIDING SYSTEM VALUE VALUES (next_id('person_id_seq'), 'A', 'B', '', '')",
    ],
    [
      'bundle',
      "(id, bundle_type_id, user_id, day) OVERRIDING SYSTEM VALUE VALUES (next_id('bundle_id_seq'), 1, 1, '1999-01-01')",
    ],
  ])('cannot be committed: %s', async (table, values) => {
    const before = await sequences();
    const client = new Client({ connectionString: service.database.url });
    await client.connect();
    try {
      await client.query("BEGIN; SELECT set_config('offertory.dry_run', '0', true)");
      const { rows } = await client.query<{ id: number }>(`INSERT INTO ${table} ${values} RETURNING id`);
      expect(rows[0]?.id).toBeLessThan(0);
      const committed = client.query('COMMIT');
      await expect(committed).rejects.toBeInstanceOf(DatabaseError);
      await expect(committed).rejects.toThrow(/a dry run never commits/);
    } finally {
      await client.end();
    }
    expect(await service.database.query(`SELECT FROM ${table} WHERE id < 0`)).toEqual([]);
    expect(await sequences()).toEqual(before);
  });
});

describe('an exhausted sequence', () => {
  const NEW_PERSON = (): object => giver();
  let known: object = {};
  beforeAll(async () => {
    known = giver();
    await addedGift(service, known);
  });

  /** The number of rows in each table that a gift can add to. */
  const counts = (): Promise<unknown[]> =>
    service.database.query(
      `SELECT (SELECT count(*) FROM contribution) AS gifts, (SELECT count(*) FROM person) AS persons,
         (SELECT count(*) FROM contact) AS contacts, (SELECT count(*) FROM bundle) AS bundles,
         (SELECT count(*) FROM review) AS reviews, (SELECT count(*) FROM idempotency_key) AS keys`,
    );

  it.each<[string, () => object]>([
    ['contribution_id_seq', NEW_PERSON],
    ['contribution_change_no_seq', NEW_PERSON],
    ['person_id_seq', NEW_PERSON],
    ['contact_id_seq', NEW_PERSON],
    ['bundle_id_seq', () => ({ ...known, BundleTypeId: 32 })],
    ['review_id_seq', () => ({ ...known, Source: 'elsewhere', Amount: '10' })],
  ])('makes gifts and dry runs fail with 503 and store nothing: %s', async (sequence, fields) => {
    const [at] = await service.database.query<{ last: string }>(`SELECT last_value AS last FROM ${sequence}`);
    await service.database.query(`SELECT setval('${sequence}', 2147483647)`);
    const before = await counts();
    try {
      expect(await dryRun(fields())).toBe(503);
      const answer = await service.add(fields()).set('Idempotency-Key', `used-up-${sequence}`);
      expect([answer.status, answer.body]).toMatchObject([503, { code: 'database_unavailable' }]);
      expect(answer.headers['retry-after']).toBeDefined();
      expect(await counts()).toEqual(before);
    } finally {
      await service.database.query(`SELECT setval('${sequence}', $1)`, [at?.last]);
    }
    await service.add(fields()).set('Idempotency-Key', `used-up-${sequence}`).expect(200);
  });
});
