import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Session } from 'pg';
import { assertLedgerInvariants, type Ledger, readClosedBundles } from '../support/ledger-invariants.js';
import { createApiUser, runProgram } from '../support/service-process.js';
import { until } from '../support/until.js';
import { assertSameRows, readAllRows } from './all-rows.js';
import { documentedBlocks, paste, pasteWell, type Said } from './documented-commands.js';
import { fillBooks } from './filled-books.js';
import { addLostGift, expectLost, type LostGift } from './lost-gift.js';
import { Machine } from './machine.js';
import { addOldGift, goOn, type OldGift, PASSWORD } from './old-gift.js';
import { findPostgresPrograms } from '../support/postgres-programs.js';

const SCRIPTS = new URL('../../scripts/', import.meta.url).pathname;
const EXAMPLE = /backups\/offertory-\d[\dT-]+\.dump/;
const programs = findPostgresPrograms() ?? '';
const [backup = ''] = documentedBlocks('Backup');
const [restore = '', dropOld = ''] = documentedBlocks('Restore');

let directory: string;
let machine: Machine;
let old: OldGift;
let before: Map<string, string[]>;
/** A gift of the books that the previous restore replaced. */
let lost: LostGift;
/** The file name of the first backup. */
let dump: string;

const filesOfBackups = (): string[] => readdirSync(join(directory, 'backups'));
const backups = (): string[] => filesOfBackups().filter((name) => name.endsWith('.dump'));
const restoreOf = (name: string): string => restore.replace(EXAMPLE, `backups/${name}`);
const pasteRestore = async (name: string, where = machine): Promise<Said> =>
  paste(restoreOf(name), await where.stage(directory));

/** A stage on which a script replaces this program of PostgreSQL. */
async function stageWith(program: string, script: string): ReturnType<Machine['stage']> {
  const stage = await machine.stage(directory);
  const bin = join(directory, `bin-${readdirSync(directory).length}`);
  mkdirSync(bin);
  writeFileSync(join(bin, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...stage, environment: { ...stage.environment, PATH: `${bin}:${stage.environment['PATH'] ?? ''}` } };
}

/** Expects the rows and the protected bundles of the backup, and a working service. */
async function expectRestored(where: Machine): Promise<void> {
  assertSameRows(before, where.rowsAtStart);
  const noted = readFileSync(join(directory, 'backups', dump.replace('.dump', '.seal')), 'utf8').trim();
  const verified = await runProgram('cli', ['audit', 'verify', '--seal', noted], where.variables);
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('sealedEntries') });
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

/** Waits until all mails are sent and all entries sealed, because both change rows. */
async function untilRowsStayTheSame(): Promise<void> {
  const onTheWay = `SELECT FROM notice n LEFT JOIN delivery d ON d.notice_id = n.id
    WHERE COALESCE(d.status, 'pending') = 'pending' LIMIT 1`;
  await until(async () => (await machine.query(onTheWay)).length === 0, 30_000);
  await machine.query(`UPDATE job SET due_at = now() WHERE queue = 'seal-audit-trail'`);
  const unsealed = 'SELECT FROM audit_entry WHERE id > (SELECT coalesce(max(last_id), 0) FROM audit_seal) LIMIT 1';
  await until(async () => (await machine.query(unsealed)).length === 0, 90_000);
}

