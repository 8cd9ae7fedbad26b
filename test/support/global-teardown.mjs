// @ts-check
import { execute } from './test-server.mjs';

/** After all files: the template goes, and the server if it is ours. */
export default async function globalTeardown() {
  const run = globalThis.offertoryTestRun;
  if (run === undefined) return;
  await execute(run.server.url, `DROP DATABASE IF EXISTS ${run.template} WITH (FORCE)`);
  await run.server.stop();
}
