import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The options of the operator's shell. */
export const shell = ({ clone, environment }) => ({ cwd: clone, env: environment, encoding: 'utf8' });

/** Runs one line in it, with the port and the backup of this walk instead of those on the page. */
export function type(operator, command) {
  const ported = command
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${operator.port}`)
    .replaceAll('127.0.0.1:3100', `127.0.0.1:${operator.testPort}`);
  const line = ported.replace(
    /backups\/offertory-\d\S+\.dump/,
    () =>
      `backups/${readdirSync(join(operator.clone, 'backups'))
        .filter((name) => name.endsWith('.dump'))
        .at(-1)}`,
  );
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-euo', 'pipefail', '-c', line], {
    ...shell(operator),
    input: '',
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`exit code ${status}\n${`${stdout}${stderr}`.slice(-2000)}`);
  return stdout;
}
