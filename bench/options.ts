import { parseArgs } from 'node:util';
import { type Extent, FULL, type Part, PARTS, QUICK } from './extent.js';
import type { Size } from './fill.js';
import { SCENARIOS, type ScenarioName } from './scenarios.js';
import { type Task, TASKS } from './upkeep.js';

/** The options of a run. */
export interface Options {
  readonly parts: readonly Part[];
  readonly quick: boolean;
  readonly extent: Extent;
  /** The file of the result. Parts of an earlier run that are not measured again stay in it. */
  readonly json: string;
  readonly keep: boolean;
  readonly writeDocs: boolean;
  readonly tasks: readonly Task[];
}

/** An error in the command line, with a message for the user. */
export class UsageError extends Error {}

export const HELP = `npm run bench -- [parts] [options]

Measures the service on the PostgreSQL server of BENCH_DATABASE_URL, in databases of its own that are dropped at the end.

Parts, all of them if none is named:
  compare   the service, and what one would write by hand (bench/bare.ts)
  batches   gifts in batches of 100, and in calls of their own
  database  the statements of a known giver's gift alone (pgbench)
  flood     good calls beside 200 wrong passwords a second
  pages     gifts beside a page of the console each second
  growth    the same calls with up to a million people and ten million gifts
  search    searches for gifts and people, pages of 200 rows, totals by month; at the largest size of growth
  start     from the start until ready; memory; commands
  memory    the service and bench/bare.ts: idle for two minutes, then under the load of compare
  upkeep    backup, restore, move, audit, exports and others, with gifts meanwhile; at the largest size of growth
  upgrade   each migration since the last release, on a filled database of it; at the largest size of growth

Options:
  --quick              small extents: tries everything in two minutes; times do not fail the run
  --rounds N           rounds of each measurement (${FULL.rounds})
  --seconds N          of each round (${FULL.seconds})
  --scenarios a,b      of compare: ${SCENARIOS.join(', ')}
  --connections 1,8    of compare, database and memory (${FULL.connections.join(',')})
  --tasks a,b          of upkeep: ${TASKS.join(', ')}
  --size P,G           of growth, search, upkeep and upgrade: people and gifts (1000000,10000000)
  --keep               leave the databases of growth, search and upkeep on the server; a later run finds them
  --json FILE          the result (bench/results.json; with --quick bench/results-quick.json)
  --write-docs         put the figures into docs/performance.md
  --help

The exit code is 1 where an answer had an unexpected status or a target is not met.
`;

/** @throws UsageError */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const quick = values.quick;
  if (quick && values['write-docs']) throw new UsageError('The figures of a --quick run do not belong into the docs.');
  const defaults = quick ? QUICK : FULL;
  return {
    parts: positionals.length === 0 ? PARTS : positionals.map((word) => oneOf(PARTS, word, 'part')),
    quick,
    extent: {
      ...defaults,
      rounds: values.rounds === undefined ? defaults.rounds : positive(values.rounds, '--rounds'),
      seconds: values.seconds === undefined ? defaults.seconds : positive(values.seconds, '--seconds'),
      scenarios: list(values.scenarios)?.map((name) => oneOf(SCENARIOS, name, 'scenario')) ?? defaults.scenarios,
      sizes: values.size === undefined ? defaults.sizes : [sizeOf(values.size)],
      connections: list(values.connections)?.map((text) => positive(text, '--connections')) ?? defaults.connections,
    } satisfies Extent & { scenarios: readonly ScenarioName[] },
    json: values.json ?? (quick ? 'bench/results-quick.json' : 'bench/results.json'),
    keep: values.keep,
    writeDocs: values['write-docs'],
    tasks: list(values.tasks)?.map((name) => oneOf(TASKS, name, 'task')) ?? TASKS,
  };
}

/** @throws UsageError if it is not set. */
export function serverFromEnvironment(): string {
  const server = process.env['BENCH_DATABASE_URL'];
  if (server === undefined || !URL.canParse(server))
    throw new UsageError(
      'Set BENCH_DATABASE_URL to a PostgreSQL server on which a superuser may create databases, such as ' +
        'postgres://postgres@127.0.0.1:5432/postgres',
    );
  return server;
}

/** A number above 0. @throws UsageError */
export function positive(text: string, option: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new UsageError(`${option} must be a number above 0, not ${text}`);
}

/** "1000,10000": people and gifts. @throws UsageError */
function sizeOf(text: string): Size {
  const [people, gifts, ...rest] = text.split(',').map((number) => positive(number, '--size'));
  if (people === undefined || gifts === undefined || rest.length > 0)
    throw new UsageError(`--size must be two numbers, such as 1000,10000, not ${text}`);
  return { people, gifts };
}

function parse(args: readonly string[]): ReturnType<typeof parseKnown> {
  try {
    return parseKnown(args);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function parseKnown(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      scenarios: { type: 'string' },
      connections: { type: 'string' },
      size: { type: 'string' },
      tasks: { type: 'string' },
      keep: { type: 'boolean', default: false },
      json: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

function list(text: string | undefined): string[] | undefined {
  return text?.split(',').map((word) => word.trim());
}

function oneOf<T extends string>(known: readonly T[], word: string, what: string): T {
  const found = known.find((one) => one === word);
  if (found === undefined) throw new UsageError(`There is no ${what} "${word}": it is one of ${known.join(', ')}`);
  return found;
}
