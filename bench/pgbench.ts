import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TappedStatement } from '../test/support/frontend-reader.js';
import { openWireTap, tapCall } from '../test/support/wire-tap.js';
import type { BenchDatabase } from './databases.js';
import { FIRST_NUMBER } from './fill.js';
import { runToEnd, startService, temporaryDirectory } from './programs.js';
import { type Calls, EXPECTED, send } from './scenarios.js';

/** The result of one run of pgbench. */
export interface PgbenchFigures {
  readonly transactionsPerSecond: number;
  /** Latency in milliseconds. */
  readonly meanMs: number;
}

const THREADS = 2;
/** The session settings of the service (src/database/sessions/connection.ts). */
const SESSION = '-c search_path=public -c enable_seqscan=off -c jit=off';
/** The person of the recorded gift. The id is unlikely to occur elsewhere in its statements. */
const TAPPED_PERSON = 777;

/** Writes a script for pgbench with the statements that the service sends for a known giver. */
export async function writeScript({ url }: BenchDatabase, calls: Calls, people: number): Promise<string> {
  const tap = await openWireTap(url, 'offertory');
  const service = await startService({ DATABASE_URL: tap.url });
  try {
    const call = (): ReturnType<Calls['gift']> => calls.gift(calls.knownGiver(TAPPED_PERSON));
    await send(service.url, call(), EXPECTED['existing giver']);
    const { statements, result } = await tapCall(tap, call, async (sent) => {
      const answer = await send(service.url, sent, EXPECTED['existing giver']);
      const { Amount } = JSON.parse(sent.body) as { Amount: string };
      return { people, amount: Amount, gift: String(answer['ContributionId']) };
    });
    const file = join(temporaryDirectory(), 'known-giver.sql');
    writeFileSync(file, script(statements, result));
    return file;
  } finally {
    await service.stop();
    await tap.close();
  }
}

/** Runs a script of {@link writeScript} on this number of connections. @param program from {@link findPgbench} */
export async function runPgbench(
  program: string,
  { url }: BenchDatabase,
  file: string,
  connections: number,
  seconds: number,
): Promise<PgbenchFigures> {
  const threads = Math.min(THREADS, connections);
  const extent = ['-c', String(connections), '-j', String(threads), '-T', String(Math.ceil(seconds))];
  const { output } = await runToEnd(program, ['-n', '-M', 'prepared', ...extent, '-f', file, url], {
    PGOPTIONS: SESSION,
  });
  const read = (pattern: RegExp): number => Number(pattern.exec(output)?.[1]);
  const transactionsPerSecond = read(/^tps = ([\d.]+)/m);
  const failed = read(/^number of failed transactions: (\d+)/m);
  if (!(transactionsPerSecond > 0) || failed > 0) throw new Error(`pgbench did not do what it should:\n${output}`);
  return { transactionsPerSecond, meanMs: read(/^latency average = ([\d.]+) ms/m) };
}

interface TappedGift {
  readonly people: number;
  readonly amount: string;
  /** Its ContributionId. */
  readonly gift: string;
}

/**
 * The recorded statements with their values as literals; only the person, the amount and the gift vary. The id that the
 * gift's INSERT returns is stored in a variable if a later statement uses it.
 */
function script(statements: readonly TappedStatement[], tapped: TappedGift): string {
  const lines = statements.map(({ text, values }, index) => {
    const filled = withoutComments(text).replace(/\$(\d+)/g, (_all, place: string) =>
      literal(values[Number(place) - 1] ?? null, tapped),
    );
    const later = statements.slice(index + 1);
    const isNamedLater = later.some((statement) => statement.values.includes(tapped.gift));
    return /\bINSERT INTO contribution\b/.test(text) && isNamedLater ? `${filled} \\gset` : `${filled};`;
  });
  const [low, high] = [FIRST_NUMBER + 1, FIRST_NUMBER + tapped.people];
  return [`\\set n random(${low}, ${high})`, '\\set cents random(1000, 99999999999)', ...lines, ''].join('\n');
}

/** A literal in brackets, so that a cast after it applies to all of it. */
function literal(value: string | null, { amount, gift }: TappedGift): string {
  if (value === null) return 'NULL';
  if (value === amount) return '(:cents / 100.0)';
  if (value === gift) return '(:id)';
  if (value === String(TAPPED_PERSON)) return `(:n - ${FIRST_NUMBER})`;
  const quoted = `'${value.replaceAll("'", "''")}'`;
  const number = String(FIRST_NUMBER + TAPPED_PERSON);
  return quoted.includes(number) ? `(${quoted.replaceAll(number, "' || :n || '")})` : quoted;
}

function withoutComments(text: string): string {
  return text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().replace(/;$/, '');
}

/** The path of pgbench in PATH or in Debian's directory; undefined if it is not installed. */
export function findPgbench(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const ofVersions = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(versions, version, 'bin'))
    : [];
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...ofVersions];
  return directories.map((directory) => join(directory, 'pgbench')).find((file) => existsSync(file));
}
