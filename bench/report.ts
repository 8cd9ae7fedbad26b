import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { BatchResult } from './batches.js';
import type { GiftsBeside } from './beside.js';
import type { CompareResult, Comparison } from './compare.js';
import type { DatabaseResult } from './database-alone.js';
import type { FloodResult } from './flood.js';
import { type Goal, goalsOf } from './goals.js';
import type { GrowthResult } from './growth.js';
import type { Machine } from './machine.js';
import { GOALS, mergeFigures, WHERE_AND_WHEN } from './merge-figures.js';
import type { MemoryResult, ProgramsMb } from './memory.js';
import type { PagesResult } from './pages.js';
import type { Results } from './results.js';
import type { Rounds } from './rounds.js';
import type { SearchResult } from './search.js';
import type { SoakResult } from './soak-figures.js';
import type { Spread } from './spread.js';
import type { StartFigures } from './start.js';
import { count, table } from './table.js';
import type { MigrationFigures, UpgradeResult } from './upgrade.js';
import type { UpkeepResult } from './upkeep.js';

const ROOT = new URL('../', import.meta.url).pathname;
const PAGE = `${ROOT}docs/performance.md`;
const FIGURES = /(?<=<!-- figures:begin -->\n).*(?=<!-- figures:end -->)/s;
const UNKNOWN = 'not on this system';

/** Migrations that take less are shown together, in seconds. */
const SHOWN_MIGRATION_SECONDS = 0.3;

/** The titles of the sections, in their order. */
const TITLES = [
  GOALS,
  'Service and bare',
  'Batches',
  'The database alone',
  'Beside wrong passwords',
  'Beside the console',
  'Growth',
  'Search and totals',
  'Upkeep',
  'Upgrade',
  'Start',
  'Memory',
  'Soak',
  WHERE_AND_WHEN,
];

/** All figures as Markdown. */
export function figures(results: Results): string {
  const {
    machine,
    measuredAt,
    compare,
    batches,
    database,
    flood,
    pages,
    growth,
    search,
    start,
    memory,
    soak,
    upkeep,
    upgrade,
  } = results;
  const goals = goalsOf(results);
  return [
    ...(goals.length > 0 ? [`## ${GOALS}`, goalsTable(goals)] : []),
    ...(compare === undefined ? [] : compareSection(compare)),
    ...(batches === undefined ? [] : ['## Batches', batchTable(batches)]),
    ...(database === undefined ? [] : ['## The database alone', databaseText(database)]),
    ...(flood === undefined ? [] : ['## Beside wrong passwords', floodTable(flood)]),
    ...(pages === undefined ? [] : ['## Beside the console', pagesTable(pages)]),
    ...(growth === undefined ? [] : ['## Growth', growthTable(growth)]),
    ...(search === undefined ? [] : ['## Search and totals', searchText(search)]),
    ...(upkeep === undefined ? [] : ['## Upkeep', upkeepText(upkeep)]),
    ...(upgrade === undefined ? [] : ['## Upgrade', upgradeText(upgrade)]),
    ...(start === undefined ? [] : ['## Start', startTable(start)]),
    ...(memory === undefined ? [] : ['## Memory', memoryText(memory)]),
    ...(soak === undefined ? [] : ['## Soak', soakText(soak)]),
    `## ${WHERE_AND_WHEN}`,
    whereAndWhen(machine, measuredAt),
  ].join('\n\n');
}

/** Writes the figures between the marks of docs/performance.md and formats the page. Parts that were not measured stay. */
export function writeDocs(results: Results): void {
  const page = readFileSync(PAGE, 'utf8');
  const earlier = FIGURES.exec(page)?.[0];
  if (earlier === undefined) throw new Error(`${PAGE} has no marks for the figures`);
  const merged = mergeFigures(earlier, figures(results), TITLES);
  writeFileSync(
    PAGE,
    page.replace(FIGURES, () => `\n${merged}\n\n`),
  );
  execFileSync(process.execPath, [`${ROOT}node_modules/prettier/bin/prettier.cjs`, '--write', PAGE]);
}

