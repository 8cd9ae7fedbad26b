import { availableParallelism, cpus, totalmem } from 'node:os';
import type { BenchDatabases } from './databases.js';

/** The machine of a measurement. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  /** Settings of PostgreSQL by name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The settings of PostgreSQL that affect the speed. */
const SETTINGS = [
  'shared_buffers',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_level',
  'max_wal_size',
  'effective_cache_size',
  'work_mem',
  'jit',
];

/** Describes this machine and the server of the databases. */
export async function describeMachine(databases: BenchDatabases): Promise<Machine> {
  const settings = await databases.onServer(async (client) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      'SELECT name, current_setting(name) AS value FROM pg_settings WHERE name = ANY ($1) OR name = $2',
      [SETTINGS, 'server_version'],
    );
    return new Map(rows.map(({ name, value }) => [name, value]));
  });
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: totalmem() / 2 ** 30,
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    postgres: settings.get('server_version') ?? 'unknown',
    settings: Object.fromEntries(SETTINGS.map((name) => [name, settings.get(name) ?? 'unknown'])),
  };
}
