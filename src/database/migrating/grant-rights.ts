import { escapeIdentifier } from 'pg';
import type { QueryRunner } from 'typeorm';
import { type Connection, openSession } from '../sessions/connection.js';
import { type Entity, grantStatements } from './service-rights.js';

/** What GRANT takes for a table, and the role that asks may hand out rights on. */
const OWNED = `
  SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname IN ('public', 'pgboss') AND relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_has_role(relowner, 'USAGE')`;

/** What became of the rights of the service's role, in words for who asked. */
export type Rights = string;

/** Ids are for whom records gifts; where a backup was restored without privileges, everybody could take them. */
const REVOKE_FROM_OTHERS = 'REVOKE EXECUTE ON FUNCTION public.next_id FROM PUBLIC';

/**
 * Gives the service's role the rights it needs, and takes all others on the owner's tables from it. Nothing is given where
 * it is the owner itself.
 * @param owner in a transaction of the owner of all tables: the service that runs meanwhile is never without a right
 * @param newer migrations that this program does not know: what they need stands in a newer program's list, and an old
 * replica that starts again must not take it from the new ones
 * @throws Error that says so, where the owner is none: GRANT would only warn, and nothing would be granted.
 */
export async function grantRights(
  owner: QueryRunner,
  role: string,
  entities: readonly Entity[],
  newer: readonly string[],
): Promise<Rights> {
  const { me, owner: trueOwner, owns } = await ownershipOf(owner);
  if (me === role) return keepRights(owner);
  if (!owns) throw new Error(`The rights of ${role} were not granted: ${notTheOwner(me, trueOwner)}`);
  if (newer.length > 0) return `left as they are: a newer version has migrated the database (${newer.join(', ')})`;
  const tables = (await owner.query(OWNED)) as readonly { name: string }[];
  const owned = tables.map(({ name }) => name);
  await owner.query([REVOKE_FROM_OTHERS, ...grantStatements(escapeIdentifier(role), entities, owned)].join(';\n'));
  return `granted to ${role}`;
}

/** Where there is one role for all: whether it is the owner, or somebody who wants rights has come by the wrong door. */
export async function keepRights(runner: QueryRunner): Promise<Rights> {
  const { me, owner, owns } = await ownershipOf(runner);
  if (!owns) return `none granted: ${notTheOwner(me, owner)}`;
  await runner.query(REVOKE_FROM_OTHERS);
  return `none to grant: ${me} may do all in the tables`;
}

function notTheOwner(me: string, owner: string): string {
  return (
    `the tables belong to ${owner}, and this is ${me}. Set MIGRATION_DATABASE_URL to connect as ${owner}; ` +
    'with docker-compose.roles.yml: docker compose run --rm migrate'
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

/** The role by which this connection comes in. */
export async function roleOf(connection: Connection): Promise<string> {
  const client = await openSession(connection, 'offertory migrate');
  try {
    const { rows } = await client.query<{ me: string }>('SELECT current_user AS me');
    return rows[0]?.me ?? '';
  } finally {
    await client.end();
  }
}
