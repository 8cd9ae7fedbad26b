// @ts-check
// Jest loads this file without its transforms, so it is plain JavaScript and imports the output of `npm run build`.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '../../dist/src/database/index.js';
import { openEmbeddedDatabase } from '../../dist/src/embedded-postgres/index.js';
import { makeLogDirectory } from './log-check.mjs';
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
  const memory = memoryDirectory();
  // The workers and the processes that tests start inherit it. Jest has chosen its own cache directory before.
  if (memory !== undefined) process.env.TMPDIR = memory;
  const server = await openServer();
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

/**
 * A directory in memory with room for the run's databases, if this machine has one. Most of the time of a run went into
 * writing copies of the template to disk and deleting them.
 */
function memoryDirectory() {
  const directory = '/dev/shm';
  const needed = 4 * 2 ** 30;
  try {
    const { type, bavail, bsize } = statfsSync(directory);
    const isTmpfs = type === 0x01021994;
    return isTmpfs && bavail * bsize >= needed && freemem() >= needed ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** The server of TEST_DATABASE_URL, or an embedded one in a temporary directory. */
async function openServer() {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: () => Promise.resolve() };
  const dataDir = mkdtempSync(join(tmpdir(), 'offertory-test-'));
  // If the tests run as root, PostgreSQL runs as another user, who needs access to this directory.
  chmodSync(dataDir, 0o755);
  const server = await openEmbeddedDatabase({ dataDir, log: () => undefined });
  const { host, port, user, password, database } = server.connection;
  const login = password === undefined ? user : `${user}:${password}`;
  return {
    url: `postgres://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    stop: async () => {
      await server.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