// Each test continues from the one before.
const needsPrograms = programs === '' ? describe.skip : describe;
needsPrograms('backup and restore as in docs/operating.md (skipped only without pg_dump)', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'offertory-dump-'));
    cpSync(SCRIPTS, join(directory, 'scripts'), { recursive: true });
    machine = await Machine.start(programs);
    await createApiUser(machine.variables, PASSWORD);
    await machine.startService();
    old = await addOldGift(machine.service);
    await fillBooks(machine);
    await untilRowsStayTheSame();
    before = await readAllRows(machine);
    await pasteWell(backup, await machine.stage(directory));
    [dump = ''] = backups();
  });
  afterAll(async () => {
    await machine.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ['stops halfway', 'pg_dump', '"$REAL/pg_dump" "$@" | head -c 100000; exit 1'],
    ['is cut off without an error, as on a full disk', 'pg_dump', '"$REAL/pg_dump" "$@" | head -c 100000'],
  ])('keep earlier backups unchanged when a new one %s', async (_what, program, script) => {
    const stage = await stageWith(program, script.replace('$REAL', programs));
    const { code, output } = await paste(backup, stage);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('There is no new backup') });
    expect(backups()).toEqual([dump]);
    expect(filesOfBackups()).toEqual([dump, dump.replace('.dump', '.seal')]);
  });

  it('copy a used installation to a new machine', async () => {
    const other = await Machine.start(programs);
    try {
      expect(restore).toMatch(EXAMPLE);
      expect(await pasteRestore(dump, other)).toMatchObject({
        code: 0,
        output: expect.stringMatching(/holds 20\d\d\d contributions/),
      });
      await expectRestored(other);
    } finally {
      await other.stop();
    }
  });

  it('restore an earlier state, and keep the replaced books until they are dropped', async () => {
    await goOn(machine.service, old);
    lost = await addLostGift(machine.service);
    await untilRowsStayTheSame();
    // A newer version than that of the backup may have left tables that refer to the old ones.
    await machine.query('CREATE TABLE later (person_id integer REFERENCES person (id))');
    const latest = await readAllRows(machine);
    expect(await pasteRestore(dump)).toMatchObject({ code: 0 });
    const kept: Ledger = { query: (text, values) => machine.query(text, values, 'offertory_before') };
    assertSameRows(latest, await readAllRows(kept));
    await expectRestored(machine);
    await expectLost(machine.service, lost);

    const again = await pasteRestore(dump);
    expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/still kept.*dropdb/s) });
    await pasteWell(dropOld, await machine.stage(directory));
    expect(await machine.query("SELECT FROM pg_database WHERE datname = 'offertory_before'")).toEqual([]);
  });

  describe('change nothing, keep the service running, and say so', () => {
    let latest: Map<string, string[]>;
    beforeAll(async () => {
      await untilRowsStayTheSame();
      latest = await readAllRows(machine);
    });
    const expectUntouched = async ({ code, output }: Said, reason: RegExp): Promise<void> => {
      expect(output).toMatch(reason);
      expect(output).toContain('Nothing was changed: the books are as they were.');
      expect(code).toBe(1);
      assertSameRows(latest, await readAllRows(machine));
      expect((await fetch(`${machine.service.url}/health/ready`)).status).toBe(200);
    };

    it('when a dump is cut off', async () => {
      cpSync(join(directory, 'backups', dump), join(directory, 'backups/short.dump'));
      truncateSync(join(directory, 'backups/short.dump'), 100_000);
      await expectUntouched(await pasteRestore('short.dump'), /pg_restore: error/);
    });

    it('when the file is missing, not a dump, or a dump of another database', async () => {
      await expectUntouched(await pasteRestore('nowhere.dump'), /no backup in/);
      writeFileSync(join(directory, 'backups/text.dump'), 'no dump at all');
      await expectUntouched(await pasteRestore('text.dump'), /pg_restore: error/);
      await pasteWell('docker compose exec -T postgres pg_dump -U offertory -Fc postgres > backups/empty.dump', {
        ...(await machine.stage(directory)),
      });
      await expectUntouched(await pasteRestore('empty.dump'), /"migrations" does not exist/);
    });

    it('when the backup is one of a test system', async () => {
      const other = await Machine.start(programs);
      try {
        await createApiUser({ ...other.variables, OFFERTORY_MODE: 'test' }, PASSWORD);
        const dumpIt = 'docker compose exec -T postgres pg_dump -U offertory -Fc offertory > backups/test.dump';
        await pasteWell(dumpIt, await other.stage(directory));
      } finally {
        await other.stop();
      }
      await expectUntouched(await pasteRestore('test.dump'), /one of a test system/);
    });

    it('when the backup is of other books, unless that is asked for', async () => {
      const other = await Machine.start(programs);
      try {
        await createApiUser(other.variables, PASSWORD);
        await other.startService();
        const { id } = await addLostGift(other.service);
        const stage = await other.stage(directory);
        await pasteWell(
          'docker compose exec -T postgres pg_dump -U offertory -Fc offertory > backups/other.dump',
          stage,
        );
        await expectUntouched(await pasteRestore('other.dump'), /of other books than those here/);

        const gifts = 'SELECT id FROM contribution';
        expect(await pasteRestore(dump, other)).toMatchObject({ code: 1 });
        expect(await other.query(gifts)).toEqual([{ id }]);
        await pasteWell(restoreOf(dump).replace('restore.sh', 'restore.sh --other-books'), stage);
        assertSameRows(before, other.rowsAtStart);
      } finally {
        await other.stop();
      }
    });

    it('when another session prevents renaming the database', async () => {
      const reader = new Session({ connectionString: machine.variables['DATABASE_URL'] });
      await reader.connect();
      await expectUntouched(await pasteRestore(dump), /could not be renamed/);
      await reader.end();
    });
  });

  it('can be repeated, and reuse no id of either replaced database', async () => {
    // More ids than any fixed margin after the backup would cover.
    await machine.query(`SELECT setval(oid::regclass, 2000000) FROM pg_class
      WHERE relname IN ('contribution_id_seq', 'contribution_change_no_seq', 'person_id_seq')`);
    const later = await addLostGift(machine.service);
    await untilRowsStayTheSame();
    expect(await pasteRestore(dump)).toMatchObject({ code: 0 });
    await expectRestored(machine);
    for (const gift of [lost, later]) await expectLost(machine.service, gift);
  });
});
