import type { Transactions } from '../database/index.js';
import type { Finding } from '../health/index.js';

interface RoleRow {
  readonly role: string;
  /** Each right that the role has in excess, in words. */
  readonly excess: readonly string[];
}

/**
 * What the service's role may do and does not need. A superuser may do everything, so nothing else is listed for it.
 * The rights on tables are those with which a change of the books or of users could go unrecorded.
 */
const SELECT_EXCESS = `
  SELECT current_user AS role, CASE WHEN r.rolsuper THEN ARRAY['is a superuser'] ELSE array_remove(ARRAY[
    CASE WHEN EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND pg_has_role(relowner, 'USAGE')) THEN 'owns tables' END,
    CASE WHEN r.rolcreaterole THEN 'may create roles' END,
    CASE WHEN r.rolcreatedb THEN 'may create databases' END,
    CASE WHEN r.rolreplication THEN 'may copy the whole server (REPLICATION)' END,
    CASE WHEN r.rolbypassrls THEN 'bypasses row security' END,
    (SELECT 'is a member of ' || string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_roles g
      WHERE g.oid <> r.oid AND pg_has_role(r.oid, g.oid, 'MEMBER')),
    CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN 'may create schemas' END,
    CASE WHEN has_schema_privilege('public', 'CREATE') THEN 'may create tables' END,
    (SELECT 'may change ' || string_agg(name, ', ') FROM unnest(ARRAY['app_user', 'app_user_role', 'role']) AS name
      WHERE has_table_privilege('public.' || name, 'DELETE, TRUNCATE')
        OR has_any_column_privilege('public.' || name, 'INSERT, UPDATE')),
    (SELECT 'may change or delete rows of ' || string_agg(name, ', ') FROM unnest(ARRAY['audit_entry', 'contribution']) AS name
      WHERE has_table_privilege('public.' || name, 'UPDATE, DELETE, TRUNCATE'))
  ], NULL) END AS excess
  FROM pg_roles r WHERE r.rolname = current_user`;

/** Checks that the role of the service has no rights with which somebody who takes over the service could do more. */
export async function checkRights(transactions: Transactions): Promise<Finding> {
  const check = 'rights';
  const [row] = await transactions.query<RoleRow>(SELECT_EXCESS);
  if (row === undefined) throw new Error('The current role is not in pg_roles');
  const { role, excess } = row;
  if (excess.length === 0) return { check, result: 'ok', found: `the role ${role} has only those that it needs` };
  const advice =
    'Somebody who takes over the service could change the books, users and the audit trail unrecorded, and perhaps run ' +
    'programs on the machine of the database. Give the service a role of its own: docs/operating.md, "The roles of the database".';
  return { check, result: 'warning', found: `the role ${role} of the service ${excess.join(', ')}`, advice };
}
