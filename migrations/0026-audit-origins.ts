import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How each action came in, and entries of changes that bypass the service: triggers record changes to users, tokens, roles
 * and closed bundles for which the transaction has no entry of its own (ADR 41).
 */
export class AuditOrigins0026 implements MigrationInterface {
  readonly name = 'AuditOrigins1764288000026';

  async up(database: QueryRunner): Promise<void> {
    await database.query(VIA);
    await database.query(RECORDING);
    await database.query(USERS);
    await database.query(ROLES);
    await database.query(CLOSED_BUNDLES);
    await database.query(TOKENS);
    for (const [table, trigger] of TRIGGERS)
      await database.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${trigger}`);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(REFUSE_WITH_SEALS);
    for (const [table, trigger] of TRIGGERS) await database.query(`DROP TRIGGER ${trigger} ON ${table}`);
    await database.query(`
      DROP FUNCTION record_token_change, record_closed_contribution_change, record_closed_bundle_change, record_role_change,
        record_user_role_change, record_user_change, record_emptied_table, record_outside_change, is_recorded, audit_via;
      ALTER TABLE audit_entry DROP COLUMN via;
    `);
  }
}

/** They also fire in sessions that pass for a replica. */
const TRIGGERS: readonly (readonly [table: string, trigger: string])[] = [
  ['app_user', 'app_user_change_recorded'],
  ['app_user', 'app_user_emptied_recorded'],
  ['app_user_role', 'app_user_role_change_recorded'],
  ['app_user_role', 'app_user_role_emptied_recorded'],
  ['api_token', 'api_token_change_recorded'],
  ['api_token', 'api_token_emptied_recorded'],
  ['role', 'role_change_recorded'],
  ['role', 'role_emptied_recorded'],
  ['bundle', 'closed_bundle_update_recorded'],
  ['bundle', 'closed_bundle_delete_recorded'],
  ['contribution', 'closed_contribution_update_recorded'],
  ['contribution', 'closed_contribution_delete_recorded'],
];

const VIA = `
  -- Null in entries of versions before this one, and of functions of the database.
  ALTER TABLE audit_entry ADD COLUMN via text,
    ADD CONSTRAINT audit_entry_via_known CHECK (via IN ('api', 'page', 'command line', 'service', 'database'));

  -- How the action of an entry without via came in. Only users' names have no colon; the functions of the database call
  -- the service "service".
  CREATE FUNCTION audit_via(actor text, action text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
      WHEN actor LIKE 'command line: %' THEN 'command line'
      WHEN actor LIKE 'service: %' OR actor = 'service' AND action LIKE 'database.%' THEN 'service'
      ELSE 'api'
    END
  $$;
`;

const RECORDING = `
  -- Whether this transaction has recorded one of the actions on the subject. Entries have the time at which their
  -- transaction began. Those of the triggers do not count, so that each change gets one.
  CREATE FUNCTION is_recorded(on_subject text, actions text[]) RETURNS boolean LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM public.audit_entry e
      WHERE e.subject = on_subject AND e.action = ANY (actions) AND e.at = now() AND e.via IS DISTINCT FROM 'database')
  $$;

  -- The role that has logged in, whatever SET ROLE says, and the name that its program has given to itself.
  CREATE FUNCTION record_outside_change(action text, subject text, details jsonb) RETURNS void LANGUAGE sql
    SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO public.audit_entry (actor, via, action, subject, details)
    VALUES ('database: ' || session_user, 'database', action, subject,
      jsonb_build_object('application', current_setting('application_name')) || jsonb_strip_nulls(details))
  $$;

  CREATE FUNCTION record_emptied_table() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    PERFORM public.record_outside_change(TG_ARGV[0], TG_ARGV[1],
      jsonb_build_object('table', TG_TABLE_NAME, 'operation', TG_OP));
    RETURN NULL;
  END $$;
`;

/** Deferred, because the service adds its entry after the change. The triggers' functions run as the owner. */
const USERS = `
  CREATE FUNCTION record_user_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_user text := 'user ' || CASE TG_OP WHEN 'INSERT' THEN NEW.username ELSE OLD.username END;
    changed text[];
  BEGIN
    IF TG_OP = 'INSERT' AND public.is_recorded(of_user, '{user.create}') THEN RETURN NULL; END IF;
    IF TG_OP = 'UPDATE' THEN
      changed := array_remove(ARRAY[
        CASE WHEN NEW.username <> OLD.username THEN 'username' END,
        CASE WHEN NEW.password_hash <> OLD.password_hash AND NOT public.is_recorded(of_user, '{user.set-password}')
          THEN 'password_hash' END,
        CASE WHEN NEW.email IS DISTINCT FROM OLD.email AND NOT public.is_recorded(of_user, '{user.set-email}')
          THEN 'email' END,
        CASE WHEN NEW.active <> OLD.active
          AND NOT public.is_recorded(of_user, ARRAY[CASE WHEN NEW.active THEN 'user.enable' ELSE 'user.disable' END])
          THEN 'active' END], NULL);
      IF cardinality(changed) = 0 THEN RETURN NULL; END IF;
    END IF;
    PERFORM public.record_outside_change('database.user-change', of_user, jsonb_build_object(
      'table', TG_TABLE_NAME, 'operation', TG_OP, 'columns', to_jsonb(changed),
      'renamedTo', CASE WHEN 'username' = ANY (changed) THEN NEW.username END));
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER app_user_change_recorded AFTER INSERT OR UPDATE OR DELETE ON app_user
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_user_change();
  CREATE TRIGGER app_user_emptied_recorded AFTER TRUNCATE ON app_user
    FOR EACH STATEMENT EXECUTE FUNCTION record_emptied_table('database.user-change', 'users');

  CREATE FUNCTION record_user_role_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    link record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    of_user text := 'user ' || COALESCE((SELECT username FROM public.app_user WHERE id = link.user_id), '#' || link.user_id);
  BEGIN
    IF TG_OP = 'INSERT' AND public.is_recorded(of_user, '{user.create,user.grant}')
      OR TG_OP = 'DELETE' AND public.is_recorded(of_user, '{user.revoke}') THEN RETURN NULL; END IF;
    PERFORM public.record_outside_change('database.user-change', of_user, jsonb_build_object(
      'table', TG_TABLE_NAME, 'operation', TG_OP,
      'role', COALESCE((SELECT name FROM public.role WHERE id = link.role_id), '#' || link.role_id)));
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER app_user_role_change_recorded AFTER INSERT OR UPDATE OR DELETE ON app_user_role
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_user_role_change();
  CREATE TRIGGER app_user_role_emptied_recorded AFTER TRUNCATE ON app_user_role
    FOR EACH STATEMENT EXECUTE FUNCTION record_emptied_table('database.user-change', 'users');
`;

/** The last use of a token is no change of it. */
const TOKENS = `
  CREATE FUNCTION record_token_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_token text := 'token ' || CASE TG_OP WHEN 'INSERT' THEN NEW.id ELSE OLD.id END;
    changed text[];
  BEGIN
    IF TG_OP = 'INSERT' AND public.is_recorded(of_token, '{token.create}') THEN RETURN NULL; END IF;
    IF TG_OP = 'UPDATE' THEN
      changed := ARRAY(SELECT n.key FROM jsonb_each(to_jsonb(NEW)) n
        WHERE n.value IS DISTINCT FROM to_jsonb(OLD) -> n.key AND n.key <> 'last_used_at'
          AND NOT (n.key = 'revoked_at' AND OLD.revoked_at IS NULL AND public.is_recorded(of_token, '{token.revoke}'))
        ORDER BY n.key);
      IF cardinality(changed) = 0 THEN RETURN NULL; END IF;
    END IF;
    PERFORM public.record_outside_change('database.token-change', of_token, jsonb_build_object(
      'table', TG_TABLE_NAME, 'operation', TG_OP, 'columns', to_jsonb(changed)));
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER api_token_change_recorded
    AFTER INSERT OR DELETE OR UPDATE OF id, user_id, name, digest, scopes, networks, created_at, expires_at, revoked_at
    ON api_token DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_token_change();
  CREATE TRIGGER api_token_emptied_recorded AFTER TRUNCATE ON api_token
    FOR EACH STATEMENT EXECUTE FUNCTION record_emptied_table('database.token-change', 'tokens');
`;

/** Their hashes contain the column that would be dropped. Nobody could verify the entries any more. */
const REFUSE_WITH_SEALS = `
  DO $$
  BEGIN
    IF EXISTS (SELECT FROM public.audit_seal) THEN
      RAISE 'This migration cannot be reverted, because entries of the audit trail are sealed with the column via'
        USING HINT = 'Restore the backup from before the update instead: docs/operating.md.';
    END IF;
  END $$`;

/** The service only adds roles, and a new role is nobody's yet. */
const ROLES = `
  CREATE FUNCTION record_role_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    PERFORM public.record_outside_change('database.role-change', 'role ' || OLD.name, jsonb_build_object(
      'table', TG_TABLE_NAME, 'operation', TG_OP, 'renamedTo', CASE WHEN TG_OP = 'UPDATE' THEN NEW.name END));
    RETURN NULL;
  END $$;
  CREATE TRIGGER role_change_recorded AFTER UPDATE OR DELETE ON role
    FOR EACH ROW EXECUTE FUNCTION record_role_change();
  CREATE TRIGGER role_emptied_recorded AFTER TRUNCATE ON role
    FOR EACH STATEMENT EXECUTE FUNCTION record_emptied_table('database.role-change', 'roles');
`;

/**
 * The triggers of migration 10 refuse these changes, unless somebody has switched them off. A gift fires none of these:
 * it adds bundles and contributions, and changes neither.
 */
const CLOSED_BUNDLES = `
  CREATE FUNCTION record_closed_bundle_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    changed text[];
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF OLD.status = 1 AND public.is_recorded('bundle ' || OLD.id, '{bundle.close}') THEN RETURN NULL; END IF;
      changed := ARRAY(SELECT n.key FROM jsonb_each(to_jsonb(NEW)) n
        WHERE n.value IS DISTINCT FROM to_jsonb(OLD) -> n.key ORDER BY n.key);
    END IF;
    PERFORM public.record_outside_change('database.bundle-change', 'bundle ' || OLD.id, jsonb_build_object(
      'table', TG_TABLE_NAME, 'operation', TG_OP, 'columns', to_jsonb(changed)));
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER closed_bundle_update_recorded AFTER UPDATE ON bundle DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((OLD.status = 0 OR NEW.status = 0) AND OLD IS DISTINCT FROM NEW)
    EXECUTE FUNCTION record_closed_bundle_change();
  CREATE CONSTRAINT TRIGGER closed_bundle_delete_recorded AFTER DELETE ON bundle DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.status = 0) EXECUTE FUNCTION record_closed_bundle_change();

