import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { besideGifts, type GiftsBeside } from './beside.js';
import { type BenchDatabase, type BenchDatabases } from './databases.js';
import type { Extent } from './extent.js';
import type { Size } from './fill.js';
import { filledDatabase, nameOf } from './growth.js';
import { peakMb } from './process-figures.js';
import {
  type CommandOutcome,
  type Program,
  runCommand,
  runToEnd,
  startService,
  temporaryDirectory,
} from './programs.js';
import { Calls } from './scenarios.js';
import { waitUntilIndexed } from './search.js';
import { count } from './table.js';
import { createTreasurer, logIn } from './treasurer.js';

/** The figures of one piece of work on a large database. */
export interface UpkeepFigures {
  readonly what: string;
  readonly seconds: number;
  /** The rows that it read or wrote; undefined if they do not matter. */
  readonly rows: number | undefined;
  /** The status of an answer other than 200. */
  readonly refused?: number | undefined;
  /** The most memory of the process that does it, in MB; undefined if the system does not report it. */
  readonly peakMb: number | undefined;
  /** Undefined if no service may run meanwhile. */
  readonly gifts: GiftsBeside | undefined;
}

export interface UpkeepResult {
  readonly size: Size;
  /** The size of the database on the disk, and of its backup, in GB (2^30 bytes). */
  readonly databaseGb: number;
  readonly backupGb: number | undefined;
  readonly figures: readonly UpkeepFigures[];
}

/** Parts of the upkeep, which can be measured by themselves. */
export const TASKS = ['start', 'index', 'commands', 'exports', 'audit', 'refold', 'backup', 'restore', 'move'] as const;

export type Task = (typeof TASKS)[number];

/** How long gifts are measured without other work, in seconds. */
const ALONE_SECONDS = 30;
/** The gifts of a person who is merged: a gift a week for twenty years. */
const GIFTS_OF_MERGED = 1_040;
const PROGRESS_EVERY_MS = 30_000;

type Log = (line: string) => void;

/** Measures the work that grows with the books, in the largest database of growth, and what gifts experience meanwhile. */
export async function upkeep(
  databases: BenchDatabases,
  extent: Extent,
  tasks: readonly Task[],
  keep: boolean,
  log: Log,
): Promise<UpkeepResult> {
  const size = extent.sizes.at(-1);
  if (size === undefined) throw new Error('There is no size');
  const database = await filledDatabase(databases, size, log);
  try {
    await createTreasurer(database);
    const watcher = await database.pool.connect();
    try {
      return await new Upkeep(databases, database, watcher, size, log).measure(tasks);
    } finally {
      watcher.release();
    }
  } finally {
    if (keep) await databases.keep(nameOf(size));
  }
}

/** What a piece of work was, besides its time. */
interface Done {
  readonly rows?: number | undefined;
  readonly refused?: number;
  readonly peakMb?: number | undefined;
}

class Upkeep {
  private readonly figures: UpkeepFigures[] = [];
  private readonly calls: Calls;
  private readonly variables: Readonly<Record<string, string>>;

  constructor(
    private readonly databases: BenchDatabases,
    private readonly database: BenchDatabase,
    /** Reads which locks there are. */
    private readonly watcher: ClientBase,
    private readonly size: Size,
    private readonly log: Log,
  ) {
    this.calls = new Calls(database.pool, size.people);
    this.variables = { DATABASE_URL: database.url };
  }

