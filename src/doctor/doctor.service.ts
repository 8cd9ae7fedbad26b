import { Injectable } from '@nestjs/common';
import { UserAccounts } from '../auth/index.js';
import { Church, Configuration } from '../config/index.js';
import { Transactions } from '../database/index.js';
import { Examinations, type Finding } from '../health/index.js';
import { examineTls } from './examine-tls.js';

/** What lets a processor in. */
const PROCESSOR_ROLES = ['Developer', 'APIOnly', 'APIWrite'] as const;

/** Settings without which a crash loses what was acknowledged; PostgreSQL's manual, "Write Ahead Log". */
const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

const OLDEST_VERSION = 150_000;

interface ServerRow {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly not_durable: readonly string[] | null;
  readonly free: number;
}

/** Looks over the whole installation, and says of each fault what to do. */
@Injectable()
export class Doctor {
  constructor(
    private readonly configuration: Configuration,
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly users: UserAccounts,
    private readonly examinations: Examinations,
  ) {}

  /** Findings in the order of a gift's way; talks to the database, the mail server and the proxy. */
  async examine(): Promise<Finding[]> {
    const server = await this.server();
    return [
      { check: 'configuration', result: 'ok', found: 'every variable can be read' },
      this.database(server),
      this.durability(server),
      this.timeZone(),
      await this.processors(),
      ...(await this.examinations.findings()),
      await examineTls(this.configuration.http),
    ];
  }

  private database({ version, number, encoding, free }: ServerRow): Finding {
    const check = 'database';
    const what = `PostgreSQL ${version}${this.configuration.database.url === undefined ? ', embedded' : ''}`;
    const found = `${what}, migrated`;
    if (number < OLDEST_VERSION)
      return { check, result: 'fault', found: what, advice: 'PostgreSQL 15 or later is needed: upgrade it.' };
    if (encoding !== 'UTF8') {
      const advice = 'Make a database with ENCODING UTF8 TEMPLATE template0, and restore a dump into it.';
      return { check, result: 'fault', found: `${what}, encoding ${encoding}`, advice };
    }
    const needed = this.configuration.database.poolSize + 2;
    if (free < needed) {
      const advice = `A service takes ${needed}: raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.`;
      return { check, result: 'warning', found: `${found}; ${free} connections are left`, advice };
    }
    return { check, result: 'ok', found };
  }

  private durability({ not_durable: off }: ServerRow): Finding {
    const check = 'durability';
    if (off === null) return { check, result: 'ok', found: `${DURABLE.join(', ')} are on` };
    const advice = 'Switch it on in postgresql.conf: after a power cut gifts that were acknowledged would be missing.';
    return { check, result: 'fault', found: `off: ${off.join(', ')}`, advice };
  }

  /** What pg_stat_activity tells of others' sessions depends on who asks; how many there are does not. */
  private async server(): Promise<ServerRow> {
    const [row] = await this.transactions.query<ServerRow>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
         current_setting('server_encoding') AS encoding,
         (SELECT array_agg(name ORDER BY name) FROM pg_settings WHERE name = ANY ($1) AND setting = 'off') AS not_durable,
         current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
           - COALESCE(current_setting('reserved_connections', true), '0')::integer
           - (SELECT sum(numbackends)::integer FROM pg_stat_database) AS free`,
      [DURABLE],
    );
    if (row === undefined) throw new Error('A SELECT without FROM returned no row');
    return row;
  }

  private timeZone(): Finding {
    const check = 'time zone';
    if (this.church.timeZone !== 'UTC') return { check, result: 'ok', found: this.church.timeZone };
    const found = 'UTC: a gift of the evening may count for the next day, or the next year';
    return { check, result: 'warning', found, advice: 'Set CHURCH_TIME_ZONE, such as America/Chicago.' };
  }

  private async processors(): Promise<Finding> {
    const check = 'processors';
    const users = await this.users.list();
    const able = users.filter(({ active, roles }) => active && PROCESSOR_ROLES.every((role) => roles.includes(role)));
    if (able.length > 0) return { check, result: 'ok', found: able.map(({ username }) => username).join(', ') };
    const advice = `offertory user create <processor> --roles ${PROCESSOR_ROLES.join(',')}`;
    return { check, result: 'warning', found: 'no active user may send gifts', advice };
  }
}
