import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** Runs a command at a terminal, with `typed` as the answer to its question. `stdout` is all that the terminal shows. */
export function atKeyboard(
  databaseUrl: string,
  typed: string,
  line: string,
): { status: number | null; stdout: string } {
  const command = `${process.execPath} ${new URL('../../dist/command-line/offertory.js', import.meta.url).pathname} ${line}`;
  return spawnSync('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    input: `${typed}\n`,
    encoding: 'utf8',
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
  });
}