  async measure(tasks: readonly Task[]): Promise<UpkeepResult> {
    const isWanted = (task: Task): boolean => tasks.includes(task);
    let service = await this.start('start of the service', isWanted('start'));
    const file = join(temporaryDirectory(), 'backup.dump');
    let backupGb: number | undefined;
    try {
      if (isWanted('index')) await this.index(service);
      if (isWanted('start')) {
        await this.beside(service, 'nothing else', () => sleep(ALONE_SECONDS * 1_000, {}));
        await this.beside(service, 'start of another service', () => this.startAndStop());
      }
      if (isWanted('commands')) await this.commands(service);
      if (isWanted('exports')) await this.exports(service);
      if (isWanted('audit')) await this.audit(service);
      if (isWanted('backup') || isWanted('restore') || isWanted('move')) {
        await this.backup(service, file);
        backupGb = statSync(file).size / 2 ** 30;
      }
      if (isWanted('restore') || isWanted('move')) await this.restoreAndMove(service, file, isWanted('move'));
      if (isWanted('refold')) {
        await service.stop();
        // As if the rule by which names are compared had changed.
        await this.database.pool.query('UPDATE folding SET version = 0');
        service = await this.start('start of the service after a change of the rule for names', true, this.size.people);
      }
    } finally {
      await service.stop();
      rmSync(file, { force: true });
    }
    const { rows } = await this.database.pool.query<{ gb: number }>(
      'SELECT pg_database_size(current_database()) / 2.0 ^ 30 AS gb',
    );
    return { size: this.size, databaseGb: Number(rows[0]?.gb), backupGb, figures: this.figures };
  }

  private async start(what: string, isMeasured: boolean, rows?: number): Promise<Program> {
    const service = await startService(this.variables);
    const peak = peakMb(service.pid);
    if (isMeasured) this.note({ what, seconds: service.startMs / 1_000, rows, peakMb: peak, gifts: undefined });
    return service;
  }

  private async startAndStop(): Promise<Done> {
    const other = await startService(this.variables);
    const peak = peakMb(other.pid);
    await other.stop();
    return { peakMb: peak };
  }

  private async index(service: Program): Promise<void> {
    const { people, gifts } = this.size;
    await this.beside(service, 'jobs index and sum up everything, as after an upgrade', async () => {
      const seconds = await waitUntilIndexed(this.database, this.log);
      return seconds === undefined ? undefined : { rows: people + gifts, peakMb: peakMb(service.pid) };
    });
    await this.database.pool.query(`UPDATE reading_progress SET up_to = 0, complete = false WHERE reader = 'totals'`);
    await this.beside(service, 'jobs sum up all totals again, after a change in SQL', async () => {
      await waitUntilIndexed(this.database, this.log);
      return { rows: gifts, peakMb: peakMb(service.pid) };
    });
  }

  private async commands(service: Program): Promise<void> {
    await this.command(service, ['database', 'migrate']);
    await this.command(service, ['database', 'status']);
    // Without a recipient of notices the doctor finds a fault.
    const recipient = { ...this.variables, FINANCE_EMAILS: 'office@example.org' };
    await this.command(service, ['doctor'], undefined, 'doctor', recipient);
    await this.command(service, ['bundle', 'list']);
    const bundle = await this.read<{ id: number; gifts: number }>(
      `SELECT b.id, (SELECT count(*)::integer FROM contribution WHERE bundle_id = b.id) AS gifts
       FROM bundle b WHERE status = 1 AND day < current_date ORDER BY day LIMIT 1`,
    );
    if (bundle !== undefined)
      await this.command(service, ['bundle', 'close', String(bundle.id), '--yes'], bundle.gifts, 'bundle close');
    await this.command(service, ['fund', 'rename', '2', `Building ${Date.now()}`], undefined, 'fund rename');
    const [from, into] = await this.personWithManyGifts();
    const merge = ['person', 'merge', String(from), String(into), '--yes'];
    await this.command(service, merge, GIFTS_OF_MERGED, 'person merge');
    await this.command(service, ['deposit', 'payouts']);
    await this.command(service, ['deposit', 'undeposited', 'online']);
  }

  /** Gives a person of the bench many gifts. @returns that person, and one to merge it into. */
  private async personWithManyGifts(): Promise<[number, number]> {
    const found = await this.read<{ ids: number[] }>(
      `SELECT array_agg(id) AS ids FROM (
         SELECT id FROM person WHERE merged_into IS NULL AND last_name LIKE 'Lastname%' ORDER BY id DESC LIMIT 2) two`,
    );
    const [from, into] = found?.ids ?? [];
    if (from === undefined || into === undefined) throw new Error('There are too few people');
    await this.database.pool.query(
      `UPDATE contribution SET person_id = $1 WHERE id IN (
         SELECT 1 + (n * 7919) % $2::bigint FROM generate_series(1, $3::integer) AS n)`,
      [from, this.size.gifts, GIFTS_OF_MERGED],
    );
    return [from, into];
  }

