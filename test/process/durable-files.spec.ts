import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/** A call to the file system: "sync <path>", "rename <new path>" or "rm <path>". */
type Step = string;

const ROOT = new URL('../../', import.meta.url).pathname;
const built = (path: string): string => JSON.stringify(pathToFileURL(join(ROOT, 'dist/src', path)).href);

/**
 * Records each rename, removal and sync of node:fs/promises. A test cannot cut the power, and a crash of the process
 * alone loses nothing that the kernel has. So these tests check that the program makes the calls that survive a power
 * cut.
 */
const RECORDER = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { open, rename, rm } = fs.promises;
globalThis.steps = [];
fs.promises.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  const sync = handle.sync.bind(handle);
  handle.sync = async () => { await sync(); globalThis.steps.push('sync ' + path); };
  return handle;
};
fs.promises.rename = async (from, to) => { await rename(from, to); globalThis.steps.push('rename ' + to); };
fs.promises.rm = async (path, ...rest) => { await rm(path, ...rest); globalThis.steps.push('rm ' + path); };
syncBuiltinESMExports();
`;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'offertory-durable-'));
  // If the tests run as root, PostgreSQL runs as another user, who needs access to this directory.
  chmodSync(directory, 0o755);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a module in its own process, so that imports of this process are not recorded. */
function stepsOf(module: string): Step[] {
  const recorder = `data:text/javascript,${encodeURIComponent(RECORDER)}`;
  const text = `${module}\nprocess.stdout.write(JSON.stringify(globalThis.steps));`;
  const args = ['--import', recorder, '--input-type=module', '--eval', text, directory];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Step[];
}

describe('the directory is synced for', () => {
  it('the marker of moved books when announced, confirmed and withdrawn', () => {
    const path = join(directory, 'moved.json');
    const written = [`sync ${path}.new`, `rename ${path}`, `sync ${directory}`];
    expect(
      stepsOf(`
        import { MovedMarker } from ${built('embedded-postgres/moved-marker.js')};
        const marker = new MovedMarker(process.argv[1], 'elsewhere');
        await marker.announce();
        await marker.confirm();
        await marker.withdraw();
      `),
    ).toEqual([...written, ...written, `rm ${path}`, `sync ${directory}`]);
  });

  it('the result of an import', () => {
    const path = join(directory, 'result.csv');
    expect(
      stepsOf(`
        import { ResultFile } from ${built('contributions/imports/results/result-file.js')};
        await (await ResultFile.create(process.argv[1] + '/result.csv')).finish();
      `),
    ).toEqual([`sync ${path}.partial`, `rename ${path}`, `sync ${directory}`]);
  });

  it('an exported file', () => {
    const path = join(directory, 'bundle.csv');
    const steps = stepsOf(`
      import { Readable } from 'node:stream';
      import { writeWhole } from ${built('command-line/whole-file.js')};
      await writeWhole(process.argv[1] + '/bundle.csv', Readable.from(['a line']));
    `);
    // The content is synced by the stream itself ("flush").
    expect(steps).toEqual([`rename ${path}`, `sync ${directory}`]);
  });

  it('a mail that is written to a file, and the directory of mails', () => {
    const mails = join(directory, 'mail');
    const steps = stepsOf(`
      import { MailFileTransport } from ${built('notifications/transport/mail-file-transport.js')};
      const mail = { messageId: '<reversal.1.2@test>', from: 'a@b.example', to: 'c@d.example', subject: 's', text: 't' };
      await new MailFileTransport(process.argv[1]).send(mail, new AbortController().signal);
    `);
    expect(steps).toEqual([
      `sync ${directory}`,
      expect.stringContaining(`sync ${mails}/.reversal.1.2`),
      `rename ${mails}/reversal.1.2.eml`,
      `sync ${mails}`,
    ]);
  });

  it('the settings and the cluster of the embedded database, and the data directory itself', () => {
    const dataDir = join(directory, 'some', 'data');
    const cluster = join(dataDir, 'database');
    const steps = stepsOf(`
      import { mkdirSync } from 'node:fs';
      import { prepareDirectory } from ${built('embedded-postgres/data-dir/atomic-directory.js')};
      import { enterDataDir } from ${built('embedded-postgres/data-dir/data-dir.js')};
      import { DataDirLock } from ${built('embedded-postgres/data-dir/data-dir-lock.js')};
      import { writeSettings } from ${built('embedded-postgres/cluster/settings.js')};
      const dataDir = await enterDataDir(process.argv[1] + '/some/data', () => undefined);
      await prepareDirectory(dataDir.cluster, dataDir.user, async (path) => mkdirSync(path));
      await writeSettings(dataDir, 'socket', new DataDirLock(undefined));
    `).filter((step) => !step.startsWith('rm '));
    expect(steps).toEqual([
      `sync ${join(directory, 'some')}`,
      `sync ${directory}`,
      `rename ${cluster}`,
      `sync ${dataDir}`,
      expect.stringContaining(`sync ${cluster}/offertory.conf.`),
      `rename ${cluster}/offertory.conf`,
      `sync ${cluster}`,
    ]);
  });
});
