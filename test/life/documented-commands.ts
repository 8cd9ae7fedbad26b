import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const DOCUMENT = new URL('../../docs/operating.md', import.meta.url);

/** The commands of a section of docs/operating.md, as they stand there: a list for each block of them. */
export function documentedCommands(section: string): string[][] {
  const sections = readFileSync(DOCUMENT, 'utf8').split(/^#{2,3} /m);
  const body = sections.find((part) => part.startsWith(`${section}\n`));
  if (body === undefined) throw new Error(`docs/operating.md has no section "${section}"`);
  return [...body.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block.trim().split('\n'));
}

/** What stands for containers where there are none. */
export interface Stage {
  /** Where the commands are typed. */
  readonly directory: string;
  /** What the commands find around them: for those within the container of PostgreSQL, PATH and PGPORT, say. */
  readonly environment: Record<string, string>;
  /** `docker compose stop api`, and `docker compose up --detach`. */
  readonly stopService?: () => Promise<void>;
  readonly startService?: () => Promise<void>;
}

/** Does what the documentation says, one after the other. @throws Error with what a command said when it failed. */
export async function runDocumented(commands: readonly string[], stage: Stage): Promise<void> {
  for (const command of commands) {
    if (command === 'docker compose stop api') await stage.stopService?.();
    else if (command === 'docker compose up --detach') await stage.startService?.();
    // It is there.
    else if (command !== 'docker compose up --detach --wait postgres') {
      await runInShell(command.replace(/^docker compose exec -T postgres /, ''), stage);
    }
  }
}

async function runInShell(command: string, { directory, environment }: Stage): Promise<void> {
  if (command.includes('docker')) throw new Error(`This test knows no stand-in for: ${command}`);
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const said = text(child.stderr);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command}\nended with ${code ?? 'a signal'}: ${await said}`);
}
