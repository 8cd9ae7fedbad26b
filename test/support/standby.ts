import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { type PrivatePostgres, privateServer, runPostgres } from './private-postgres.js';
import { until } from './until.js';

/** A server that follows another one by streaming replication, until it is promoted. */
export interface Standby extends PrivatePostgres {
  /** Waits until it has all current data of the primary. */
  catchUp(): Promise<void>;
  /** Stops its replication: from now on it lags. */
  detach(): Promise<void>;
  /** Makes it a primary on a new timeline. */
  promote(): void;
}

/** Creates a standby with pg_basebackup from the primary's own programs, and starts it. */
export async function startStandby(primary: PrivatePostgres): Promise<Standby> {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-standby-'));
  // If the tests run as root, PostgreSQL's programs run as nobody, who must be able to create the data directory here.
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
