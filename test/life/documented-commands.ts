import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const DOCUMENT = new URL('../../docs/operating.md', import.meta.url);

/** The blocks of commands of a section of docs/operating.md, as they stand there. */
export function documentedBlocks(section: string): string[] {
  const sections = readFileSync(DOCUMENT, 'utf8').split(/^#{2,3} /m);
  const body = sections.find((part) => part.startsWith(`${section}\n`));
  if (body === undefined) throw new Error(`docs/operating.md has no section "${section}"`);
  return [...body.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
}

/** Where commands are typed, and what they find around them: PATH and PGPORT, say. */
export interface Stage {
  readonly directory: string;
  readonly environment: Record<string, string>;
}

/** What a shell has said to a block, and with what its last command ended. */
export interface Said {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Pastes a block into a shell as a whole. As there, a command that fails keeps none of the next ones from being run, and
 * one that reads its standard input swallows them.
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

/** {@link paste} for what must go well. @throws Error with what the shell has said when it did not. */
export async function pasteWell(block: string, stage: Stage): Promise<string> {
  const { code, output } = await paste(block, stage);
  if (code !== 0) throw new Error(`${block}\nended with ${code ?? 'a signal'}: ${output}`);
  return output;
}
