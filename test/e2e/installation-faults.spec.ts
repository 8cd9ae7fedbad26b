import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Doctor } from '../../src/doctor/doctor.service.js';
import { FaultWatch } from '../../src/doctor/index.js';
import { Metrics } from '../../src/metrics/index.js';
import { keptLog } from '../support/kept-logs.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
  await service.add().expect(200);
});
afterAll(() => service.stop());

/** Puts right what a test has broken. */
const mending: string[] = [];
afterEach(async () => {
  for (const statement of mending.splice(0)) await service.database.query(statement);
  // A session that was ended is noticed by the next statement on it.
  await until(async () => {
    const findings = await service.app
      .get(Doctor, { strict: false })
      .examine()
      .catch(() => undefined);
    return findings !== undefined;
  });
});

/** What the start of the service logs, and then every day. */
async function logged(): Promise<{ level: string; message: string }[]> {
  const before = keptLog().length;
  await service.app.get(FaultWatch, { strict: false }).start();
  return keptLog()
    .slice(before)
    .map((line) => JSON.parse(line) as { level: string; message: string; context?: string })
    .filter(({ context }) => context === 'Doctor');
}

const ofDatabase = (what: string): string =>
  `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${what}', current_database()); END $$`;

const END_SESSIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'offertory'`;

describe('the log at the start, and the doctor', () => {
  it('tell of nothing where all is well', async () => {
    expect(await logged()).toEqual([]);
  });

  it.each<[string, string, 'fault' | 'warning', string, string]>([
    [
      'no default fund',
      'default fund',
      'fault',
      'UPDATE fund SET is_default = false',
      'UPDATE fund SET is_default = true WHERE id = 1',
    ],
    [
      'a closed default fund',
      'default fund',
      'warning',
      'UPDATE fund SET is_open = false',
      'UPDATE fund SET is_open = true',
    ],
    [
      'a clock that was set back',
      'clock',
      'fault',
      `UPDATE contribution SET created_at = created_at + interval '1 hour'`,
      `UPDATE contribution SET created_at = created_at - interval '1 hour'`,
    ],
    [
      'texts that were sorted by another version of the collation',
      'collation',
      'fault',
      `UPDATE pg_database SET datcollversion = '0.1' WHERE datname = current_database()`,
      `UPDATE pg_database SET datcollversion = pg_database_collation_actual_version(oid) WHERE datname = current_database()`,
    ],
    [
      'ids of which half is used up',
      'ids',
      'warning',
      `SELECT setval('contact_id_seq', 1073741824)`,
      `SELECT setval('contact_id_seq', (SELECT max(id) FROM contact))`,
    ],
    [
      'ids that run out',
      'ids',
      'fault',
      `SELECT setval('contribution_change_no_seq', 2000000000)`,
      `SELECT setval('contribution_change_no_seq', (SELECT max(change_no) FROM contribution))`,
    ],
  ])('tell of %s', async (_what, check, result, damage, repair) => {
    mending.push(repair);
    await service.database.query(damage);
    const level = result === 'fault' ? 'error' : 'warn';
    expect(await logged()).toMatchObject([{ level, message: expect.stringContaining(`(${check})`) }]);
    const findings = await service.app.get(Doctor, { strict: false }).examine();
    expect(findings.find((finding) => finding.check === check)).toMatchObject({ result, advice: expect.any(String) });
  });

  it('tell of a database that would lose gifts in a power cut', async () => {
    mending.push(ofDatabase('RESET synchronous_commit'), END_SESSIONS);
    await service.database.query(ofDatabase('SET synchronous_commit = off'));
    // It counts for new sessions.
    await service.database.query(END_SESSIONS);
    await until(async () => (await logged()).some(({ message }) => message.includes('(durability)')));
    const findings = await service.app.get(Doctor, { strict: false }).examine();
    expect(findings.find(({ check }) => check === 'durability')).toMatchObject({ result: 'fault' });
  });
});

it('the sequence that is nearest its end is named, with how far it is', async () => {
  mending.push(`SELECT setval('review_id_seq', 1, false)`);
  await service.database.query(`SELECT setval('review_id_seq', 2040109465)`);
  const findings = await service.app.get(Doctor, { strict: false }).examine();
  expect(findings.find(({ check }) => check === 'ids')).toMatchObject({
    result: 'fault',
    found: 'review_id_seq is at 2040109465 of 2147483647',
    advice: expect.stringContaining('"When ids run out"'),
  });
  const figures = await service.app.get(Metrics, { strict: false }).expose();
  const [, ratio] = /^offertory_ids_used_ratio\{sequence="review_id_seq"\} (\S+)$/m.exec(figures) ?? [];
  expect(Number(ratio)).toBeCloseTo(0.95, 3);
});

it('a gift that names no fund is refused clearly where there is no default fund; others are recorded', async () => {
  mending.push('UPDATE fund SET is_default = true WHERE id = 1');
  await service.database.query('UPDATE fund SET is_default = false');
  const refused = await service.add().expect(422);
  expect(refused.body).toMatchObject({ code: 'fund_not_found', detail: expect.stringContaining('no default fund') });
  await service.add({ FundId: 1 }).expect(200);
});
