import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ENTRIES_PER_SEAL, SealAuditTrail } from '../../src/audit/seals/seal-audit-trail.service.js';
import { type Verification, VerifyAuditTrail } from '../../src/audit/seals/verify-audit-trail.service.js';
import { DoctorChecks } from '../../src/health/index.js';
import { MetricsServer } from '../../src/metrics/index.js';
import { keptLog } from '../support/kept-logs.js';
import { scrape } from '../support/scrape.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let service: TestApp;

const seals = (of = service): SealAuditTrail => of.app.get(SealAuditTrail, { strict: false });
const verify = (known?: string): Promise<Verification> =>
  service.app.get(VerifyAuditTrail, { strict: false }).verify(known, () => undefined);

/** Adds entries in one statement. @returns the id of the last one. */
async function addEntries(count: number): Promise<number> {
  const rows = await service.database.query<{ id: number }>(
    `INSERT INTO audit_entry (actor, action, subject, details)
     SELECT 'treasurer', 'review.accept', 'review ' || n, jsonb_build_object('contributionId', n)
     FROM generate_series(1, $1::integer) n RETURNING id`,
    [count],
  );
  return Math.max(...rows.map(({ id }) => id));
}

/** What somebody can do who owns the tables: switches the triggers off, and on again. */
async function tamper(statement: string): Promise<void> {
  await service.database.query(`
    ALTER TABLE audit_entry DISABLE TRIGGER USER;
    ALTER TABLE audit_seal DISABLE TRIGGER USER;
    ${statement};
    ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_append_only;
    ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_announced;
    ALTER TABLE audit_seal ENABLE ALWAYS TRIGGER audit_seal_append_only`);
}

