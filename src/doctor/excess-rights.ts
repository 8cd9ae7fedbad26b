import type { Entity, TableRights, Transactions } from '../database/index.js';
import { rightsByTable } from '../database/index.js';
import type { Finding } from '../health/index.js';

interface RoleRow {
  readonly role: string;
  readonly owns: boolean;
  /** Each right that the role has in excess, in words, besides those on tables. */
  readonly excess: readonly string[];
}

/** What the service's role may do and does not need. A superuser may do everything, so nothing else is listed for it. */
const SELECT_EXCESS = `
  SELECT current_user AS role, r.rolsuper OR owned.tables AS owns,
    CASE WHEN r.rolsuper THEN ARRAY['is a superuser'] ELSE array_remove(ARRAY[
      CASE WHEN owned.tables THEN 'owns tables' END,
      CASE WHEN r.rolcreaterole THEN 'may create roles' END,
      CASE WHEN r.rolcreatedb THEN 'may create databases' END,
      CASE WHEN r.rolreplication THEN 'may copy the whole server (REPLICATION)' END,
      CASE WHEN r.rolbypassrls THEN 'bypasses row security' END,
      (SELECT 'is a member of ' || string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_roles g
        WHERE g.oid <> r.oid AND pg_has_role(r.oid, g.oid, 'MEMBER')),
      CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN 'may create schemas' END,
      CASE WHEN has_database_privilege(current_database(), 'TEMPORARY') THEN 'may create temporary tables' END,
      CASE WHEN has_schema_privilege('public', 'CREATE') THEN 'may create tables' END
    ], NULL) END AS excess
  FROM pg_roles r, LATERAL (
    SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND pg_has_role(relowner, 'USAGE')) AS tables) owned
  WHERE r.rolname = current_user`;

/** A right of the role besides SELECT. */
interface RightRow {
  readonly table: string;
  readonly privilege: 'INSERT' | 'UPDATE' | 'REFERENCES' | 'DELETE' | 'TRUNCATE' | 'TRIGGER';
  /** The columns on which the role has it; null for the whole table. */
  readonly columns: readonly string[] | null;
}

/** GRANT has rights on columns for three of these privileges. */
const SELECT_RIGHTS = `
  SELECT c.relname AS table, p.privilege, CASE WHEN whole.has THEN NULL ELSE columns.names END AS columns
  FROM pg_class c CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'REFERENCES', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS p (privilege),
    LATERAL (SELECT has_table_privilege(c.oid, p.privilege) AS has) whole,
    LATERAL (SELECT CASE WHEN p.privilege IN ('INSERT', 'UPDATE', 'REFERENCES') THEN ARRAY(
      SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
        AND has_column_privilege(c.oid, attnum, p.privilege) ORDER BY attname) ELSE ARRAY[]::text[] END AS names) columns
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND (whole.has OR cardinality(columns.names) > 0)
  ORDER BY c.relname, p.privilege`;

/**
 * Checks that the role of the service has no rights with which somebody who takes over the service could do more.
 * @param entities whose `@ServiceRights` are the rights that the role needs.
 */
export async function checkRights(transactions: Transactions, entities: readonly Entity[]): Promise<Finding> {
  const check = 'rights';
  const [row] = await transactions.query<RoleRow>(SELECT_EXCESS);
  if (row === undefined) throw new Error('The current role is not in pg_roles');
  const { role, owns } = row;
  const excess = [...row.excess, ...(owns ? [] : await excessOnTables(transactions, rightsByTable(entities)))];
  if (excess.length === 0) return { check, result: 'ok', found: `the role ${role} has only those that it needs` };
  const advice =
    'Somebody who takes over the service could change the books, users and the audit trail unrecorded, and perhaps run ' +
    'programs on the machine of the database. Give the service a role of its own: docs/operating.md, "The roles of the database".';
  return { check, result: 'warning', found: `the role ${role} of the service ${excess.join(', ')}`, advice };
}

/** For example "has UPDATE (email) on app_user". */
async function excessOnTables(
  transactions: Transactions,
  declared: Readonly<Record<string, TableRights>>,
): Promise<string[]> {
  const rights = await transactions.query<RightRow>(SELECT_RIGHTS);
  return rights.flatMap(({ table, privilege, columns }) => {
    const needed = neededColumns(declared[table] ?? {}, privilege);
    if (needed === true) return [];
    if (columns === null) return [`has ${privilege} on ${table}`];
    const more = columns.filter((column) => !needed.includes(column));
    return more.length === 0 ? [] : [`has ${privilege} (${more.join(', ')}) on ${table}`];
  });
}

/** True for whole rows. */
function neededColumns(rights: TableRights, privilege: RightRow['privilege']): true | readonly string[] {
  if (privilege === 'INSERT') return rights.insert ?? [];
  if (privilege === 'UPDATE') return rights.update ?? [];
  return privilege === 'DELETE' && rights.delete === true ? true : [];
}