/** Prints which goals are met. @returns whether all are; with `isQuick`, goals that depend on times do not count. */
export function printGoals(goals: readonly Goal[], log: (line: string) => void, isQuick: boolean): boolean {
  for (const { what, wanted, found, isMet, isTimed } of goals) {
    const forgiven = !isMet && isQuick && isTimed ? ' (does not count in a quick run)' : '';
    log(`${isMet ? 'met    ' : 'NOT MET'}  ${what}: ${found}, wanted ${wanted}${forgiven}`);
  }
  return goals.every(({ isMet, isTimed }) => isMet || (isQuick && isTimed));
}

function goalsTable(goals: readonly Goal[]): string {
  const rows = goals.map(({ what, wanted, found, isMet }) => [what, wanted, found, isMet ? 'met' : '**not met**']);
  return table(['Goal', 'Wanted', 'Found', ''], rows);
}

function compareSection(result: CompareResult): string[] {
  const { size, rounds, seconds, statements, comparisons, peakMb } = result;
  const sent = Object.entries(statements).map(([scenario, { service, bare }]) => [
    scenario,
    `${service.statements}, ${service.roundTrips}`,
    bare === undefined ? '' : `${bare.statements}, ${bare.roundTrips}`,
  ]);
  const memory = [
    ['service', megabytes(peakMb.service)],
    ['bare', megabytes(peakMb.bare)],
  ];
  return [
    '## Service and bare',
    `Medians of ${rounds} rounds of ${seconds} s, with the lowest and the highest in brackets; ${sizeOf(size)}.`,
    table(
      ['Scenario', 'Conn.', 'Program', 'Requests/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU ms', 'Database CPU ms'],
      comparisons.flatMap(comparisonRows),
    ),
    'Service to bare, in turns, round by round:',
    table(['Scenario', 'Conn.', 'Requests/s', 'p50', 'p99'], comparisons.flatMap(ratioRow)),
    'Statements, and round trips, of one call:',
    table(['Scenario', 'Service', 'Bare'], sent),
    'Most memory of the Node process after all of it:',
    table(['Program', 'MB'], memory),
  ];
}

function batchTable({ giftsPerBatch, cells }: BatchResult): string {
  const rows = cells.map(({ connections, single, batch, ratio }) => [
    String(connections),
    spread(single.giftsPerSecond, 0),
    spread(batch.giftsPerSecond, 0),
    spread(ratio, 2),
    spread(batch.p50, 1),
    spread(batch.p99, 1),
  ]);
  const heads = ['Conn.', 'Gifts/s in calls of their own', 'in batches', 'ratio', 'p50 ms of a batch', 'p99 ms'];
  return `Gifts of known givers with a \`TransactionId\`, in turns; ${giftsPerBatch} in a batch.\n\n${table(heads, rows)}`;
}

function databaseText(result: DatabaseResult): string {
  if ('missing' in result) return result.missing;
  const { size, rounds, seconds, figures } = result;
  const rows = figures.map(({ connections, transactionsPerSecond, meanMs }) => [
    String(connections),
    spread(transactionsPerSecond, 0),
    spread(meanMs, 2),
  ]);
  const text = `The statements of a known giver’s gift by themselves, sent by pgbench. Medians of ${rounds} rounds of ${seconds} s; ${sizeOf(size)}.`;
  return `${text}\n\n${table(['Conn.', 'Transactions/s', 'Mean ms'], rows)}`;
}

function comparisonRows({ scenario, connections, service, bare }: Comparison): string[][] {
  const row = (program: string, rounds: Rounds): string[] => [
    scenario,
    String(connections),
    program,
    spread(rounds.requestsPerSecond, 0),
    ...[rounds.p50, rounds.p99, rounds.p999, rounds.cpuMs, rounds.databaseCpuMs].map((one) => spread(one, 2)),
  ];
  return [row('service', service), ...(bare === undefined ? [] : [row('bare', bare)])];
}

function ratioRow({ scenario, connections, ratio }: Comparison): string[][] {
  if (ratio === undefined) return [];
  const { requestsPerSecond, p50, p99 } = ratio;
  return [[scenario, String(connections), ...[requestsPerSecond, p50, p99].map((one) => spread(one, 2))]];
}

