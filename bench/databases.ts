import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { runCommand, startService } from './programs.js';

/** The user that all calls of the bench are made as. */
export const USER = 'api';
/** Of a user in a database that is dropped again. */
export const PASSWORD = 'the only right one';

/** The comment on a database that is whole. */
const FILLED = 'Filled by npm run bench';

/** A migrated database with the API user, for one part of the bench. */
export interface BenchDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
}

/** The databases that a run makes on the server of BENCH_DATABASE_URL. */
export class BenchDatabases {
  private readonly made = new Map<string, pg.Pool>();

  constructor(private readonly server: string) {}

  /** One that is dropped at the end. */
  async create(): Promise<BenchDatabase> {
    return (await this.open(`offertory_bench_${randomUUID().replaceAll('-', '')}`)).database;
  }

  /**
   * One of this name that was filled by an earlier run, brought up to date, or a new one, which `isNew` tells. It is
   * dropped at the end all the same, unless {@link keep} is called.
   */
  async open(name: string): Promise<{ database: BenchDatabase; isNew: boolean }> {
    const isNew = await this.onServer(async (client) => {
      const { rows } = await client.query<{ comment: string | null }>(
        "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1",
        [name],
      );
      if (rows[0]?.comment === FILLED) return false;
      // One that a run was filling when it was killed.
      if (rows.length > 0) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${name}`);
      return true;
    });
    const url = new URL(this.server);
    url.pathname = `/${name}`;
    const database = { url: url.toString(), pool: new pg.Pool({ connectionString: url.toString(), max: 4 }) };
    database.pool.on('error', () => undefined);
    this.made.set(name, database.pool);
    await runCommand(['database', 'migrate'], { DATABASE_URL: database.url });
    if (isNew) await prepare(database.url);
    return { database, isNew };
  }

  /** Notes that one of {@link open} holds all that it should. */
  async markFilled(name: string): Promise<void> {
    await this.onServer((client) => client.query(`COMMENT ON DATABASE ${name} IS '${FILLED}'`));
  }

  /** Leaves one of {@link open} on the server for the next run; only one that is whole. */
  async keep(name: string): Promise<void> {
    await this.made.get(name)?.end();
    this.made.delete(name);
  }

  async dropAll(): Promise<void> {
    for (const [name, pool] of this.made) {
      // First: the pool's end would wait for whatever is under way.
      await this.onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      await pool.end();
    }
    this.made.clear();
  }

  /** Does something in the database that the URL names itself. */
  async onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.server });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

async function prepare(url: string): Promise<void> {
  const create = ['user', 'create', USER, '--roles', 'Developer,APIOnly,APIWrite', '--password-stdin'];
  await runCommand(create, { DATABASE_URL: url }, PASSWORD);
  // Notes by which rule names are folded, while there are none: a later start would fold a million people anew.
  await (await startService({ DATABASE_URL: url })).stop();
}
