import type { Client } from 'pg';
import { type Connection, openSession } from './connection.js';
import { grantStatements } from './service-rights.js';

/** What GRANT takes for a table, and the role that asks may hand out rights on. */
const OWNED = `
  SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname IN ('public', 'pgboss') AND relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_has_role(relowner, 'USAGE')`;

/** What became of the rights of the service's role, in words for who asked. */
export type Rights = string;

/**
 * Gives the role of the service's connection the rights it needs, and takes all others on the owner's tables from it.
 * Nothing is done where it is the owner itself.
 * @param owner connected as the owner of all tables
 * @param newer migrations that this program does not know: what they need stands in a newer program's list, and an old
 * replica that starts again must not take it from the new ones
 * @throws Error that says so, where the owner is none: GRANT would only warn, and nothing would be granted.
 */
export async function grantRights(owner: Client, service: Connection, newer: readonly string[]): Promise<Rights> {
  const role = await roleOf(service);
  const { me, owner: trueOwner, owns } = await ownershipOf(owner);
  if (me === role) return describeOwn(owner);
  if (!owns) throw new Error(`The rights of ${role} were not granted: ${notTheOwner(me, trueOwner)}`);
  if (newer.length > 0) return `left as they are: a newer version has migrated the database (${newer.join(', ')})`;
  const { rows: tables } = await owner.query<{ name: string }>(OWNED);
  const owned = tables.map(({ name }) => name);
  // As one: the service that runs meanwhile is never without a right.
  const statements = ['BEGIN', ...grantStatements(owner.escapeIdentifier(role), owned), 'COMMIT'];
  await owner.query(statements.join(';\n'));
  return `granted to ${role}`;
}

/** Where there is one role for all: whether it is the owner, or somebody who wants rights has come by the wrong door. */
export async function describeOwn(client: Client): Promise<Rights> {
  const { me, owner, owns } = await ownershipOf(client);
  return owns ? `none to grant: ${me} may do all in the tables` : `none granted: ${notTheOwner(me, owner)}`;
}

function notTheOwner(me: string, owner: string): string {
  return (
    `the tables belong to ${owner}, and this is ${me}. Set MIGRATION_DATABASE_URL to connect as ${owner}; ` +
    'with docker-compose.roles.yml: docker compose run --rm migrate'
  );
}

async function ownershipOf(client: Client): Promise<{ me: string; owner: string; owns: boolean }> {
  const { rows } = await client.query<{ me: string; owner: string; owns: boolean }>(
    `SELECT current_user AS me, pg_get_userbyid(relowner) AS owner, pg_has_role(relowner, 'USAGE') AS owns
     FROM pg_class WHERE oid = 'public.migrations'::regclass`,
  );
  const [ownership] = rows;
  if (ownership === undefined) throw new Error('A table that was found by its name has no row in pg_class');
  return ownership;
}

async function roleOf(connection: Connection): Promise<string> {
  const client = await openSession(connection, 'offertory migrate');
  try {
    const { rows } = await client.query<{ me: string }>('SELECT current_user AS me');
    return rows[0]?.me ?? '';
  } finally {
    await client.end();
  }
}