function floodTable({ connections, rate, floods }: FloodResult): string {
  const rows = floods.map(({ names, alone, beside, ratio, guessesPerSecond, guesses }) => [
    names,
    spread(alone.requestsPerSecond, 0),
    spread(beside.requestsPerSecond, 0),
    spread(ratio, 2),
    spread(alone.p99, 1),
    spread(beside.p99, 1),
    spread(guessesPerSecond, 0),
    statusList(guesses),
  ]);
  const heads = [
    'Requests/s alone',
    'beside them',
    'ratio',
    'p99 ms alone',
    'beside them',
    'guesses/s',
    'answers to them',
  ];
  const text = `Gifts of known givers on ${connections} connections, alone and beside ${rate} wrong passwords a second.`;
  return `${text}\n\n${table(['Guesses under', ...heads], rows)}`;
}

function pagesTable({ connections, alone, beside, ratio, pageMs }: PagesResult): string {
  const row = [spread(alone, 0), spread(beside, 0), spread(ratio, 3), spread(pageMs, 0)];
  const text = `Gifts of known givers on ${connections} connections, alone and while Finance opens a page of the console each second.`;
  return `${text}\n\n${table(['Requests/s alone', 'beside pages', 'ratio', 'ms of a page'], [row])}`;
}

function growthTable({ cells }: GrowthResult): string {
  const rows = cells.flatMap(({ scenario, connections, sizes }) =>
    sizes.map(({ size, rounds, p50Ratio }) => [
      scenario,
      String(connections),
      count(size.people),
      count(size.gifts),
      spread(rounds.requestsPerSecond, 0),
      spread(rounds.p50, 2),
      spread(rounds.p99, 2),
      spread(p50Ratio, 2),
    ]),
  );
  return table(['Scenario', 'Conn.', 'People', 'Gifts', 'Requests/s', 'p50 ms', 'p99 ms', 'p50 ratio'], rows);
}

function searchText({ size, times, indexingSeconds, figures }: SearchResult): string {
  const rows = figures.map(({ what, rows, p50, p95, slowest }) => [
    what,
    rows,
    ...[p50, p95, slowest].map((milliseconds) => milliseconds.toFixed(1)),
  ]);
  const text = `${sizeOf(size)}; ${times} calls of each kind, one after the other, with other values each. `;
  const indexed =
    indexingSeconds === undefined
      ? ''
      : `The jobs took ${count(Math.round(indexingSeconds))} s to index and to sum up the filled database.`;
  return `${text}${indexed}\n\n${table(['Call', 'Rows', 'p50 ms', 'p95 ms', 'slowest ms'], rows)}`;
}

function upkeepText(results: readonly UpkeepResult[]): string {
  const text = `Measured on a machine that was busy with other work. Meanwhile a service got a gift of a known giver every 100 ms. The lock
is the longest on any table for which a gift has to wait, read every 50 ms; empty if no sample saw one. Memory is that of the
process that does the work: the command, or the service.`;
  return [text, ...results.map(upkeepTable)].join('\n\n');
}

function upkeepTable({ size, databaseGb, backupGb, figures }: UpkeepResult): string {
  const rows = figures.map(({ what, refused, seconds, rows, peakMb, gifts }) => [
    refused === undefined ? what : `${what}: **answered ${refused}**`,
    seconds.toFixed(1),
    rows === undefined || rows / seconds < 1 ? '' : count(Math.round(rows / seconds)),
    peakMb === undefined ? '' : megabytes(peakMb),
    ...(gifts === undefined ? ['no service', '', ''] : giftsBeside(gifts)),
  ]);
  const backup = backupGb === undefined ? '' : `, ${backupGb.toFixed(2)} GB in a backup`;
  const heads = [
    'What',
    'Seconds',
    'Rows/s',
    'Memory, MB',
    'Gifts, failed',
    'Gift: median, slowest ms',
    'Lock ms, table',
  ];
  return `${sizeOf(size)}; ${databaseGb.toFixed(2)} GB in the database${backup}:\n\n${table(heads, rows)}`;
}

function giftsBeside({ sent, failed, median, slowest, longestLock }: GiftsBeside): string[] {
  return [
    `${count(sent)}, ${count(failed)}`,
    `${median.toFixed(0)}, ${slowest.toFixed(0)}`,
    longestLock === undefined ? '' : `${longestLock.milliseconds.toFixed(0)}, ${longestLock.table}`,
  ];
}