  private async exports(service: Program): Promise<void> {
    const bundle = await this.read<{ id: number; gifts: number }>(
      'SELECT bundle_id AS id, count(*)::integer AS gifts FROM contribution GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
    );
    if (bundle === undefined) throw new Error('There is no bundle');
    const output = join(temporaryDirectory(), 'bundle.csv');
    const args = ['bundle', 'export', String(bundle.id), '--output', output];
    await this.command(service, args, bundle.gifts, 'bundle export, of the largest bundle');
    const cookie = await logIn(service.url);
    const year = new Date().getUTCFullYear() - 1;
    for (const [what, path] of [
      ['page Gifts: CSV of all gifts in a year', `gifts/export?from=${year}-01-01&to=${year}-12-31`],
      ['page Gifts: CSV of a name that everybody has', 'gifts/export?q=robert'],
      ['page Totals: CSV of a year', `totals/export?from=${year}-01&to=${year}-12`],
    ] as const) {
      await this.beside(service, what, async () => {
        const answer = await fetch(`${service.url}/console/${path}`, { headers: { Cookie: cookie } });
        const text = await answer.text();
        const lines = text.trimEnd().split('\n').length;
        // In large books a search may take longer than the service allows: that is a result, too.
        const answered = answer.status === 200 ? { rows: lines - 1 } : { refused: answer.status };
        return { ...answered, peakMb: peakMb(service.pid) };
      });
    }
  }

  /** As many entries as people: somebody's data were read, once each. */
  private async audit(service: Program): Promise<void> {
    const entries = this.size.people;
    const there = await this.read<{ entries: number }>('SELECT count(*)::integer AS entries FROM audit_entry');
    await this.database.pool.query(
      `INSERT INTO audit_entry (actor, via, action, subject, details)
       SELECT 'treasurer', 'page', 'person.read', 'person ' || n, jsonb_build_object('peopleIds', jsonb_build_array(n))
       FROM generate_series(1, $1::integer) AS n`,
      [Math.max(0, entries - (there?.entries ?? 0))],
    );
    await this.beside(service, 'the job seals the audit trail', async () => {
      await this.untilSealed();
      return { rows: entries, peakMb: peakMb(service.pid) };
    });
    const sealed = await this.read<{ entries: number }>(
      'SELECT count(*)::integer AS entries FROM audit_entry WHERE id <= (SELECT max(last_id) FROM audit_seal)',
    );
    await this.command(service, ['audit', 'verify'], sealed?.entries);
    await this.command(service, ['audit', 'list']);
  }

  /** Waits for the job, which runs every minute. */
  private async untilSealed(): Promise<void> {
    const newest = await this.read<{ id: number }>('SELECT max(id) AS id FROM audit_entry');
    for (;;) {
      const sealed = await this.read<{ id: number | null }>('SELECT max(last_id) AS id FROM audit_seal');
      if ((sealed?.id ?? 0) >= (newest?.id ?? 0)) return;
      await sleep(1_000);
    }
  }

  /** As scripts/backup.sh does. */
  private async backup(service: Program, file: string): Promise<void> {
    const rows = this.size.people + this.size.gifts;
    const dump = ['--format', 'custom', '--file', file, this.database.url];
    await this.beside(service, 'backup: pg_dump', async () => ({ ...(await runToEnd('pg_dump', dump)), rows }));
    await this.beside(service, 'backup: the file is read to its end', async () => ({
      ...(await runToEnd('pg_restore', ['--file', '/dev/null', file])),
      rows,
    }));
  }

