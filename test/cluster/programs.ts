import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findPostgresPrograms } from '../support/postgres-programs.js';

const NEEDED = ['patroni', 'patronictl', 'etcd', 'haproxy', 'psql'];
/** Where Debian puts haproxy, which the PATH of an ordinary user lacks. */
const MORE_PLACES = ['/usr/sbin', '/sbin'];

const places = [...(process.env['PATH'] ?? '').split(delimiter), ...MORE_PLACES];

/** The path of each program that was found. */
const found = new Map(
  NEEDED.flatMap((name) => {
    const place = places.find((directory) => existsSync(join(directory, name)));
    return place === undefined ? [] : [[name, join(place, name)] as const];
  }),
);

/** The directory of PostgreSQL's programs. */
export const postgresPrograms = findPostgresPrograms();

/** What the test of a cluster lacks on this machine. .ci/install-patroni installs it. */
export const missingPrograms: readonly string[] = [
  ...NEEDED.filter((name) => !found.has(name)),
  ...(postgresPrograms === undefined ? ['pg_ctl'] : []),
];

/** The path of a program. */
export function pathOf(name: string): string {
  const path = found.get(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  return path;
}