function upgradeText({ size, figures }: UpgradeResult): string {
  const shown = figures.filter(({ seconds }) => seconds >= SHOWN_MIGRATION_SECONDS);
  const others = figures.filter(({ seconds }) => seconds < SHOWN_MIGRATION_SECONDS);
  const sum = (some: readonly MigrationFigures[]): string =>
    some.reduce((total, { seconds }) => total + seconds, 0).toFixed(1);
  const rows = [
    ...shown.map(({ name, seconds, locked }) => [name, seconds.toFixed(1), locked.join(', ')]),
    [`${others.length} others together`, sum(others), ''],
    ['all', sum(figures), ''],
  ];
  const text = `${sizeOf(size)}, filled by SQL in the schema of the last release, on a machine that was busy with other work. The last column
names the large tables that the migration itself locks against gifts.`;
  return `${text}\n\n${table(['Migration', 'Seconds', 'Locked'], rows)}`;
}

function startTable(starts: readonly StartFigures[]): string {
  const rows = starts.map(({ what, milliseconds, residentMb }) => [
    what,
    spread(milliseconds, 0),
    what.startsWith('offertory') ? '' : spread(residentMb, 0),
  ]);
  return table(['What', 'ms', 'Memory of the Node process then, MB'], rows);
}

function memoryText({ size, seconds, idleSeconds, idleMb, loads }: MemoryResult): string {
  const row = (what: string, { service, bare }: ProgramsMb): string[] => [what, megabytes(service), megabytes(bare)];
  const rows = [
    row(`idle for ${idleSeconds} s after the start`, idleMb),
    ...loads.map(({ connections, peakMb }) => row(`most until the end of the load, ${connections} conn.`, peakMb)),
  ];
  const load = `All scenarios of "Service and bare", ${seconds} s each; ${sizeOf(size)}. Resident memory of the Node process in MB.`;
  return `${load}\n\n${table(['When', 'Service', 'Bare'], rows)}`;
}

function soakText(soak: SoakResult): string {
  const { minutes, rate, requestsPerSecond, statuses, p50, p99, p999, samples, slope, lastToMiddle, flatUpTo } = soak;
  const rows = [
    ['Calls a second: asked for, answered', `${rate}, ${requestsPerSecond.toFixed(1)}`],
    ['Answers', statusList(statuses)],
    ['p50, p99, p99.9 in ms', [p50, p99, p999].map((ms) => ms.toFixed(2)).join(', ')],
    ['Memory in MB at the beginning, after each third', atThirds(samples.map(({ mb }) => mb))],
    ['Slope after the first third, MB an hour', slope.toFixed(1)],
    ['Last third to middle third', `${lastToMiddle.toFixed(3)}: ${lastToMiddle <= flatUpTo ? 'flat' : 'not flat'}`],
  ];
  return `${minutes} minutes of mixed calls.\n\n${table(['What', ''], rows)}`;
}

function atThirds(values: readonly number[]): string {
  const places = [0, 1, 2, 3].map((third) => Math.round((third * (values.length - 1)) / 3));
  return places.map((place) => megabytes(values[place])).join(', ');
}

function whereAndWhen(machine: Machine, measuredAt: Readonly<Record<string, string>>): string {
  const { processor, cores, memoryGb, system, node, postgres, settings } = machine;
  const settingList = Object.entries(settings).map(([name, value]) => `\`${name}=${value}\``);
  const where = `${processor}, ${cores} cores, ${memoryGb.toFixed(1)} GB, ${system}, Node ${node}, PostgreSQL ${postgres}`;
  const rows = [
    ['PostgreSQL’s settings', settingList.join(', ')],
    ...Object.entries(measuredAt).map(([part, at]) => [part, `${at.slice(0, 16).replace('T', ' ')}, ${where}`]),
  ];
  return table(['', ''], rows);
}

function spread(figures: Spread | undefined, digits: number): string {
  if (figures === undefined) return UNKNOWN;
  const [median, min, max] = [figures.median, figures.min, figures.max].map((value) => value.toFixed(digits));
  return min === max ? String(median) : `${median} (${min}–${max})`;
}

function statusList(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .map(([status, times]) => `${count(times)} × ${status}`)
    .join(', ');
}

function megabytes(value: number | undefined): string {
  return value === undefined ? UNKNOWN : value.toFixed(0);
}

function sizeOf({ people, gifts }: { people: number; gifts: number }): string {
  return `${count(people)} people, ${count(gifts)} gifts`;
}
