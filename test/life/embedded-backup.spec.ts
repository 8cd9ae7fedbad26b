import { chmodSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { createApiUser, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { assertSameRows, readAllRows } from './all-rows.js';
import { documentedBlocks, paste, pasteWell, type Stage } from './documented-commands.js';
import { inEmbeddedBooks } from './embedded-books.js';
import { addLostGift, expectLost } from './lost-gift.js';
import { addOldGift, goOn, type OldGift, PASSWORD } from './old-gift.js';

const [backup = '', restore = ''] = documentedBlocks('The embedded database');
let dataDir: string;
let stage: Stage;
let old: OldGift;

/** Runs `work` with a service on the embedded database, and stops the service. */
async function withService<T>(work: (service: Awaited<ReturnType<typeof startServiceProcess>>) => Promise<T>) {
  const service = await startServiceProcess({ DATA_DIR: dataDir });
  try {
    return await work(service);
  } finally {
    expect(await service.end('SIGTERM')).toBe(0);
  }
}

const rows = (): Promise<Map<string, string[]>> => inEmbeddedBooks(dataDir, readAllRows);
const backups = (): string[] => readdirSync(dirname(dataDir)).filter((name) => name.startsWith('offertory-data-'));

/** The documented block of commands for the backup of this name. */
function restoreOf(name: string): string {
  expect(restore).toMatch(/offertory-data-[\dT-]+\.tar/);
  return restore.replace(/offertory-data-[\dT-]+\.tar/, name);
}

/** Makes a backup. @returns its name and the rows in it. */
async function backUp(): Promise<{ name: string; before: Map<string, string[]> }> {
  const [there, before] = [backups(), await rows()];
  await pasteWell(backup, stage);
  const [name = ''] = backups().filter((each) => !there.includes(each));
  expect(name).toMatch(/\.tar$/);
  return { name, before };
}

// Each test continues from the one before.
describe('a backup of the stopped data directory, as in docs/operating.md', () => {
  beforeAll(async () => {
    dataDir = join(mkdtempSync(join(tmpdir(), 'offertory-copy-')), 'data');
    chmodSync(dirname(dataDir), 0o755);
    stage = { directory: dirname(dataDir), environment: { PATH: process.env['PATH'] ?? '' } };
    await createApiUser({ DATA_DIR: dataDir }, PASSWORD);
    old = await withService(addOldGift);
  });
  afterAll(() => {
    rmSync(dirname(dataDir), { recursive: true, force: true });
  });

  it.each(['once', 'twice'])('restores the embedded database %s', async (time) => {
    const { name, before } = await backUp();
    const lost = await withService(addLostGift);
    await pasteWell(restoreOf(name), stage);
    assertSameRows(before, await rows());
    // The next backup must contain this gift as well.
    await withService(async (service) => {
      await expectLost(service, lost);
      expect(await new Client(service.url, 'api', PASSWORD).add(gift(`kept.${time}`))).toMatchObject({ status: 200 });
    });
  });

  it('reuses no id when it is restored twice, nor after an ordinary start', async () => {
    const { name } = await backUp();
    const first = await withService(addLostGift);
    await pasteWell(restoreOf(name), stage);
    const second = await withService(async (service) => {
      await expectLost(service, first);
      return addLostGift(service);
    });
    await pasteWell(restoreOf(name), stage);
    const third = await withService(async (service) => {
      await expectLost(service, first);
      await expectLost(service, second, 'elsewhere');
      return addLostGift(service);
    });
    const next = await withService(addLostGift);
    expect(next.id).toBe(third.id + 1);
  });

  it('leaves the database unchanged when it is cut off, and can then be restored whole', async () => {
    const { name, before } = await backUp();
    const latest = await withService(async (service) => {
      await new Client(service.url, 'api', PASSWORD).add(gift('latest'));
    }).then(rows);
    await pasteWell(`cp ${name} short.tar`, stage);
    truncateSync(join(dirname(dataDir), 'short.tar'), 1_000_000);
    const failed = await paste(restoreOf('short.tar'), stage);
    expect(failed.code).not.toBe(0);
    assertSameRows(latest, await rows());

    await pasteWell(restoreOf(name), stage);
    assertSameRows(before, await rows());
    await withService((service) => goOn(service, old));
    await inEmbeddedBooks(dataDir, (books) => assertLedgerInvariants(books));
  });
});
