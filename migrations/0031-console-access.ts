import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The role of auditors, who read everything and change nothing, and the sessions of people who have logged in to the
 * console (ADR 50).
 */
export class ConsoleAccess0031 implements MigrationInterface {
  readonly name = 'ConsoleAccess1764288000031';

  async up(database: QueryRunner): Promise<void> {
    for (const statement of [AUDITOR, SESSIONS, BEGIN_SESSION, CHANGE_OWN_PASSWORD]) await database.query(statement);
    await database.query(booksSequences(['session', ...EARLIER_TABLES]));
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(booksSequences(EARLIER_TABLES));
    await database.query('DROP FUNCTION change_own_password, begin_session; DROP TABLE session');
    await database.query(WITHOUT_AUDITOR);
  }
}

const EARLIER_TABLES = [
  ...['api_token', 'app_user', 'audit_entry', 'bundle', 'contact', 'contribution', 'delivery', 'fund', 'person'],
  ...['reassignment', 'review', 'role'],
];

/** As in 0024. The audit trail names sessions by their ids, so these continue with a gap after a restore, too. */
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

const AUDITOR = `
  ALTER TABLE role DROP CONSTRAINT role_name_known, ADD CONSTRAINT role_name_known
    CHECK (name IN ('Developer', 'APIOnly', 'APIWrite', 'Finance', 'Auditor'));
  INSERT INTO role (name) VALUES ('Auditor');
`;

const WITHOUT_AUDITOR = `
  -- At once, because a table cannot be altered while its triggers wait for the commit.
  SET CONSTRAINTS ALL IMMEDIATE;
  DELETE FROM app_user_role WHERE role_id = (SELECT id FROM role WHERE name = 'Auditor');
  DELETE FROM role WHERE name = 'Auditor';
  ALTER TABLE role DROP CONSTRAINT role_name_known, ADD CONSTRAINT role_name_known
    CHECK (name IN ('Developer', 'APIOnly', 'APIWrite', 'Finance'));
`;

const SESSIONS = `
  CREATE TABLE session (
    id              integer GENERATED ALWAYS AS IDENTITY,
    user_id         integer NOT NULL,
    -- The SHA-256 of the token in the cookie.
    digest          bytea NOT NULL,
    -- The SHA-256 of the password hash with which it began. Another password ends the session.
    password_digest bytea NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    -- At most a minute earlier than the last click.
    last_used_at    timestamptz NOT NULL DEFAULT now(),
    address         inet,
    -- Such as "Firefox on Windows".
    browser         text,
    CONSTRAINT session_pkey PRIMARY KEY (id),
    CONSTRAINT session_digest_key UNIQUE (digest),
    CONSTRAINT session_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT session_user_fkey FOREIGN KEY (user_id) REFERENCES app_user (id)
  );
  CREATE INDEX session_user_idx ON session (user_id);
  CREATE INDEX session_last_used_idx ON session (last_used_at);
`;

/** The service's role cannot add sessions otherwise, so no session begins without an entry in the audit trail. */
const BEGIN_SESSION = `
  -- Returns null if the user was disabled, or got another password since verified_hash was read.
  CREATE FUNCTION begin_session(of_user integer, verified_hash text, new_digest bytea, from_address inet, in_browser text)
    RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_username text;
    new_id integer;
  BEGIN
    SELECT username INTO of_username FROM public.app_user
    WHERE id = of_user AND active AND password_hash = verified_hash FOR SHARE;
    IF of_username IS NULL THEN RETURN NULL; END IF;
    INSERT INTO public.session (user_id, digest, password_digest, address, browser)
    VALUES (of_user, new_digest, sha256(convert_to(verified_hash, 'UTF8')), from_address, in_browser)
    RETURNING id INTO new_id;
    INSERT INTO public.audit_entry (actor, via, action, subject, details)
    VALUES (of_username, 'page', 'session.begin', 'session ' || new_id,
      jsonb_strip_nulls(jsonb_build_object('from', host(from_address))));
    RETURN new_id;
  END $$;

  REVOKE EXECUTE ON FUNCTION begin_session FROM PUBLIC;
`;

const CHANGE_OWN_PASSWORD = `
  -- Ends the other sessions of the user. Returns false if the session has ended, or if the user was disabled, or got another
  -- password since present_hash was read.
  CREATE FUNCTION change_own_password(of_session integer, present_hash text, new_hash text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_user integer;
    of_username text;
  BEGIN
    PERFORM public.assert_password_hash(new_hash);
    UPDATE public.app_user u SET password_hash = new_hash FROM public.session s
    WHERE s.id = of_session AND u.id = s.user_id AND u.active AND u.password_hash = present_hash
    RETURNING u.id, u.username INTO of_user, of_username;
    IF of_user IS NULL THEN RETURN false; END IF;
    UPDATE public.session SET password_digest = sha256(convert_to(new_hash, 'UTF8')) WHERE id = of_session;
    DELETE FROM public.session WHERE user_id = of_user AND id <> of_session;
    INSERT INTO public.audit_entry (actor, via, action, subject, details)
    VALUES (of_username, 'page', 'user.set-password', 'user ' || of_username, '{}');
    RETURN true;
  END $$;

  REVOKE EXECUTE ON FUNCTION change_own_password FROM PUBLIC;
`;