  /** Restores as scripts/restore.sh does into a second database, and moves that one to a third. */
  private async restoreAndMove(service: Program, file: string, isMoved: boolean): Promise<void> {
    const names = ['restored', 'moved'].map((name) => `offertory_bench_${name}_${randomUUID().replaceAll('-', '')}`);
    const [restored = '', moved = ''] = names;
    const [restoredUrl, movedUrl] = [this.databases.urlOf(restored), this.databases.urlOf(moved)];
    const rows = this.size.people + this.size.gifts;
    try {
      await this.databases.onServer((client) => client.query(`CREATE DATABASE ${restored}`));
      const restore = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error'];
      await this.beside(service, 'restore: pg_restore into a new database', async () => ({
        ...(await runToEnd('pg_restore', [...restore, '--dbname', restoredUrl, file])),
        rows,
      }));
      rmSync(file);
      if (!isMoved) return;
      await this.databases.onServer((client) => client.query(`CREATE DATABASE ${moved}`));
      const variables = { DATABASE_URL: restoredUrl };
      await this.command(service, ['database', 'move', movedUrl], rows, 'database move', variables);
    } finally {
      for (const name of names)
        await this.databases.onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    }
  }

  private async command(
    service: Program,
    args: readonly string[],
    rows?: number,
    what = args.join(' '),
    variables = this.variables,
  ): Promise<void> {
    await this.beside(service, `offertory ${what}`, async () => {
      const outcome: CommandOutcome = await runCommand(args, variables);
      return { rows, peakMb: outcome.peakMb };
    });
  }

  /** Measures work beside gifts. Work that returns undefined had nothing to do. */
  private async beside(service: Program, what: string, work: () => Promise<Done | undefined>): Promise<void> {
    const next = await this.calls.prepare('existing giver', service.url, 0);
    const begin = performance.now();
    const seconds = (): number => (performance.now() - begin) / 1_000;
    const telling = setInterval(() => this.log(`upkeep: ${what}, ${seconds().toFixed(0)} s`), PROGRESS_EVERY_MS);
    try {
      const measured = await besideGifts({ url: service.url, watcher: this.watcher, next }, async () => {
        const done = await work();
        return done && { ...done, seconds: seconds() };
      });
      const { result, gifts } = measured;
      if (result !== undefined) this.note({ what, rows: undefined, peakMb: undefined, ...result, gifts });
    } finally {
      clearInterval(telling);
    }
  }

  private note(figures: UpkeepFigures): void {
    this.figures.push(figures);
    const { what, seconds, rows, gifts } = figures;
    const of = rows === undefined ? '' : `, ${count(rows)} rows`;
    const meanwhile =
      gifts === undefined
        ? ''
        : `; ${gifts.sent} gifts, ${gifts.failed} failed, slowest ${gifts.slowest.toFixed(0)} ms, longest lock ${
            gifts.longestLock === undefined
              ? 'none'
              : `${gifts.longestLock.milliseconds.toFixed(0)} ms ${gifts.longestLock.mode} on ${gifts.longestLock.table}`
          }`;
    this.log(`upkeep: ${what}: ${seconds.toFixed(1)} s${of}${meanwhile}`);
  }

  private async read<Row extends object>(sql: string): Promise<Row | undefined> {
    return (await this.database.pool.query<Row>(sql)).rows[0];
  }
}

/** The figures of earlier runs, with those of a new one in their places. Each size has figures of its own. */
export function mergeUpkeep(earlier: readonly UpkeepResult[], now: UpkeepResult): UpkeepResult[] {
  const isOfNow = ({ size }: UpkeepResult): boolean => size.people === now.size.people && size.gifts === now.size.gifts;
  const others = earlier.filter((one) => !isOfNow(one));
  const before = earlier.find(isOfNow);
  const measured = new Map(now.figures.map((one) => [one.what, one]));
  const kept = (before?.figures ?? []).map((one) => measured.get(one.what) ?? one);
  const known = new Set(kept.map(({ what }) => what));
  const merged = {
    ...now,
    backupGb: now.backupGb ?? before?.backupGb,
    figures: [...kept, ...now.figures.filter(({ what }) => !known.has(what))],
  };
  return [...others, merged].sort((one, other) => other.size.gifts - one.size.gifts);
}