describe('the seals of the audit trail', () => {
  beforeAll(async () => {
    service = await startTestApp();
  });
  beforeEach(() => tamper('TRUNCATE audit_entry, audit_seal'));
  afterAll(() => service.stop());

  it('cover every entry once, in batches, and say how many entries are not sealed yet', async () => {
    expect(await verify()).toEqual({
      sealedEntries: 0,
      unsealedEntries: 0,
      seals: 0,
      entriesAfterNote: null,
      latestSeal: null,
      fault: null,
    });
    const last = await addEntries(2 * ENTRIES_PER_SEAL + 1);
    expect(await seals().sealAll()).toBe(2 * ENTRIES_PER_SEAL + 1);
    expect(await seals().sealAll()).toBe(0);
    await addEntries(3);
    expect(await verify()).toEqual({
      sealedEntries: 2 * ENTRIES_PER_SEAL + 1,
      unsealedEntries: 3,
      seals: 3,
      entriesAfterNote: null,
      latestSeal: {
        number: 3,
        sealedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        lastEntry: last,
        hash: expect.stringMatching(/^[\da-f]{64}$/),
      },
      fault: null,
    });
  });

  it.each([
    ['actor', `UPDATE audit_entry SET actor = 'nobody' WHERE id = $id`],
    ['time', `UPDATE audit_entry SET at = at + interval '1 microsecond' WHERE id = $id`],
    ['action', `UPDATE audit_entry SET action = 'review.close' WHERE id = $id`],
    ['subject', `UPDATE audit_entry SET subject = subject || '0' WHERE id = $id`],
    ['details', `UPDATE audit_entry SET details = '{}' WHERE id = $id`],
    ['origin', `UPDATE audit_entry SET via = 'page' WHERE id = $id`],
  ])('show by its number the entry whose %s was changed, before a later one', async (_what, statement) => {
    const last = await addEntries(20);
    await seals().sealAll();
    await addEntries(1);
    await seals().sealAll();
    await tamper(`DELETE FROM audit_entry WHERE id = ${last - 2}; ${statement.replace('$id', String(last - 5))}`);
    expect((await verify()).fault).toMatch(
      new RegExp(`^Entry ${last - 5} of the audit trail was changed after seal 1 was made on `),
    );
  });

  it('show by its number an entry that was deleted, one that was inserted between others, and one before all', async () => {
    const before = await addEntries(5);
    // An id that no entry has: its transaction was rolled back.
    await expect(
      service.database.query(`INSERT INTO audit_entry (actor, action, subject) VALUES ('', 'a.b', 'c')`),
    ).rejects.toThrow('audit_entry_actor_somebody');
    await addEntries(5);
    await seals().sealAll();
    const insert = (id: number): string => `
      INSERT INTO audit_entry (id, actor, action, subject) OVERRIDING SYSTEM VALUE VALUES (${id}, 'a', 'a.b', 'c')`;
    await tamper(`DELETE FROM audit_entry WHERE id = ${before + 3}`);
    expect((await verify()).fault).toMatch(`Entry ${before + 3} of the audit trail is missing: it was deleted after`);
    await tamper(insert(before + 1));
    expect((await verify()).fault).toMatch(`Entry ${before + 1} of the audit trail was inserted after seal 1`);
    await tamper(insert(-7));
    expect((await verify()).fault).toMatch('Entry -7 of the audit trail was inserted after seal 1');
  });

  it('show that a seal was changed along with its entry, made anew, or deleted', async () => {
    await addEntries(1);
    await seals().sealAll();
    await addEntries(1);
    await seals().sealAll();
    await addEntries(1);
    await seals().sealAll();
    const other = `decode(repeat('ab', 32), 'hex')`;
    const whileTampered = async (statement: string): Promise<string | null> => {
      await service.database.query(`CREATE TABLE kept_seals AS TABLE audit_seal`);
      await tamper(statement);
      const { fault } = await verify();
      await tamper(`DELETE FROM audit_seal; INSERT INTO audit_seal TABLE kept_seals; DROP TABLE kept_seals`);
      return fault;
    };
    const one = `WHERE number = 1`;
    for (const [statement, fault] of [
      [
        `UPDATE audit_seal SET entry_hashes = overlay(entry_hashes PLACING ${other} FROM 1) ${one}`,
        'Seal 1 of the audit trail was changed.',
      ],
      [
        `UPDATE audit_seal SET sealed_at = sealed_at - interval '1 day' ${one}`,
        'Seal 1 of the audit trail was changed.',
      ],
      [`UPDATE audit_seal SET last_id = last_id + 1 ${one}`, 'Seal 1 of the audit trail was changed.'],
      [`UPDATE audit_seal SET hash = ${other} WHERE number = 2`, 'Seal 2 of the audit trail was changed.'],
      [
        `UPDATE audit_seal SET previous_hash = ${other} WHERE number = 2`,
        'Seal 2 of the audit trail does not follow the seal before it: one of the two was changed.',
      ],
      ['DELETE FROM audit_seal WHERE number = 2', 'Seal 2 of the audit trail is missing.'],
    ]) {
      expect([statement, await whileTampered(statement ?? '')]).toEqual([statement, fault]);
    }
    expect((await verify()).fault).toBeNull();
  });

  it('that were all made anew after a change fit, but not with the hash that was noted before', async () => {
    const id = await addEntries(10);
    await seals().sealAll();
    const noted = (await seals().latest())?.hash;
    await addEntries(1);
    await seals().sealAll();
    await addEntries(1);
    expect(await verify(noted)).toMatchObject({ fault: null, seals: 2, entriesAfterNote: 2 });
    await tamper(`UPDATE audit_entry SET actor = 'nobody' WHERE id = ${id}; DELETE FROM audit_seal`);
    await seals().sealAll();
    expect(await verify()).toMatchObject({ fault: null, seals: 1 });
    expect((await verify(noted)).fault).toMatch(
      /^No seal has the hash that was given\. Either .* These books have not been restored/,
    );
  });

  it('that were deleted from the end leave entries unsealed, and miss the hash that was noted', async () => {
    await addEntries(10);
    await seals().sealAll();
    await addEntries(5);
    await seals().sealAll();
    const noted = (await seals().latest())?.hash;
    await tamper('DELETE FROM audit_seal WHERE number = 2');
    expect(await verify()).toMatchObject({ fault: null, seals: 1, unsealedEntries: 5 });
    expect((await verify(noted)).fault).toMatch('No seal has the hash');
  });

  it('form one chain when several replicas seal at the same time', async () => {
    await addEntries(5 * ENTRIES_PER_SEAL);
    const other = await startTestApp({}, { database: service.database });
    try {
      const sealed = await Promise.all([service, other, service, other].map((one) => seals(one).sealAll()));
      expect(sealed.reduce((sum, entries) => sum + entries)).toBe(5 * ENTRIES_PER_SEAL);
    } finally {
      await other.stop();
    }
    expect(await verify()).toMatchObject({ fault: null, seals: 5, sealedEntries: 5 * ENTRIES_PER_SEAL });
  });

  it.each<[string, Record<string, string>]>([
    ['covers ids that do not exist yet', { lastId: '2147483647' }],
    ['leaves an entry out', { entryIds: '$first, $first + 2' }],
    [
      'names an entry of which there is none',
      { entryIds: '$first, $first + 1, $first + 2, $first + 3', lastId: '$first + 3' },
    ],
    ['begins too late', { firstId: '$first + 1', entryIds: '$first + 1, $first + 2' }],
    ['skips a number', { number: '2' }],
    ['follows another seal', { previous: `sha256('')` }],
    ['was made at another time', { at: `now() - interval '1 day'` }],
    ['has no number', { number: 'NULL' }],
  ])('cannot be followed by one that %s', async (_what, changed) => {
    const first = (await addEntries(3)) - 2;
    const seal = {
      ...{ number: '1', at: 'clock_timestamp()', firstId: '$first', lastId: '$first + 2' },
      ...{ entryIds: '$first, $first + 1, $first + 2', previous: `decode(repeat('00', 32), 'hex')` },
    };
    const add = ({ number, at, firstId, lastId, entryIds, previous }: typeof seal): Promise<unknown> => {
      const hashes = `(SELECT string_agg(sha256('x'), '') FROM unnest(ARRAY[${entryIds}]))`;
      const values = `${number}, ${at}, ${firstId}, ${lastId}, ARRAY[${entryIds}], ${hashes}, ${previous}, sha256('new')`;
      return service.database.query(`SELECT add_audit_seal(${values})`.replaceAll('$first', String(first)));
    };
    await expect(add({ ...seal, ...changed })).rejects.toMatchObject({ code: '22023' });
    await add(seal);
  });

  it.each(['yes', '0', '2147483647', '9999999999', '$current'])(
    'leave out entries that may still be committed, although a session sets offertory.audit_announced to %s',
    async (value) => {
      await addEntries(1);
      await seals().sealAll();
      const open = new Client({ connectionString: service.database.url });
      await open.connect();
      try {
        await open.query('BEGIN');
        const set = value.startsWith('$') ? 'pg_current_xact_id()::text' : `'${value}'`;
        await open.query(`SELECT set_config('offertory.audit_announced', ${set}, false)`);
        const add = `INSERT INTO audit_entry (actor, action, subject) VALUES ('slow', 'a.b', 'c')`;
        await open.query(add);
        await addEntries(1);
        await open.query(`SELECT set_config('offertory.audit_announced', ${set}, true)`);
        await open.query(add);
        await addEntries(1);
        expect(await seals().sealAll()).toBe(0);
        await open.query('COMMIT');
      } finally {
        await open.end();
      }
      expect(await seals().sealAll()).toBe(4);
    },
  );

  it('leave out entries after one that an open transaction may still commit', async () => {
    await addEntries(1);
    await seals().sealAll();
    const open = new Client({ connectionString: service.database.url });
    await open.connect();
    const add = `INSERT INTO audit_entry (actor, action, subject) VALUES ('slow', 'a.b', 'c') RETURNING id`;
    for (const end of ['COMMIT', 'ROLLBACK']) {
      await open.query('BEGIN');
      const { rows } = await open.query<{ id: number }>(add);
      const later = await addEntries(3);
      expect(later).toBeGreaterThan(rows[0]?.id ?? Infinity);
      expect([end, await seals().sealAll()]).toEqual([end, 0]);
      await open.query(end);
      expect([end, await seals().sealAll()]).toEqual([end, end === 'COMMIT' ? 4 : 3]);
      expect(await seals().latest()).toMatchObject({ lastEntry: later });
    }
    await open.end();
    expect(await verify()).toMatchObject({ fault: null, unsealedEntries: 0, sealedEntries: 8 });
  });

  it('still fit after a new epoch has moved the ids, also while its transaction is open', async () => {
    await addEntries(3);
    const open = new Client({ connectionString: service.database.url });
    await open.connect();
    await open.query('BEGIN');
    await open.query(`SELECT begin_books_epoch('A backup was restored', NULL, 'service')`);
    const meanwhile = await addEntries(1);
    await seals().sealAll();
    expect((await seals().latest())?.lastEntry).toBeLessThan(meanwhile);
    await open.query('COMMIT');
    await open.end();
    await addEntries(2);
    await seals().sealAll();
    expect(await verify()).toMatchObject({ fault: null, unsealedEntries: 0, sealedEntries: 7 });
    expect((await verify('ab'.repeat(32))).fault).toMatch(/The last epoch of these books began on 20\S+ \(entry \d+\)/);
  });

  it.each([
    ['UPDATE', 'UPDATE audit_seal SET number = 7'],
    ['DELETE', 'DELETE FROM audit_seal'],
    ['TRUNCATE', 'TRUNCATE audit_seal'],
  ])('are never changed: %s is refused, to a would-be replica as well', async (_what, statement) => {
    await addEntries(1);
    await seals().sealAll();
    await expect(service.database.query(statement)).rejects.toMatchObject({ code: '42501' });
    const asReplica = `SET LOCAL session_replication_role = replica; ${statement}`;
    await expect(service.database.query(asReplica)).rejects.toMatchObject({ code: '42501' });
  });

  it('have one successor each at most', async () => {
    await addEntries(1);
    await seals().sealAll();
    const again = `INSERT INTO audit_seal SELECT 2, sealed_at, first_id, last_id, entry_ids, entry_hashes, previous_hash,
      decode(repeat('ab', 32), 'hex') FROM audit_seal`;
    await expect(service.database.query(again)).rejects.toMatchObject({ constraint: 'audit_seal_one_successor' });
  });
});

