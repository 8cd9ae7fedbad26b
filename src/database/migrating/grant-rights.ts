import { escapeIdentifier } from 'pg';
import type { QueryRunner } from 'typeorm';
import { type Connection, openSession } from '../sessions/connection.js';
import { type Entity, grantStatements, SERVICE_FUNCTIONS } from './service-rights.js';

/** Everything that GRANT treats as a table, and on which the current role may grant rights. */
const OWNED = `
  SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname IN ('public', 'pgboss') AND relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_has_role(relowner, 'USAGE')`;

/** Describes what was done with the rights of the service's role, for the operator. */
export type Rights = string;

/**
 * After a restore without privileges every role could call them. With EXECUTE on a trigger's function, a role could attach it to
 * a table of its own, and record with the owner's rights what it likes. The triggers themselves need no right to fire.
 */
const REVOKE_FROM_OTHERS = `
  REVOKE EXECUTE ON FUNCTION ${SERVICE_FUNCTIONS.join(', ')} FROM PUBLIC;
  DO $$
  DECLARE
    name text;
  BEGIN
    FOR name IN
      SELECT oid::regprocedure FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND prosecdef AND prorettype = 'trigger'::regtype
        AND pg_has_role(proowner, 'USAGE')
    LOOP
      EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || name || ' FROM PUBLIC';
    END LOOP;
  END $$`;

/**
 * Grants the service's role the rights it needs, and revokes all others on the owner's tables. Grants nothing if the
 * role is the owner itself.
 * @param owner in a transaction of the owner of all tables, so that a running service never lacks a right
 * @param newer migrations that this program does not know. Only a newer program knows the rights they need, so an old
 * replica that restarts must not change them.
 * @throws Error with advice, when `owner` is not the owner. GRANT would only print a warning and grant nothing.
 */
export async function grantRights(
  owner: QueryRunner,
  role: string,
  entities: readonly Entity[],
  newer: readonly string[],
): Promise<Rights> {
  const { me, owner: actualOwner, owns } = await ownershipOf(owner);
  if (me === role) return keepRights(owner);
  if (!owns) throw new Error(`The rights of ${role} were not granted: ${notTheOwner(me, actualOwner)}`);
  if (newer.length > 0) return `left as they are: a newer version has migrated the database (${newer.join(', ')})`;
  const tables = (await owner.query(OWNED)) as readonly { name: string }[];
  const owned = tables.map(({ name }) => name);
  await owner.query([REVOKE_FROM_OTHERS, ...grantStatements(escapeIdentifier(role), entities, owned)].join(';\n'));
  return `granted to ${role}`;
}

/** For one role for everything. Grants nothing; the result says whether the role is the owner. */
export async function keepRights(runner: QueryRunner): Promise<Rights> {
  const { me, owner, owns } = await ownershipOf(runner);
  if (!owns) return `none granted: ${notTheOwner(me, owner)}`;
  await runner.query(REVOKE_FROM_OTHERS);
  return `none to grant: ${me} has all rights on the tables`;
}

function notTheOwner(me: string, owner: string): string {
  return (
    `the tables belong to ${owner}, but this role is ${me}. Set MIGRATION_DATABASE_URL to connect as ${owner}; ` +
    'with Docker: docker compose run --rm migrate'
  );
}

interface Ownership {
  readonly me: string;
  readonly owner: string;
  readonly owns: boolean;
}

async function ownershipOf(runner: QueryRunner): Promise<Ownership> {
  const [ownership] = (await runner.query(
    `SELECT current_user AS me, pg_get_userbyid(relowner) AS owner, pg_has_role(relowner, 'USAGE') AS owns
     FROM pg_class WHERE oid = 'public.migrations'::regclass`,
  )) as readonly Ownership[];
  if (ownership === undefined) throw new Error('A table that was found by its name has no row in pg_class');
  return ownership;
}

/** The role of this connection. */
export async function roleOf(connection: Connection): Promise<string> {
  const client = await openSession(connection, 'offertory migrate');
  try {
    const { rows } = await client.query<{ me: string }>('SELECT current_user AS me');
    return rows[0]?.me ?? '';
  } finally {
    await client.end();
  }
}