  CREATE FUNCTION record_closed_contribution_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    closed integer;
    changed text[];
  BEGIN
    SELECT min(id) INTO closed FROM public.bundle
    WHERE status = 0 AND (id = OLD.bundle_id OR TG_OP = 'UPDATE' AND id = NEW.bundle_id);
    IF closed IS NULL THEN RETURN NULL; END IF;
    IF TG_OP = 'UPDATE' THEN
      changed := ARRAY(SELECT n.key FROM jsonb_each(to_jsonb(NEW)) n
        WHERE n.value IS DISTINCT FROM to_jsonb(OLD) -> n.key AND n.key = ANY (TG_ARGV) ORDER BY n.key);
      IF cardinality(changed) = 0 THEN RETURN NULL; END IF;
    END IF;
    PERFORM public.record_outside_change('database.bundle-change', 'bundle ' || closed, jsonb_build_object(
      'table', TG_TABLE_NAME, 'operation', TG_OP, 'contributionId', OLD.id, 'columns', to_jsonb(changed)));
    RETURN NULL;
  END $$;
  CREATE TRIGGER closed_contribution_update_recorded
    AFTER UPDATE OF bundle_id, amount, currency, given_at, day, fund_id, contribution_type_id, reverses_id
    ON contribution FOR EACH ROW EXECUTE FUNCTION record_closed_contribution_change(
      'bundle_id', 'amount', 'currency', 'given_at', 'day', 'fund_id', 'contribution_type_id', 'reverses_id');
  CREATE TRIGGER closed_contribution_delete_recorded AFTER DELETE ON contribution
    FOR EACH ROW EXECUTE FUNCTION record_closed_contribution_change();
`;
