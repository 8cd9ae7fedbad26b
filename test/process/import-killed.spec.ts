import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ImportDetails } from '../../src/contributions/imports/uploads/showing/import-view.js';
import { letJobsExpire } from '../support/notices.js';
import { startServiceProcess } from '../support/service-process.js';
import { startTestApp, type Login, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const ROWS = 600;

const SLOW_DOWN = `
  CREATE FUNCTION slow_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$`;
const SLOWLY = 'CREATE TRIGGER slowly AFTER INSERT ON contribution FOR EACH STATEMENT EXECUTE FUNCTION slow_down()';

let service: TestApp;
let finance: Login;

// It takes calls, but runs no jobs: those are for the processes.
beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
  await service.createUser('imports', 'correct horse battery', []);
});
afterAll(() => service.stop());

const file = [
  'First,Last,Email,Phone,Amount,Date',
  ...Array.from({ length: ROWS }, (_row, i) => `Ann,Lee${i},lee${i}@example.org,9015550${100 + i},1.25,2026-06-01`),
].join('\n');

async function show(importId: number): Promise<ImportDetails> {
  return (await service.get(`Imports/${importId}`, finance).expect(200)).body as ImportDetails;
}

async function recorded(): Promise<number> {
  const [row] = await service.database.query<{ count: number }>('SELECT count(*)::integer AS count FROM contribution');
  return row?.count ?? 0;
}

it('an import whose process is killed is continued by another one, and records each row once', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'offertory-killed-'));
  const variables = { DATABASE_URL: service.database.url, TMPDIR: temporary };
  const first = await startServiceProcess(variables);
  const uploaded = await service
    .http()
    .post('/Api/Imports?user=imports&source=paper')
    .auth(...finance)
    .type('text/csv')
    .send(file)
    .expect(200);
  const { importId } = uploaded.body as ImportDetails;
  const post = (action: string, content: object): Promise<unknown> =>
    service
      .http()
      .post(`/Api/Imports/${importId}/${action}`)
      .auth(...finance)
      .send(content)
      .expect(200);
  await post('check', {});
  await until(async () => (await show(importId)).state === 'checked', 120_000);
  // Otherwise a busy machine could record all rows before the process is killed.
  await service.database.query(SLOW_DOWN);
  await service.database.query(SLOWLY);
  await post('book', { Revision: 1 });
  await until(async () => (await recorded()) >= 50, 120_000);
  await first.end('SIGKILL');
  await service.database.query('DROP TRIGGER slowly ON contribution');
  // The file that it read.
  const left = readdirSync(temporary).filter((name) => name.startsWith('offertory-files-'));
  expect(left).toHaveLength(1);
  const before = await recorded();
  expect(before).toBeLessThan(ROWS);
  expect((await show(importId)).state).toBe('booking');

  const second = await startServiceProcess(variables);
  expect(readdirSync(temporary)).not.toContain(left[0]);
  await letJobsExpire(service.database);
  await until(async () => (await show(importId)).state === 'booked', 120_000);
  const { outcome } = await show(importId);
  expect(outcome?.recorded).toBe(ROWS - (outcome?.alreadyRecorded ?? 0));
  expect(outcome).toMatchObject({ refused: 0 });
  expect(outcome?.alreadyRecorded).toBeGreaterThanOrEqual(50);
  expect(await recorded()).toBe(ROWS);
  const result = await service.get(`Imports/${importId}/result`, finance).expect(200);
  expect(result.text.trim().split('\r\n')).toHaveLength(ROWS + 1);
  const entries = await service.database.query<{ action: string; actor: string; via: string }>(
    `SELECT action, actor, via FROM audit_entry WHERE action IN ('import.begin', 'import.end') ORDER BY id`,
  );
  // The run that was killed leaves its begin.
  expect(entries).toEqual(
    ['import.begin', 'import.begin', 'import.end'].map((action) => ({ action, actor: 'treasurer', via: 'api' })),
  );
  expect(await second.end('SIGTERM')).toBe(0);
  rmSync(temporary, { recursive: true });
}, 300_000);
