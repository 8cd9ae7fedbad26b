import { Client } from 'pg';
import { type Connection, pgConfig } from './connection.js';
import { grantStatements } from './service-rights.js';

/** What became of the rights of the service's role, in words for who asked. */
export type Rights = string;

/**
 * Gives the role of the service's connection the rights it needs, and takes all others in these schemas from it. Nothing
 * is done where it is the owner itself.
 * @param owner connected as the owner of all tables
 * @param newer migrations that this program does not know: what they need stands in a newer program's list, and an old
 * replica that starts again must not take it from the new ones
 */
export async function grantRights(owner: Client, service: Connection, newer: readonly string[]): Promise<Rights> {
  const role = await roleOf(service);
  const { rows } = await owner.query<{ me: string }>('SELECT current_user AS me');
  if (rows[0]?.me === role) return describeOwn(owner);
  if (newer.length > 0) return `left as they are: a newer version has migrated the database (${newer.join(', ')})`;
  // As one: the service that runs meanwhile is never without a right.
  const statements = ['BEGIN', ...grantStatements(owner.escapeIdentifier(role)), 'COMMIT'];
  await owner.query(statements.join(';\n'));
  return `granted to ${role}`;
}

/** Where there is one role for all: whether it is the owner, or somebody who wants rights has come by the wrong door. */
export async function describeOwn(client: Client): Promise<Rights> {
  const { rows } = await client.query<{ me: string; owner: string; owns: boolean }>(
    `SELECT current_user AS me, pg_get_userbyid(relowner) AS owner, pg_has_role(relowner, 'USAGE') AS owns
     FROM pg_class WHERE oid = 'public.migrations'::regclass`,
  );
  const [{ me, owner, owns } = { me: '', owner: '', owns: true }] = rows;
  if (owns) return `none to grant: ${me} may do all in the tables`;
  return (
    `none granted: the tables belong to ${owner}, and this is ${me}. Set MIGRATION_DATABASE_URL to connect as ${owner}; ` +
    'with docker-compose.roles.yml: docker compose run --rm migrate'
  );
}

async function roleOf(connection: Connection): Promise<string> {
  const client = new Client(pgConfig(connection, 'offertory migrate'));
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ me: string }>('SELECT current_user AS me');
    return rows[0]?.me ?? '';
  } finally {
    await client.end();
  }
}
