import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ConsoleLogger } from '@nestjs/common';
import { expect } from '@jest/globals';
import { createLogger } from '../../src/logger.js';
import type { TestDatabase } from './test-database.js';

/** The lines for people that a starting service prints on standard error, which are not log entries. */
const NOT_LOGGED =
  /^$|^Offertory cannot run: |^ {2}- [A-Z_]+ |^There is no user yet|^http:\S+\/console:$|^To see the gift in a browser|^ {2}user name treasurer, password \w+$|^The user "api" was created|^curl -u |^Finance is notified |^ {2}ls |^No one is notified of the reversal yet|^To create more users|^ {2}npm run (?:--silent )?offertory /;
/** The lines that npm prints on standard output before it runs a script. */
const NPM_BANNER = /^$|^> /;

/** The name of this test file, for faults. Read once, because programs still log after the tests of a file. */
const NAME = (expect.getState().testPath ?? 'unknown').split('/').slice(-2).join('.');

/** The secrets that are already noted. */
const secrets = new Set<string>();

/** The shortest length of a noted secret: shorter ones occur in any text. */
const SHORTEST_SECRET = 8;

/**
 * The service's own logger at debug level. Its entries are kept and checked after all tests: none may contain personal
 * data of a giver or a password (log-check.mjs). `note` is called with the message of each entry.
 */
export function keptLogger(note: (message: string) => void = () => undefined): ConsoleLogger {
  return createLogger({ level: 'debug', format: 'json' }, (_stream, line) => {
    append('log', line);
    note((JSON.parse(line) as { message: string }).message);
  });
}

/**
 * Keeps the log of a program on standard output and standard error, to be checked in the same way. On standard output
 * every line must be a log entry, except for npm's own banner.
 */
export function keepLogsOf(program: { readonly stdout: Readable; readonly stderr: Readable }): void {
  keepLines(program.stdout, NPM_BANNER);
  keepLines(program.stderr, NOT_LOGGED);
}

function keepLines(stream: Readable, except: RegExp): void {
  createInterface({ input: stream }).on('line', (line) => {
    if (!except.test(line)) append('log', line);
  });
}

/**
 * Keeps the jobs of a database, to be checked for personal data like the log: all jobs ever queued in a copy of the
 * template database (see the global setup), and the waiting ones in others.
 */
export async function keepJobsOf(database: TestDatabase): Promise<void> {
  const [noted] = await database.query<{ exists: boolean }>(`SELECT to_regclass('kept.job') IS NOT NULL AS exists`);
  const table = noted?.exists === true ? 'kept.job' : 'public.job';
  const jobs = await database.query<{ job: string }>(`SELECT job::text FROM ${table}`);
  for (const { job } of jobs) append('jobs', job);
}

/** Notes all credentials that are sent to a server, right or wrong. */
export function noteCredentialsSentTo(server: Server): void {
  server.on('request', ({ headers }) => {
    const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) noteSecret(bearer);
    const token = /^basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) return;
    noteSecret(token);
    noteSecret(
      Buffer.from(token, 'base64')
        .toString()
        .replace(/^[^:]*:/, ''),
    );
  });
}

/** Notes a text that no log may contain. */
export function noteSecret(secret: string): void {
  if (secret.length < SHORTEST_SECRET || secrets.has(secret)) return;
  secrets.add(secret);
  append('secrets', JSON.stringify(secret));
}

/** The log entries of this test file's services so far. */
export function keptLog(): string[] {
  const file = fileFor('log');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

function append(extension: string, line: string): void {
  appendFileSync(fileFor(extension), `${line}\n`);
}

function fileFor(extension: string): string {
  const directory = process.env['OFFERTORY_TEST_LOGS'];
  if (directory === undefined) throw new Error('OFFERTORY_TEST_LOGS is not set: run the tests by npm test');
  return join(directory, `${NAME}.${extension}`);
}