describe('the service', () => {
  let url: string;
  beforeAll(async () => {
    service = await startTestApp({}, { workers: true });
    url = (await service.app.get(MetricsServer).start({ port: 0, host: '127.0.0.1', names: [] })) ?? '';
  });
  afterAll(() => service.stop());

  it('seals by itself, and notes the latest seal in the metrics and once an hour in the log', async () => {
    await until(async () => (await seals().latest()) !== undefined);
    await seals().sealAll();
    const { number, hash, lastEntry } = (await seals().latest()) ?? {};
    const figures = await scrape(url);
    expect(Object.keys(figures).filter((name) => name.startsWith('offertory_audit_seal_info'))).toEqual([
      `offertory_audit_seal_info{number="${number}",hash="${hash}"}`,
    ]);
    expect(figures['offertory_audit_unsealed_entries']).toBe(0);
    await addEntries(2);
    expect((await scrape(url))['offertory_audit_unsealed_entries']).toBe(2);

    const period = `SELECT every_seconds FROM job WHERE queue = 'log-audit-seal' AND leased_until IS NULL`;
    await until(async () => (await service.database.query(period)).length === 1);
    expect(await service.database.query(period)).toEqual([{ every_seconds: 3_600 }]);
    await service.database.query(`UPDATE job SET due_at = now() WHERE queue = 'log-audit-seal'`);
    const line = `Seal ${number} of the audit trail, up to entry ${lastEntry}, has the hash ${hash}`;
    await until(() => keptLog().some((entry) => entry.includes(line)));
  });

  it('reports entries that wait for their seal for too long, in the log, the metrics and to the doctor', async () => {
    const finding = async (): Promise<string | undefined> =>
      (await service.app.get(DoctorChecks, { strict: false }).findings()).find(({ check }) => check === 'audit trail')
        ?.result;
    expect(await finding()).toBe('ok');
    const open = new Client({ connectionString: service.database.url });
    open.on('error', () => undefined);
    await open.connect();
    try {
      await open.query(`BEGIN; INSERT INTO audit_entry (actor, action, subject) VALUES ('slow', 'a.b', 'c')`);
      await service.database.query(
        `INSERT INTO audit_entry (at, actor, action, subject) VALUES (now() - interval '6 min', 'a', 'a.b', 'c')`,
      );
      await service.database.query(`UPDATE job SET due_at = now() WHERE queue = 'seal-audit-trail'`);
      await until(() =>
        keptLog().some((line) => /entries of the audit trail are not sealed, the oldest for 3\d\d s/.test(line)),
      );
      expect((await scrape(url))['offertory_audit_unsealed_seconds']).toBeGreaterThanOrEqual(360);
      expect(await finding()).toBe('warning');
    } finally {
      await open.end();
    }
  });
});
