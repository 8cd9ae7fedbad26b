// @ts-check
import { checkLogs } from './log-check.mjs';
import { execute } from './test-server.mjs';

/**
 * After all test files: drops the template, and stops an embedded server. Fails the run if something was logged that
 * must not be.
 */
export default async function globalTeardown() {
  const run = globalThis.offertoryTestRun;
  if (run === undefined) return;
  await execute(run.server.url, `DROP DATABASE IF EXISTS ${run.template} WITH (FORCE)`);
  await run.server.stop();
  checkLogs(run.logs);
}
