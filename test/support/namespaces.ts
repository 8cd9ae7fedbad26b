import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const UNSHARE = '/usr/bin/unshare --pid --ipc --mount-proc --fork --kill-child';
/** An ordinary user may create namespaces only inside a user namespace, if that is allowed. */
const AS_OURSELVES = process.geteuid?.() === 0 ? '' : '--user --map-current-user';

/**
 * Runs a program as in its own container: it sees no processes and no shared memory from outside. Messages of unshare
 * about a killed program are kept out of the program's standard error.
 */
export const IN_A_CONTAINER: readonly string[] = [
  '/bin/sh',
  '-c',
  `exec 9>&2 2>/dev/null; exec ${UNSHARE} ${AS_OURSELVES} /bin/sh -c 'exec "$@" 2>&9 9>&-' sh "$@"`,
  'sh',
];

/** Only Linux has namespaces, and not every machine lets its users create them. */
export const namespacesAreAllowed =
  process.platform === 'linux' && spawnSync(IN_A_CONTAINER[0] ?? '', [...IN_A_CONTAINER.slice(1), 'true']).status === 0;

/** The PostgreSQL processes of a cluster in any namespace, with their ids in this process's namespace. */
export function serverProcesses(cluster: string): { id: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (readlinkSync(`/proc/${name}/cwd`) !== cluster) return [];
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        return status.startsWith('Name:\tpostgres\n')
          ? [{ id: Number(name), parent: Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) }]
          : [];
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    });
}

/** The server process whose parent is not a server process. */
export function postmasterOf(cluster: string): number {
  const all = serverProcesses(cluster);
  const heads = all.filter(({ parent }) => !all.some(({ id }) => id === parent));
  if (heads.length !== 1) throw new Error(`${heads.length} servers run on ${cluster}`);
  return heads[0]?.id ?? NaN;
}
