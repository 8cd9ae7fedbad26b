import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { noteSecret } from './kept-logs.js';
import type { Login } from './test-app.js';

/** The page that an integrator reads, relative to the project's directory. */
export const PAGE = 'docs/integrating.md';

const ROOT = new URL('../../', import.meta.url).pathname;

/** A fenced block of the page: something to run, or a file to save. */
interface Block {
  readonly language: string;
  /** The file name that the page gives it: ```ts file=give.ts */
  readonly file: string | undefined;
  readonly text: string;
}

const BLOCKS: readonly Block[] = [
  ...readFileSync(join(ROOT, PAGE), 'utf8').matchAll(
    /^```(?<language>\w+)(?: file=(?<file>\S+))?\n(?<text>[^]*?)^```$/gmu,
  ),
].map(({ groups }) => ({ language: groups?.['language'] ?? '', file: groups?.['file'], text: groups?.['text'] ?? '' }));

/** A developer who follows the page: saves its programs in a directory, and runs its commands. */
export class Integrator {
  /** The commands of the page, in order. */
  readonly commands = BLOCKS.filter(({ language }) => language === 'sh').map(({ text }) => text);
  /** The names of its TypeScript programs. */
  readonly programs = BLOCKS.flatMap(({ language, file }) => (language === 'ts' && file !== undefined ? [file] : []));
  private readonly directory = mkdtempSync(join(tmpdir(), 'offertory-integrator-'));

  constructor(
    private readonly address: string,
    private readonly login: Login,
  ) {
    noteSecret(login[1]);
    writeFileSync(join(this.directory, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(ROOT, 'node_modules'), join(this.directory, 'node_modules'));
    for (const { file, text } of BLOCKS) if (file !== undefined) writeFileSync(join(this.directory, file), text);
  }

  /** Runs a command. @returns its output. @throws Error with its output if it fails. */
  async run(command: string): Promise<string> {
    const [user, password] = this.login;
    const { stdout } = await promisify(execFile)('/bin/sh', ['-ec', command], {
      cwd: this.directory,
      env: {
        ...{ PATH: process.env['PATH'] ?? '', HOME: this.directory, TZ: 'America/Chicago' },
        ...{ OFFERTORY: this.address, API_USER: user, API_PASSWORD: password, CONTRIBUTION_ID: '1' },
      },
    });
    return stdout;
  }

  /** The text of a file that a program has written. */
  read(file: string): string {
    return readFileSync(join(this.directory, file), 'utf8');
  }

  leave(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
