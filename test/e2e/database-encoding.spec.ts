import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, type ClientBase } from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { Tokens } from '../../src/auth/index.js';
import { migrateDatabase } from '../../src/database/index.js';
import { refuseUnsuitableDatabase } from '../../src/database/migrating/refuse-unsuitable-database.js';
import { Doctor } from '../../src/doctor/doctor.service.js';
import { runProgram } from '../support/service-process.js';
import { ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function databaseIn(encoding: string): Promise<TestDatabase> {
  const database = await createTestDatabase({ encoding });
  closing.push(() => database.drop());
  return database;
}

/** Books from before such databases were refused: the migrations without the check that precedes them. */
async function booksIn(encoding: string): Promise<TestApp> {
  const database = await databaseIn(encoding);
  const dataSource = await new DataSource({ type: 'postgres', url: database.url, migrations }).initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  await dataSource.destroy();
  const service = await startTestApp({}, { database });
  closing.push(() => service.stop());
  await service.createUser(...service.login, ROLES);
  return service;
}

const rows = (service: TestApp): Promise<unknown[]> =>
  service.database.query(
    `SELECT (SELECT count(*) FROM contribution) AS gifts, (SELECT count(*) FROM person) AS persons,
       (SELECT count(*) FROM bundle) AS bundles, (SELECT count(*) FROM idempotency_key) AS keys`,
  );

describe('a new database that is not in UTF-8', () => {
  it.each(['LATIN1', 'SQL_ASCII'])('is refused before anything is created in it, with advice: %s', async (encoding) => {
    const database = await databaseIn(encoding);
    await expect(migrateDatabase(database.connection)).rejects.toThrow(
      new RegExp(`encoding ${encoding}.*ENCODING 'UTF8' TEMPLATE template0`),
    );
    const made = await database.query(
      `SELECT relname FROM pg_class WHERE relnamespace NOT IN
         (SELECT oid FROM pg_namespace WHERE nspname LIKE 'pg\\_%' OR nspname = 'information_schema')`,
    );
    expect(made).toEqual([]);
  });

  it('stops the start of the service with that message', async () => {
    const database = await databaseIn('LATIN1');
    const outcome = await runProgram('main', [], { DATABASE_URL: database.url, PORT: '0' });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot run: .*LATIN1.*template0/) });
  });

  it('is also refused when it has tables but no gifts', async () => {
    const { database } = await booksIn('LATIN1');
    await expect(migrateDatabase(database.connection)).rejects.toThrow(/LATIN1.*holds no gifts/);
  });
});

describe('books in LATIN1', () => {
  it('record text that the encoding can hold, and otherwise refuse the gift and store nothing', async () => {
    const service = await booksIn('LATIN1');
    const added = await service.add({ Last: 'Müller' }).expect(200);
    const { ContributionId: id } = added.body as { ContributionId: number };
    // Books with gifts stay in use.
    await migrateDatabase(service.database.connection);

    const before = await rows(service);
    const fields = { First: 'Pat', Last: 'O’Dell', Email: 'pat@example.org', Phone: '901-555-0199' };
    for (const path of ['AddContribution', 'AddContribution?dryRun=true']) {
      const call = service
        .http()
        .post(`/Api/${path}`)
        .auth(...service.login)
        .set('Idempotency-Key', 'a gift');
      const refused = await call.send({ ...fields, Amount: '5' });
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { code: 'invalid_request', detail: expect.stringMatching(/not in UTF-8.*“’”.*Nothing was stored/) },
      ]);
    }
    await service.reverse(`${id}/${encodeURIComponent('text’give')}`).expect(400);
    expect(await rows(service)).toEqual(before);
    expect((await service.read(id).expect(200)).body).toMatchObject({ status: 'Recorded' });
    // The idempotency key is not used up: the name without that character is accepted.
    await service
      .add({ ...fields, Last: 'ODell' })
      .set('Idempotency-Key', 'a gift')
      .expect(200);
  });

  it('treat a username that the encoding cannot hold as unknown', async () => {
    const service = await booksIn('LATIN1');
    await service.add({}, ['api’s', 'whatever it is']).expect(401);
    const { token } = await service.app.get(Tokens).create(service.login[0]);
    await service.add({}, ['api’s', token]).expect(401);
  });

  it('are a fault for the doctor', async () => {
    const service = await booksIn('LATIN1');
    await service.add().expect(200);
    const findings = await service.app.get(Doctor, { strict: false }).examine();
    expect(findings.find(({ check }) => check === 'database')).toMatchObject({
      result: 'fault',
      found: expect.stringContaining('encoding LATIN1'),
      advice: expect.stringContaining('TEMPLATE template0'),
    });
  });
});

it('books in SQL_ASCII store text byte by byte', async () => {
  const service = await booksIn('SQL_ASCII');
  const added = await service.add({ Last: 'O’Dell' }).expect(200);
  const { ContributionId: id } = added.body as { ContributionId: number };
  expect((await service.read(id).expect(200)).body).toMatchObject({ giver: { last: 'O’Dell' } });
});

describe('a server before PostgreSQL 15', () => {
  it('is refused, with advice', async () => {
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const client = new Client({ connectionString: database.url });
    await client.connect();
    closing.push(() => client.end());
    // No old server is at hand: the query returns the version number of one.
    const old = {
      query: (text: string) => client.query(text.replace("current_setting('server_version_num')::integer", '140012')),
    } as unknown as ClientBase;
    await expect(refuseUnsuitableDatabase(old)).rejects.toThrow(/too old: version 15 or later/);
    await expect(refuseUnsuitableDatabase(client)).resolves.toBeUndefined();
  });
});
