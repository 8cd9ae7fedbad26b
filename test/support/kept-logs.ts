import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ConsoleLogger } from '@nestjs/common';
import { expect } from '@jest/globals';
import { createLogger } from '../../src/logger.js';
import type { TestDatabase } from './test-database.js';

/** What a starting service prints on standard error besides its log, for a person to read or to copy. */
const NOT_LOGGED =
  /^$|^Offertory cannot run: |^ {2}- [A-Z_]+ |^There is no user yet|^The user "api" was created|^curl -u |^Finance is notified |^ {2}ls |^No one is notified of the reversal yet|^To create more users|^ {2}npm run (?:--silent )?offertory /;
/** What npm prints on standard output before it runs a script. */
const NPM_BANNER = /^$|^> /;

/** Of this test file, so that a fault names where it comes from. Read once: programs log when a file's tests are over. */
const NAME = (expect.getState().testPath ?? 'unknown').split('/').slice(-2).join('.');

/** Those that are noted already. */
const secrets = new Set<string>();

/** Shorter ones are found in any text. */
const SHORTEST_SECRET = 8;

/**
 * The service's own logger at its most talkative. What it writes is kept, and checked once all tests are done: no entry
 * tells a giver's details or a password (log-check.mjs). `note` is given each entry's message as well.
 */
export function keptLogger(note: (message: string) => void = () => undefined): ConsoleLogger {
  return createLogger({ level: 'debug', format: 'json' }, (_stream, line) => {
    append('log', line);
    note((JSON.parse(line) as { message: string }).message);
  });
}

/**
 * Keeps what a program logs on standard output and standard error, to be checked in the same way. On standard output
 * every line must be an entry of the log; only npm's own banner may stand there as well.
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
 * Keeps the jobs that were ever queued in a copy of the template database, where the global setup has them noted, and elsewhere
 * those that wait: no more than a log may they tell of anybody.
 */
export async function keepJobsOf(database: TestDatabase): Promise<void> {
  const [noted] = await database.query<{ exists: boolean }>(`SELECT to_regclass('kept.job') IS NOT NULL AS exists`);
  const table = noted?.exists === true ? 'kept.job' : 'public.job';
  const jobs = await database.query<{ job: string }>(`SELECT job::text FROM ${table}`);
  for (const { job } of jobs) append('jobs', job);
}

/** Notes the credentials that a server is sent, right or wrong ones. */
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

/** Notes a text that no log may tell. */
export function noteSecret(secret: string): void {
  if (secret.length < SHORTEST_SECRET || secrets.has(secret)) return;
  secrets.add(secret);
  append('secrets', JSON.stringify(secret));
}

/** What the services of this test file have logged so far. */
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
