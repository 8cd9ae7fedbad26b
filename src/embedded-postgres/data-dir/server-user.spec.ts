import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedDatabase } from '../embedded-database.js';
import { blockingDirectory, defaultDataDir, serverUser, SYSTEM_DATA_DIR } from './server-user.js';

const asRoot = process.geteuid?.() === 0 ? it : it.skip;
const NOBODY = 65_534;
const unlessNobody = process.geteuid?.() === NOBODY ? it.skip : it;
const nobody = { name: 'nobody', uid: NOBODY, gid: NOBODY };
let place: string;

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'offertory-user-')));
});

afterEach(async () => {
  await rm(place, { recursive: true });
});

describe('the user of the server', () => {
  it('is the user who starts the service, and nobody for root', () => {
    expect(serverUser(place, 1000)).toBeUndefined();
    expect(serverUser(place, 0)?.name).toBe('nobody');
  });

  asRoot('is the owner of the cluster for root', async () => {
    await mkdir(join(place, 'database'));
    expect(serverUser(place, 0)?.name).toBe('nobody');
    await chown(join(place, 'database'), 1000, 1001);
    expect(serverUser(place, 0)).toMatchObject({ uid: 1000, gid: 1001 });
  });
});

describe('the default data directory', () => {
  it('is ./data for an ordinary user', () => {
    expect(defaultDataDir(place, 1000)).toBe(join(place, 'data'));
  });

  unlessNobody('is the system directory when root starts in a directory closed to others', async () => {
    expect(defaultDataDir(place, 0)).toBe(SYSTEM_DATA_DIR);
    await chmod(place, 0o711);
    expect(defaultDataDir(place, 0)).toBe(join(place, 'data'));
  });
});

describe('a directory closed to the server', () => {
  unlessNobody('is the topmost one on the path, also for a path that does not exist yet', async () => {
    const inner = join(place, 'inner');
    await mkdir(inner, { mode: 0o700 });
    expect(blockingDirectory(join(inner, 'not', 'yet'), nobody)).toBe(place);
    await chmod(place, 0o711);
    expect(blockingDirectory(join(inner, 'not', 'yet'), nobody)).toBe(inner);
    await chmod(inner, 0o711);
    expect(blockingDirectory(join(inner, 'not', 'yet'), nobody)).toBeUndefined();
  });

  asRoot('is named in the error for root before anything is created', async () => {
    const dataDir = join(place, 'data');
    await expect(openEmbeddedDatabase({ dataDir, log: () => undefined })).rejects.toThrow(
      `cannot enter ${place}, which is on the way to DATA_DIR (${dataDir})`,
    );
    expect(existsSync(dataDir)).toBe(false);
  });
});
