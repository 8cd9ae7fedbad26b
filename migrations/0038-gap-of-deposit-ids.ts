import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ids of deposits and of imported files continue with a gap after a restore, as all ids do that callers can see. */
export class GapOfDepositIds0038 implements MigrationInterface {
  readonly name = 'GapOfDepositIds1764288000038';

  async up(database: QueryRunner): Promise<void> {
    const added = ['deposit', 'deposit_adjustment', 'deposit_item', 'import_file'];
    await database.query(booksSequences([...added, ...EARLIER_TABLES]));
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(booksSequences(EARLIER_TABLES));
  }
}

const EARLIER_TABLES = [
  ...['api_token', 'app_user', 'audit_entry', 'bundle', 'contact', 'contribution', 'delivery', 'fund', 'person'],
  ...['reassignment', 'review', 'role', 'session'],
];

/** As in 0031. */
function booksSequences(tables: readonly string[]): string {
  return `
    CREATE OR REPLACE FUNCTION books_sequences() RETURNS TABLE (name text, current bigint, highest bigint) LANGUAGE sql
      STABLE SET search_path = pg_catalog, pg_temp AS $$
      SELECT c.relname::text, coalesce(pg_sequence_last_value(c.oid), 0), s.seqmax
      FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
        JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
          AND d.refclassid = 'pg_class'::regclass
        JOIN pg_class t ON t.oid = d.refobjid
      WHERE t.relnamespace = 'public'::regnamespace AND t.relname IN (${tables.map((name) => `'${name}'`).join(', ')})
      ORDER BY c.relname
    $$;`;
}
