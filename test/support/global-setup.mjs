// @ts-check
// Jest loads this file without its transforms, so it is plain JavaScript and imports the output of `npm run build`.
import { randomUUID } from 'node:crypto';
import { migrateDatabase } from '../../dist/src/database/index.js';
import { makeLogDirectory } from './log-check.mjs';
import { openTestServer, useMemoryForFiles } from './open-test-server.mjs';
import { execute, withDatabaseName } from './test-server.mjs';

/** Finished jobs are deleted. This keeps a copy of every queued job for the tests that check them. */
const KEEP_JOBS = `
  CREATE SCHEMA kept;
  CREATE TABLE kept.job AS TABLE public.job WITH NO DATA;
  CREATE FUNCTION kept.keep_job() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    INSERT INTO kept.job SELECT NEW.*;
    RETURN NULL;
  END $$;
  CREATE TRIGGER keep_job AFTER INSERT ON public.job FOR EACH ROW EXECUTE FUNCTION kept.keep_job();
`;

/** Before all test files: starts a server with a migrated template database, which each file copies. */
export default async function globalSetup() {
  // The workers and the processes that tests start inherit the choice. Jest has chosen its own cache directory before.
  useMemoryForFiles();
  const server = await openTestServer();
  const template = `offertory_template_${randomUUID().replaceAll('-', '')}`;
  await execute(server.url, `CREATE DATABASE ${template}`);
  const url = withDatabaseName(server.url, template);
  await migrateDatabase({ url });
  await execute(url, KEEP_JOBS);
  // The environment of Jest's workers, which are separate processes.
  process.env.OFFERTORY_TEST_SERVER = server.url;
  process.env.OFFERTORY_TEST_TEMPLATE = template;
  process.env.OFFERTORY_TEST_LOGS = makeLogDirectory();
  // For the global teardown, which runs in this process.
  globalThis.offertoryTestRun = { server, template, logs: process.env.OFFERTORY_TEST_LOGS };
}
