import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrateDatabase, migrationStatus } from '../../src/database/index.js';
import { ENTITIES } from '../../src/parts.js';
import { type DatabaseRoles, makeRoles } from '../support/database-roles.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let roles: DatabaseRoles;

beforeAll(async () => {
  database = await createTestDatabase();
  roles = await makeRoles(database);
});
afterAll(async () => {
  await database.drop();
  await roles.drop();
});

it('a restart of an older version keeps the rights that a newer version has granted to the service', async () => {
  const start = () =>
    migrateDatabase(
      { url: roles.ownerUrl },
      { service: { connection: { url: roles.serviceUrl }, entities: ENTITIES } },
    );
  const [owner, service] = [new URL(roles.ownerUrl).username, new URL(roles.serviceUrl).username];
  const may = () => database.query(`SELECT has_table_privilege($1, 'later', 'SELECT') AS may`, [service]);
  await database.query(`
    CREATE TABLE later (id integer);
    ALTER TABLE later OWNER TO ${owner};
    GRANT SELECT ON later TO ${service};
    INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`);
  expect(await start()).toEqual({
    applied: [],
    rights: expect.stringMatching(/^left as they are: .*Later9999999999999/),
  });
  expect(await may()).toEqual([{ may: true }]);

  await database.query(`DELETE FROM migrations WHERE name LIKE 'Later%'`);
  expect(await start()).toEqual({ applied: [], rights: `granted to ${service}` });
  expect(await may()).toEqual([{ may: false }]);
});

it('migrations and their rights are applied together or not at all', async () => {
  const empty = await createTestDatabase({ empty: true });
  const itsRoles = await makeRoles(empty);
  try {
    const start = () =>
      migrateDatabase(
        { url: itsRoles.ownerUrl },
        { service: { connection: { url: itsRoles.serviceUrl }, entities: ENTITIES } },
      );
    await empty.query(`
      CREATE FUNCTION refuse_grant() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no rights'; END $$;
      CREATE EVENT TRIGGER no_rights ON ddl_command_start WHEN TAG IN ('GRANT') EXECUTE FUNCTION refuse_grant()`);
    await expect(start()).rejects.toThrow('no rights');
    const { applied, pending } = await migrationStatus({ url: itsRoles.ownerUrl });
    expect(applied).toEqual([]);
    await empty.query('DROP EVENT TRIGGER no_rights');
    expect((await start()).applied).toEqual(pending);
  } finally {
    await empty.drop();
    await itsRoles.drop();
  }
});
