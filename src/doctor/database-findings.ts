import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Configuration } from '../config/index.js';
import { type Entity, SequenceUse, Transactions } from '../database/index.js';
import type { Finding } from '../health/index.js';
import { checkRights } from './excess-rights.js';

/** If one of these settings is off, a crash loses acknowledged gifts; PostgreSQL's manual, "Write Ahead Log". */
const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

/** The share of used ids of a sequence from which there is a warning, and a fault. */
const IDS_WARNING = 0.5;
const IDS_FAULT = 0.9;

interface ServerRow {
  readonly version: string;
  readonly encoding: string;
  readonly not_durable: readonly string[] | null;
  readonly free: number;
}

/** The version of a collation with which the indexes were sorted, and the version that the server has now. */
interface CollationRow {
  readonly name: string;
  readonly recorded: string;
  readonly actual: string | null;
}

/** A collation without a recorded version, such as C, never changes. */
const SELECT_CHANGED_COLLATIONS = `
  SELECT name, recorded, actual FROM (
    SELECT 'the database' AS name, datcollversion AS recorded, pg_database_collation_actual_version(oid) AS actual
    FROM pg_database WHERE datname = current_database()
    UNION ALL
    SELECT 'collation ' || quote_ident(collname), collversion, pg_collation_actual_version(oid) FROM pg_collation
    WHERE collversion IS NOT NULL AND oid IN (
      SELECT unnest(i.indcollation::oid[]) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'pgboss')))
  ) used
  WHERE recorded IS DISTINCT FROM actual AND recorded IS NOT NULL`;

/** Checks the database server, and the database itself. */
@Injectable()
export class DatabaseFindings {
  constructor(
    private readonly configuration: Configuration,
    private readonly transactions: Transactions,
    private readonly sequences: SequenceUse,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async all(): Promise<Finding[]> {
    const server = await this.server();
    return [
      this.database(server),
      this.durability(server),
      await this.collation(),
      await this.ids(),
      await checkRights(this.transactions, this.entities()),
    ];
  }

  private entities(): readonly Entity[] {
    return this.dataSource.entityMetadatas
      .filter(({ tableType }) => tableType === 'regular')
      .map(({ target }) => target as Entity);
  }

  private database({ version, encoding, free }: ServerRow): Finding {
    const check = 'database';
    const what = `PostgreSQL ${version}${this.configuration.database.url === undefined ? ', embedded' : ''}`;
    const found = `${what}, migrated`;
    if (encoding !== 'UTF8') {
      const advice =
        "Create a database with ENCODING 'UTF8' TEMPLATE template0, and restore a dump into it. Until then gifts with " +
        'characters that this encoding lacks are refused.';
      return { check, result: 'fault', found: `${what}, encoding ${encoding}`, advice };
    }
    const needed = this.configuration.database.poolSize + 2;
    if (free < needed) {
      const advice = `A service needs ${needed}. Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.`;
      return { check, result: 'warning', found: `${found}; ${free} connections are left`, advice };
    }
    return { check, result: 'ok', found };
  }

  private durability({ not_durable: off }: ServerRow): Finding {
    const check = 'durability';
    if (off === null) return { check, result: 'ok', found: `${DURABLE.join(', ')} are on` };
    const advice = 'Switch it on in postgresql.conf. Otherwise a power cut can lose acknowledged gifts.';
    return { check, result: 'fault', found: `off: ${off.join(', ')}`, advice };
  }

  /** An index of texts that was sorted with another version may miss rows, so that a gift could be recorded twice. */
  private async collation(): Promise<Finding> {
    const check = 'collation';
    const changed = await this.transactions.query<CollationRow>(SELECT_CHANGED_COLLATIONS);
    if (changed.length === 0) return { check, result: 'ok', found: 'the indexes are sorted by the version in use' };
    const found = changed
      .map(
        ({ name, recorded, actual }) => `${name} was sorted by version ${recorded}, the server has ${actual ?? 'none'}`,
      )
      .join('; ');
    const advice =
      'An index of texts may miss rows. Stop the service; in psql, as the owner: REINDEX DATABASE; then ALTER DATABASE … ' +
      'REFRESH COLLATION VERSION (and ALTER COLLATION … REFRESH VERSION for a collation of its own).';
    return { check, result: 'fault', found, advice };
  }

  private async ids(): Promise<Finding> {
    const check = 'ids';
    const [fullest] = await this.sequences.read();
    if (fullest === undefined) throw new Error('There is no sequence');
    const { sequence, used, available } = fullest;
    const found = `${sequence} is at ${used} of ${available}`;
    if (used < IDS_WARNING * available) return { check, result: 'ok', found };
    const advice =
      'When all ids are used, every gift is refused. docs/operating.md, "When ids run out", says how long they last and ' +
      'what to do.';
    return { check, result: used < IDS_FAULT * available ? 'warning' : 'fault', found, advice };
  }

  /** Counts the sessions in pg_stat_database, because pg_stat_activity does not show all of them to every role. */
  private async server(): Promise<ServerRow> {
    const [row] = await this.transactions.query<ServerRow>(
      `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
         (SELECT array_agg(name ORDER BY name) FROM pg_settings WHERE name = ANY ($1) AND setting = 'off') AS not_durable,
         current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
           - COALESCE(current_setting('reserved_connections', true), '0')::integer
           - (SELECT sum(numbackends)::integer FROM pg_stat_database) AS free`,
      [DURABLE],
    );
    if (row === undefined) throw new Error('A SELECT without FROM returned no row');
    return row;
  }
}
