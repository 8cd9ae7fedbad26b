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

/** Statements that repair what a test has broken. */
const repairs: string[] = [];
afterEach(async () => {
  for (const statement of repairs.splice(0)) await service.database.query(statement);
  // A terminated session is noticed by the next statement on it.
  await until(async () => {
    const findings = await service.app
      .get(Doctor, { strict: false })
      .examine()
      .catch(() => undefined);
    return findings !== undefined;
  });
});

/** The findings that the service logs at its start and then every day. */
async function logged(): Promise<{ level: string; message: string }[]> {
  const before = keptLog().length;
  await service.app.get(FaultWatch, { strict: false }).start();
  return (
    keptLog()
      .slice(before)
      .map((line) => JSON.parse(line) as { level: string; message: string; context?: string })
      // The tests' server has one role, which is a superuser.
      .filter(({ context, message }) => context === 'Doctor' && !message.includes('(rights)'))
  );
}

const ofDatabase = (what: string): string =>
  `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${what}', current_database()); END $$`;

const END_SESSIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'offertory'`;

describe('the log at the start, and the doctor', () => {
  it('report nothing when all is well', async () => {
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
      'texts sorted by another version of the collation',
      'collation',
      'fault',
      `UPDATE pg_database SET datcollversion = '0.1' WHERE datname = current_database()`,
      `UPDATE pg_database SET datcollversion = pg_database_collation_actual_version(oid) WHERE datname = current_database()`,
    ],
    [
      'half of the ids used up',
      'ids',
      'warning',
      `SELECT setval('contact_id_seq', 1073741824)`,
      `SELECT setval('contact_id_seq', (SELECT max(id) FROM contact))`,
    ],
    [
      'ids that are nearly used up',
      'ids',
      'fault',
      `SELECT setval('contribution_change_no_seq', 2000000000)`,
      `SELECT setval('contribution_change_no_seq', (SELECT max(change_no) FROM contribution))`,
    ],
  ])('report %s', async (_what, check, result, damage, repair) => {
    repairs.push(repair);
    await service.database.query(damage);
    const level = result === 'fault' ? 'error' : 'warn';
    expect(await logged()).toMatchObject([{ level, message: expect.stringContaining(`(${check})`) }]);
    const findings = await service.app.get(Doctor, { strict: false }).examine();
    expect(findings.find((finding) => finding.check === check)).toMatchObject({ result, advice: expect.any(String) });
  });

  it('report a database that would lose gifts in a power cut', async () => {
    repairs.push(ofDatabase('RESET synchronous_commit'), END_SESSIONS);
    await service.database.query(ofDatabase('SET synchronous_commit = off'));
    // The setting applies to new sessions.
    await service.database.query(END_SESSIONS);
    await until(async () => (await logged()).some(({ message }) => message.includes('(durability)')));
    const findings = await service.app.get(Doctor, { strict: false }).examine();
    expect(findings.find(({ check }) => check === 'durability')).toMatchObject({ result: 'fault' });
  });
});

it('the doctor names the sequence that is nearest its end, with its position', async () => {
  repairs.push(`SELECT setval('review_id_seq', 1, false)`);
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

it('without a default fund, a gift without FundId gets a clear refusal and others are recorded', async () => {
  repairs.push('UPDATE fund SET is_default = true WHERE id = 1');
  await service.database.query('UPDATE fund SET is_default = false');
  const refused = await service.add().expect(422);
  expect(refused.body).toMatchObject({ code: 'fund_not_found', detail: expect.stringContaining('no default fund') });
  await service.add({ FundId: 1 }).expect(200);
});
