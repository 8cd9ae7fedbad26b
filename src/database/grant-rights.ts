import { Client } from 'pg';
import { type Connection, pgConfig } from './connection.js';
import { grantStatements } from './service-rights.js';

/**
 * Gives the role of the service's connection the rights it needs, and takes all others in these schemas from it. Nothing
 * is done where it is the owner itself.
 * @param owner connected as the owner of all tables
 */
export async function grantRights(owner: Client, service: Connection): Promise<void> {
  const role = await roleOf(service);
  const { rows } = await owner.query<{ me: string }>('SELECT current_user AS me');
  if (rows[0]?.me === role) return;
  // As one: the service that runs meanwhile is never without a right.
  const statements = ['BEGIN', ...grantStatements(owner.escapeIdentifier(role)), 'COMMIT'];
  await owner.query(statements.join(';\n'));
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
