import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { runCommand, startService } from './programs.js';

/** The user of all calls of the bench. */
export const USER = 'api';
/** The password of that user, in databases that are dropped at the end. */
export const PASSWORD = 'the only right one';

/** The comment on a database that is completely filled. */
const FILLED = 'Filled by npm run bench';

/** A migrated database with the API user, for one part of the bench. */
export interface BenchDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
}

/** The databases that a run creates on the server of BENCH_DATABASE_URL. */
export class BenchDatabases {
  private readonly made = new Map<string, pg.Pool>();

  constructor(private readonly server: string) {}

  /** Creates a database that is dropped at the end. */
  async create(): Promise<BenchDatabase> {
    return (await this.open(`offertory_bench_${randomUUID().replaceAll('-', '')}`)).database;
  }

  /**
   * Opens the database of this name that an earlier run filled, and migrates it, or creates a new one; `isNew` says
   * which. In both cases it is dropped at the end, unless {@link keep} is called.
   */
  async open(name: string): Promise<{ database: BenchDatabase; isNew: boolean }> {
    const isNew = await this.onServer(async (client) => {
      const { rows } = await client.query<{ comment: string | null }>(
        "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1",
        [name],
      );
      if (rows[0]?.comment === FILLED) return false;
      // A run was killed while it filled this database.
      if (rows.length > 0) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${name}`);
      return true;
    });
    const url = this.urlOf(name);
    const database = { url, pool: new pg.Pool({ connectionString: url, max: 4 }) };
    database.pool.on('error', () => undefined);
    this.made.set(name, database.pool);
    await runCommand(['database', 'migrate'], { DATABASE_URL: database.url });
    if (isNew) await prepare(database.url);
    return { database, isNew };
  }

  /** Creates a database without tables that is dropped at the end. @returns its URL. */
  async createEmpty(): Promise<string> {
    const name = `offertory_bench_${randomUUID().replaceAll('-', '')}`;
    await this.onServer((client) => client.query(`CREATE DATABASE ${name}`));
    const url = this.urlOf(name);
    this.made.set(name, new pg.Pool({ connectionString: url, max: 1 }));
    return url;
  }

  /** The URL of a database on this server. */
  urlOf(name: string): string {
    const url = new URL(this.server);
    url.pathname = `/${name}`;
    return url.toString();
  }

  /** Marks a database of {@link open} as completely filled. */
  async markFilled(name: string): Promise<void> {
    await this.onServer((client) => client.query(`COMMENT ON DATABASE ${name} IS '${FILLED}'`));
  }

  /** Leaves a database of {@link open} on the server for the next run. It must be completely filled. */
  async keep(name: string): Promise<void> {
    await this.made.get(name)?.end();
    this.made.delete(name);
  }

  async dropAll(): Promise<void> {
    for (const [name, pool] of this.made) {
      // Dropped first, because ending the pool would wait for running statements.
      await this.onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      await pool.end();
    }
    this.made.clear();
  }

  /** Runs `work` in the database that the URL names. */
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
  // This start stores the folding version while there are no people. A later start would refold a million of them.
  await (await startService({ DATABASE_URL: url })).stop();
}
