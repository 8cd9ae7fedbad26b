import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** The blocks of commands in a section of a page of docs/, unchanged. */
export function documentedBlocks(section: string, page = 'operating.md'): string[] {
  const sections = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8').split(/^#{2,3} /m);
  const body = sections.find((part) => part.startsWith(`${section}\n`));
  if (body === undefined) throw new Error(`docs/${page} has no section "${section}"`);
  return [...body.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
}

/** The directory in which commands run, and their environment, such as PATH and PGPORT. */
export interface Stage {
  readonly directory: string;
  readonly environment: Record<string, string>;
}

/** The output of a block of commands, and the exit code of its last command. */
export interface Said {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Pastes a whole block into a shell. As at a terminal, the commands after a failed one still run, and a command that
 * reads standard input consumes those after it.
 */
export async function paste(block: string, { directory, environment }: Stage): Promise<Said> {
  const shell = spawn('bash', ['--noprofile', '--norc', '-s'], {
    cwd: directory,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(shell.stdout), text(shell.stderr)]);
  shell.stdin.end(block);
  const [code] = (await once(shell, 'exit')) as [number | null];
  return { code, output: (await said).join('') };
}

/** {@link paste} for commands that must succeed. @throws Error with the output if they do not. */
export async function pasteWell(block: string, stage: Stage): Promise<string> {
  const { code, output } = await paste(block, stage);
  if (code !== 0) throw new Error(`${block}\nended with ${code ?? 'a signal'}: ${output}`);
  return output;
}
