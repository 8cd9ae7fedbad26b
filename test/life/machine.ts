import { Pool } from 'pg';
import type { Ledger } from '../support/ledger-invariants.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import type { Stage } from './documented-commands.js';

/** A machine with a PostgreSQL as the compose file has it, and maybe a service. */
export class Machine implements Ledger {
  readonly variables: Record<string, string>;
  private running: ServiceProcess | undefined;

  private constructor(
    private readonly postgres: PrivatePostgres,
    private readonly programs: string,
  ) {
    const url = new URL(postgres.url);
    this.variables = { DATABASE_URL: `postgres://offertory@${url.host}/offertory` };
  }

  /** Starts it with these programs of PostgreSQL. */
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

  /** For {@link runDocumented}. */
  stage(directory: string): Stage {
    const { host, port } = { host: '127.0.0.1', port: new URL(this.postgres.url).port };
    return {
      directory,
      environment: { PATH: `${this.programs}:/usr/bin:/bin`, PGHOST: host, PGPORT: port },
      stopService: () => this.stopService(),
      startService: () => this.startService(),
    };
  }

  async startService(): Promise<void> {
    this.running = await startServiceProcess(this.variables);
  }

  async stopService(): Promise<void> {
    if (this.running !== undefined) await this.running.end('SIGTERM');
    this.running = undefined;
  }

  async stop(): Promise<void> {
    await this.running?.end('SIGKILL');
    this.postgres.destroy();
  }
}
