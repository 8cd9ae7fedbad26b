import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens with which programs log in as a user (ADR 40). */
export class ApiTokens0024 implements MigrationInterface {
  readonly name = 'ApiTokens1764288000024';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- digest: the SHA-256 of the token. The token itself is not stored. scopes: the calls that the token may make.
      -- networks: the only networks from which the token is accepted; null for any. last_used_at: at most a minute old.
      CREATE TABLE api_token (
        id           integer GENERATED ALWAYS AS IDENTITY,
        user_id      integer NOT NULL,
        name         text,
        digest       bytea NOT NULL,
        scopes       text[] NOT NULL,
        networks     cidr[],
        created_at   timestamptz NOT NULL DEFAULT now(),
        expires_at   timestamptz,
        last_used_at timestamptz,
        revoked_at   timestamptz,
        CONSTRAINT api_token_pkey PRIMARY KEY (id),
        CONSTRAINT api_token_digest_key UNIQUE (digest),
        CONSTRAINT api_token_user_fkey FOREIGN KEY (user_id) REFERENCES app_user (id),
        CONSTRAINT api_token_digest_length CHECK (octet_length(digest) = 32),
        CONSTRAINT api_token_scopes_known
          CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['add', 'reverse', 'read', 'preview']),
        CONSTRAINT api_token_networks_some CHECK (cardinality(networks) > 0)
      );
      CREATE INDEX api_token_user_idx ON api_token (user_id);
      ${booksSequences(['api_token', ...EARLIER_TABLES])}
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`${booksSequences(EARLIER_TABLES)} DROP TABLE api_token`);
  }
}

const EARLIER_TABLES = [
  ...['app_user', 'audit_entry', 'bundle', 'contact', 'contribution', 'delivery', 'fund', 'person', 'reassignment'],
  ...['review', 'role'],
];

/** The function of migration 17, for these tables: their ids continue with a gap after a restore. */
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
