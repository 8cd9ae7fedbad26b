import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TestDatabase } from './test-database.js';
import { execute, withDatabaseName } from './test-server.mjs';

/** The two roles of scripts/database-roles.sql with unique names, because roles belong to the whole server. */
export interface DatabaseRoles {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  /** Runs the script again. */
  again(): Promise<unknown>;
  /** Drops the roles. The database must be dropped before. */
  drop(): Promise<void>;
}

const SCRIPT = readFileSync(new URL('../../scripts/database-roles.sql', import.meta.url), 'utf8');

export async function makeRoles(database: TestDatabase): Promise<DatabaseRoles> {
  const unique = randomUUID().slice(0, 8);
  const [owner, service] = [`offertory_owner_${unique}`, `offertory_service_${unique}`];
  const script = SCRIPT.replaceAll('offertory_owner', owner).replaceAll('offertory_service', service);
  const password = randomUUID();
  await database.query(script);
  for (const role of [owner, service]) await database.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
  const as = (role: string): string => {
    const url = new URL(database.url);
    url.username = role;
    url.password = password;
    return url.toString();
  };
  return {
    ownerUrl: as(owner),
    serviceUrl: as(service),
    again: () => database.query(script),
    drop: () => execute(withDatabaseName(database.url, 'postgres'), `DROP ROLE ${owner}`, `DROP ROLE ${service}`),
  };
}
