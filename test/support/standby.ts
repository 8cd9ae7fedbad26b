import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { type PrivatePostgres, privateServer, runPostgres } from './private-postgres.js';
import { until } from './until.js';

/** A server that follows another one by streaming replication, until it takes over. */
export interface Standby extends PrivatePostgres {
  /** Waits until it has all that the primary has now. */
  catchUp(): Promise<void>;
  /** Lets it receive nothing any more: from now on it lags. */
  detach(): Promise<void>;
  /** Makes it a primary, on a timeline of its own. */
  promote(): void;
}

/** Makes one by pg_basebackup, with the primary's own programs, and starts it. */
export async function startStandby(primary: PrivatePostgres): Promise<Standby> {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-standby-'));
  // As root, PostgreSQL's programs run as nobody, who has to be able to make the directory of the data in here.
  chmodSync(directory, 0o777);
  const { bin, port: primaryPort } = primary.place;
  const [data, port] = [join(directory, 'database'), await freePort()];
  const source = `host=127.0.0.1 port=${primaryPort} user=postgres`;
  runPostgres(bin, 'pg_basebackup', '-D', data, '-d', source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
  const server = privateServer({ bin, data, port });
  server.start();
  return {
    ...server,
    catchUp: async () => {
      const [now] = await primary.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
      const replayed = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done';
      await until(async () => (await server.query<{ done: boolean }>(replayed, [now?.lsn]))[0]?.done === true);
    },
    detach: async () => {
      await server.query("ALTER SYSTEM SET primary_conninfo = ''");
      await server.query('SELECT pg_reload_conf()');
      await until(async () => (await server.query('SELECT FROM pg_stat_wal_receiver')).length === 0);
    },
    promote: () => {
      runPostgres(bin, 'pg_ctl', 'promote', '-w', '-D', data);
    },
    destroy: () => {
      server.destroy();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
