import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { assertLedgerInvariants, type Ledger, readClosedBundles } from '../support/ledger-invariants.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { until } from '../support/until.js';
import { assertSameRows, readAllRows } from './all-rows.js';
import { documentedCommands, runDocumented, type Stage } from './documented-commands.js';
import { inEmbeddedBooks } from './embedded-books.js';
import { fillBooks } from './filled-books.js';
import { Machine } from './machine.js';
import { findPostgresPrograms } from './postgres-programs.js';

const PASSWORD = 'nothing is ever lost';
const KEY = 'a key of before the backup';
const programs = findPostgresPrograms() ?? '';

/** Adds and reverses gifts, old ones and new ones, as if nothing had happened. */
async function goOn(service: ServiceProcess, old: { id: number; fields: object }): Promise<void> {
  const client = new Client(service.url, 'api', PASSWORD);
  const repeated = await client.add(old.fields, KEY);
  expect(repeated).toMatchObject({ status: 200, body: { ContributionId: old.id } });
  const added = await client.add(gift('afterwards'));
  expect(added).toMatchObject({ status: 200 });
  expect(Number(added.body['ContributionId'])).toBeGreaterThan(old.id);
  expect(await client.reverse(old.id)).toMatchObject({ status: 200 });
}

/** One that can be asked for again, and taken back. */
async function addOldGift(service: ServiceProcess): Promise<{ id: number; fields: object }> {
  const fields = gift('old', { Amount: '12.34' });
  const { status, body } = await new Client(service.url, 'api', PASSWORD).add(fields, KEY);
  expect(status).toBe(200);
  return { id: Number(body['ContributionId']), fields };
}

const needsPrograms = programs === '' ? describe.skip : describe;
needsPrograms('backup and restore as docs/operating.md has them (skipped only where there is no pg_dump)', () => {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-dump-'));
  const [restore = [], dropOld = []] = documentedCommands('Restore');
  let machine: Machine;
  let old: { id: number; fields: object };
  let before: Map<string, string[]>;
  beforeAll(async () => {
    machine = await Machine.start(programs);
    await createApiUser(machine.variables, PASSWORD);
    await machine.startService();
    old = await addOldGift(machine.service);
    await fillBooks(machine);
    before = await readAllRows(machine);
    await runDocumented(documentedCommands('Backup')[0] ?? [], machine.stage(directory));
  });
  afterAll(async () => {
    await machine.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** All is as it was at the backup, what the database refuses too, and the service goes on. */
  async function expectRestored(where: Machine): Promise<void> {
    const closed = await readClosedBundles(where);
    expect(closed.length).toBeGreaterThan(100);
    await goOn(where.service, old);
    await assertLedgerInvariants(where, closed);
    for (const refused of [
      `UPDATE contribution SET amount = amount + 1 WHERE bundle_id = ${closed[0]?.id ?? 0}`,
      `UPDATE bundle SET status = 1 WHERE id = ${closed[0]?.id ?? 0}`,
      'TRUNCATE bundle CASCADE',
    ]) {
      await expect(where.query(refused)).rejects.toThrow(/is closed/);
    }
  }

  it('bring a used installation to a new machine', async () => {
    const other = await Machine.start(programs);
    try {
      await runDocumented(restore.slice(0, -1), other.stage(directory));
      assertSameRows(before, await readAllRows(other));
      await runDocumented(restore.slice(-1), other.stage(directory));
      await expectRestored(other);
    } finally {
      await other.stop();
    }
  });

  it('bring an installation back to where it was, and keep what was there until it is let go', async () => {
    await goOn(machine.service, old);
    // Its mail is on the way, and would change rows while they are looked at.
    const onTheWay = `SELECT FROM notice n LEFT JOIN delivery d ON d.notice_id = n.id
      WHERE COALESCE(d.status, 'pending') = 'pending' LIMIT 1`;
    await until(async () => (await machine.query(onTheWay)).length === 0, 30_000);
    // A version that came after the backup may have left tables that refer to the old ones.
    await machine.query('CREATE TABLE later (person_id integer REFERENCES person (id))');
    const latest = await readAllRows(machine);
    await runDocumented(restore.slice(0, -1), machine.stage(directory));
    assertSameRows(before, await readAllRows(machine));
    const kept: Ledger = { query: (text, values) => machine.query(text, values, 'offertory_before') };
    assertSameRows(latest, await readAllRows(kept));
    await runDocumented(restore.slice(-1), machine.stage(directory));
    await expectRestored(machine);

    await runDocumented(dropOld, machine.stage(directory));
    expect(await machine.query("SELECT FROM pg_database WHERE datname = 'offertory_before'")).toEqual([]);
  });

  it('leave all as it is when a dump breaks off, and can be done again', async () => {
    const latest = await readAllRows(machine);
    const broken = restore.map((command) => command.replace(/< (\S+)$/, '< short.dump'));
    await runDocumented(['head -c 100000 offertory.dump > short.dump'], machine.stage(directory));
    await expect(runDocumented(broken, machine.stage(directory))).rejects.toThrow(/pg_restore/);
    assertSameRows(latest, await readAllRows(machine));

    await runDocumented(restore, machine.stage(directory));
    await expectRestored(machine);
  });
});

describe('a copy of the stopped data directory, as docs/operating.md has it', () => {
  it('brings the embedded database back to where it was', async () => {
    const [[backup = '', restore = ''] = []] = documentedCommands('The embedded database');
    const dataDir = join(mkdtempSync(join(tmpdir(), 'offertory-copy-')), 'data');
    chmodSync(dirname(dataDir), 0o755);
    const stage: Stage = { directory: dirname(dataDir), environment: { PATH: process.env['PATH'] ?? '' } };
    const start = (): Promise<ServiceProcess> => startServiceProcess({ DATA_DIR: dataDir });
    await createApiUser({ DATA_DIR: dataDir }, PASSWORD);
    const service = await start();
    const old = await addOldGift(service);
    expect(await service.end('SIGTERM')).toBe(0);
    const before = await inEmbeddedBooks(dataDir, readAllRows);

    await runDocumented([backup], stage);
    const later = await start();
    await goOn(later, old);
    expect(await later.end('SIGTERM')).toBe(0);
    await runDocumented([restore], stage);

    assertSameRows(before, await inEmbeddedBooks(dataDir, readAllRows));
    const restored = await start();
    await goOn(restored, old);
    expect(await restored.end('SIGTERM')).toBe(0);
    await inEmbeddedBooks(dataDir, (books) => assertLedgerInvariants(books));
    rmSync(dirname(dataDir), { recursive: true, force: true });
  });
});
