import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Functions through which alone the service's role changes users and tokens (ADR 42). Each one checks its arguments, changes one
 * user, and records the change in the audit trail, in the same transaction and with the owner's rights. The service's
 * role has no right to change the tables of users. A trigger checks the audit entries that this role adds by itself.
 */
export class UserFunctions0028 implements MigrationInterface {
  readonly name = 'UserFunctions1764288000028';

  async up(database: QueryRunner): Promise<void> {
    for (const statement of [CHECKS, FUNCTIONS, TOKEN_FUNCTIONS, AUDIT_CHECK]) await database.query(statement);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DROP TRIGGER audit_entry_checked ON audit_entry;
      DROP FUNCTION check_audit_entry, create_api_token, revoke_api_token, create_user, set_user_password, set_user_email, set_user_active, grant_user_roles,
        revoke_user_roles, record_user_action, record_token_action, record_operator_action, locked_user, assert_roles, assert_password_hash, assert_email,
        assert_username;
    `);
  }
}

/** They run with the rights of the caller, which are the owner's in the functions below. */
const CHECKS = `
  CREATE FUNCTION assert_email(email text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    -- Several addresses would be a list of recipients.
    IF email !~ '^[^[:cntrl:][:space:],;@]+@[^[:cntrl:][:space:],;@]+$' THEN
      RAISE 'not one e-mail address' USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END $$;

  -- Anything else than argon2id would be a password that is stored as it is, or one that is fast to guess. Parameters that
  -- are too large would let each login take the memory or the processor of the service.
  CREATE FUNCTION assert_password_hash(hash text) RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    costs integer[] := regexp_match(hash,
      '^[$]argon2id[$]v=19[$]m=([0-9]{5,6}),t=([0-9]{1,2}),p=([0-9])[$][A-Za-z0-9+/]{22,64}[$][A-Za-z0-9+/]{43,86}$')::integer[];
  BEGIN
    -- Up to 128 MiB, 10 passes and 4 lanes.
    IF (costs[1] BETWEEN 10000 AND 131072 AND costs[2] BETWEEN 1 AND 10 AND costs[3] BETWEEN 1 AND 4) IS NOT TRUE THEN
      RAISE 'not a hash of argon2id with usual parameters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END $$;

  -- Of the rules of user create, those without which a name could pass for another actor in the audit trail or the log.
  CREATE FUNCTION assert_username(username text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF (char_length(username) BETWEEN 1 AND 100 AND username !~ '^[[:space:]]|[[:space:]]$'
      AND username !~ '[:\\u0001-\\u001F\\u007F-\\u009F]' AND lower(username) <> 'command line') IS NOT TRUE
    THEN
      RAISE 'not a user name' USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END $$;

  CREATE FUNCTION assert_roles(roles text[]) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF EXISTS (SELECT unnest(roles) EXCEPT SELECT name FROM public.role) THEN
      RAISE 'an unknown role' USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END $$;

  -- The id of a user, whose row is locked so that concurrent changes do not undo each other. Null for an unknown user.
  CREATE FUNCTION locked_user(of_username text) RETURNS integer LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    SELECT id FROM public.app_user WHERE username = of_username FOR UPDATE
  $$;

  -- Users are changed by the operating system's accounts only, never by a user of the API. No user's name has a colon.
  CREATE FUNCTION record_operator_action(actor text, action text, subject text, details jsonb) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF actor IS NULL OR actor !~ '^(command line|service): .' THEN
      RAISE 'users and tokens are changed by the command line or the service' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO public.audit_entry (actor, via, action, subject, details)
    VALUES (actor, public.audit_via(actor, action), action, subject, details);
  END $$;

  CREATE FUNCTION record_user_action(actor text, action text, username text, details jsonb) RETURNS void LANGUAGE sql
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT public.record_operator_action(actor, action, 'user ' || username, details)
  $$;

  CREATE FUNCTION record_token_action(actor text, action text, id integer, details jsonb) RETURNS void LANGUAGE sql
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT public.record_operator_action(actor, action, 'token ' || id, details)
  $$;
`;

/** The last five return false for an unknown user. */
const FUNCTIONS = `
  CREATE FUNCTION create_user(actor text, of_username text, new_password_hash text, new_email text, new_roles text[])
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    new_id integer;
  BEGIN
    PERFORM public.assert_username(of_username);
    PERFORM public.assert_password_hash(new_password_hash);
    PERFORM public.assert_email(new_email);
    PERFORM public.assert_roles(new_roles);
    INSERT INTO public.app_user (username, password_hash, email) VALUES (of_username, new_password_hash, new_email)
    RETURNING id INTO new_id;
    INSERT INTO public.app_user_role (user_id, role_id)
    SELECT new_id, id FROM public.role WHERE name = ANY (new_roles);
    PERFORM public.record_user_action(actor, 'user.create', of_username, jsonb_build_object('roles', new_roles));
  END $$;

  CREATE FUNCTION set_user_password(actor text, of_username text, new_password_hash text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_user integer := public.locked_user(of_username);
  BEGIN
    IF of_user IS NULL THEN RETURN false; END IF;
    PERFORM public.assert_password_hash(new_password_hash);
    UPDATE public.app_user SET password_hash = new_password_hash WHERE id = of_user;
    PERFORM public.record_user_action(actor, 'user.set-password', of_username, '{}');
    RETURN true;
  END $$;

  CREATE FUNCTION set_user_email(actor text, of_username text, new_email text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_user integer := public.locked_user(of_username);
  BEGIN
    IF of_user IS NULL THEN RETURN false; END IF;
    PERFORM public.assert_email(new_email);
    UPDATE public.app_user SET email = new_email WHERE id = of_user;
    PERFORM public.record_user_action(actor, 'user.set-email', of_username, '{}');
    RETURN true;
  END $$;

  CREATE FUNCTION set_user_active(actor text, of_username text, is_active boolean) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_user integer := public.locked_user(of_username);
  BEGIN
    IF of_user IS NULL THEN RETURN false; END IF;
    UPDATE public.app_user SET active = is_active WHERE id = of_user;
    PERFORM public.record_user_action(actor, CASE WHEN is_active THEN 'user.enable' ELSE 'user.disable' END, of_username, '{}');
    RETURN true;
  END $$;

  CREATE FUNCTION grant_user_roles(actor text, of_username text, roles text[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_user integer := public.locked_user(of_username);
  BEGIN
    IF of_user IS NULL THEN RETURN false; END IF;
    PERFORM public.assert_roles(roles);
    INSERT INTO public.app_user_role (user_id, role_id) SELECT of_user, id FROM public.role WHERE name = ANY (roles)
    ON CONFLICT DO NOTHING;
    PERFORM public.record_user_action(actor, 'user.grant', of_username, jsonb_build_object('roles', roles));
    RETURN true;
  END $$;

  CREATE FUNCTION revoke_user_roles(actor text, of_username text, roles text[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_user integer := public.locked_user(of_username);
  BEGIN
    IF of_user IS NULL THEN RETURN false; END IF;
    PERFORM public.assert_roles(roles);
    DELETE FROM public.app_user_role
    WHERE user_id = of_user AND role_id IN (SELECT id FROM public.role WHERE name = ANY (roles));
    PERFORM public.record_user_action(actor, 'user.revoke', of_username, jsonb_build_object('roles', roles));
    RETURN true;
  END $$;

  REVOKE EXECUTE ON FUNCTION create_user, set_user_password, set_user_email, set_user_active, grant_user_roles,
    revoke_user_roles FROM PUBLIC;
`;

const TOKEN_FUNCTIONS = `
  -- Returns no row for an unknown or disabled user.
  CREATE FUNCTION create_api_token(actor text, of_username text, token_name text, token_digest bytea,
    token_scopes text[], token_networks cidr[], lifetime_hours integer)
    RETURNS TABLE (token_id integer, expiry timestamptz)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    INSERT INTO public.api_token (user_id, name, digest, scopes, networks, expires_at)
    SELECT u.id, token_name, token_digest, token_scopes, token_networks, now() + make_interval(hours => lifetime_hours)
    FROM public.app_user u WHERE u.username = of_username AND u.active
    RETURNING api_token.id, api_token.expires_at INTO token_id, expiry;
    IF token_id IS NULL THEN RETURN; END IF;
    PERFORM public.record_token_action(actor, 'token.create', token_id, jsonb_strip_nulls(jsonb_build_object(
      'user', of_username, 'scopes', token_scopes, 'from', token_networks::text[],
      'expiresAt', to_char(date_trunc('milliseconds', expiry) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))));
    RETURN NEXT;
  END $$;

  -- Has no effect on a token that is revoked already, or unknown.
  CREATE FUNCTION revoke_api_token(actor text, token_id integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_username text;
  BEGIN
    UPDATE public.api_token t SET revoked_at = now() FROM public.app_user u
    WHERE t.id = token_id AND t.revoked_at IS NULL AND u.id = t.user_id
    RETURNING u.username INTO of_username;
    IF of_username IS NULL THEN RETURN; END IF;
    PERFORM public.record_token_action(actor, 'token.revoke', token_id, jsonb_build_object('user', of_username));
  END $$;

  REVOKE EXECUTE ON FUNCTION create_api_token, revoke_api_token FROM PUBLIC;
`;

const AUDIT_CHECK = `
  -- For entries that a role adds with its own rights. In the functions above the role is the owner.
  CREATE FUNCTION check_audit_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN RETURN NEW; END IF;
    IF NEW.action ~ '^(user|token|database)[.]' THEN
      RAISE 'only the owner of audit_entry, and functions that run as the owner, record %', NEW.action
        USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NEW.actor !~ '^(command line|service): .' AND NOT EXISTS (SELECT FROM public.app_user WHERE username = NEW.actor) THEN
      RAISE 'the actor of an audit entry is a user, or an account at the command line or of the service'
        USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- Null in entries of versions before this one.
    IF NEW.via <> ALL (CASE
      WHEN NEW.actor LIKE 'command line: %' THEN ARRAY['command line']
      WHEN NEW.actor LIKE 'service: %' THEN ARRAY['service']
      ELSE ARRAY['api', 'page', 'command line'] END)
    THEN
      RAISE 'no action of % comes in by %', NEW.actor, NEW.via USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER audit_entry_checked BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION check_audit_entry();
`;
