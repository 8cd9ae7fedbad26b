import { Pool } from 'pg';
import type { Ledger } from '../support/ledger-invariants.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { readAllRows } from './all-rows.js';
import type { Stage } from './documented-commands.js';
import { type DockerStandIn, standInForDocker } from './stand-in-for-docker.js';

/** A machine with a PostgreSQL like that of the compose file, and optionally a service. */
export class Machine implements Ledger {
  readonly variables: Record<string, string>;
  /** The rows of the database when `docker compose` last started the service. */
  rowsAtStart = new Map<string, string[]>();
  private running: ServiceProcess | undefined;
  private docker: DockerStandIn | undefined;

  private constructor(
    private readonly postgres: PrivatePostgres,
    private readonly programs: string,
  ) {
    const url = new URL(postgres.url);
    this.variables = { DATABASE_URL: `postgres://offertory@${url.host}/offertory` };
  }

  /** Starts a machine with the PostgreSQL programs in this directory. */
  static async start(programs: string): Promise<Machine> {
    const postgres = await startPrivatePostgres(programs);
    await postgres.query('CREATE ROLE offertory SUPERUSER LOGIN');
    await postgres.query('CREATE DATABASE offertory OWNER offertory');
    return new Machine(postgres, programs);
  }

  async query<Row>(text: string, values: readonly unknown[] = [], database = 'offertory'): Promise<Row[]> {
    const pool = new Pool({
      connectionString: this.variables['DATABASE_URL']?.replace(/offertory$/, database),
      max: 1,
    });
    try {
      return (await pool.query(text, [...values])).rows as Row[];
    } finally {
      await pool.end();
    }
  }

  get service(): ServiceProcess {
    if (this.running === undefined) throw new Error('The service does not run');
    return this.running;
  }

  /** A stage for the documented commands: this directory, with the machine's PostgreSQL and service. */
  async stage(directory: string): Promise<Stage> {
    this.docker ??= await standInForDocker({
      'up --detach --wait postgres': () => Promise.resolve(''),
      'ps --services --status running': () => Promise.resolve(`postgres\n${this.running === undefined ? '' : 'api\n'}`),
      'stop api': () => this.stopService(),
      'start api': () => this.startService(),
      'up --detach': async () => {
        this.rowsAtStart = await readAllRows(this);
        return this.startService();
      },
    });
    const { hostname: PGHOST, port: PGPORT } = new URL(this.postgres.url);
    const PATH = `${this.docker.bin}:${this.programs}:/usr/bin:/bin`;
    return { directory, environment: { PATH, PGHOST, PGPORT } };
  }

  async startService(): Promise<string> {
    this.running ??= await startServiceProcess(this.variables);
    return '';
  }

  async stopService(): Promise<string> {
    if (this.running !== undefined) await this.running.end('SIGTERM');
    this.running = undefined;
    return '';
  }

  async stop(): Promise<void> {
    await this.running?.end('SIGKILL');
    await this.docker?.close();
    this.postgres.destroy();
  }
}
