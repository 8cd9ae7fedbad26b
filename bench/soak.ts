// npm run bench:soak: measures the memory of the service under a steady, mixed load for a long time.
import { parseArgs } from 'node:util';
import { BenchDatabases } from './databases.js';
import { fill } from './fill.js';
import { goalsOf } from './goals.js';
import { assertStatuses, type Call, load } from './load.js';
import { describeMachine } from './machine.js';
import { positive, serverFromEnvironment } from './options.js';
import { residentMb } from './process-figures.js';
import { startService, temporaryDirectory } from './programs.js';
import { printGoals, writeDocs } from './report.js';
import { readResults, writeResults } from './results.js';
import { Calls, type ScenarioName } from './scenarios.js';
import { type MemorySample, type SoakResult, trendOf } from './soak-figures.js';
import { runMain } from './main.js';

const HELP = `npm run bench:soak [-- options]

Gifts, reversals, repeated and bad calls at a steady rate on the PostgreSQL server of BENCH_DATABASE_URL, and the service's memory.

  --minutes N    (30)
  --rate N       calls a second (100)
  --json FILE    the result is added there (bench/results.json)
  --write-docs   put the figures into docs/performance.md
`;
const SIZE = { people: 10_000, gifts: 100_000 };
const CONNECTIONS = 8;
const SAMPLE_SECONDS = 10;
/** The minimum of samples in a short run. */
const SAMPLES = 30;
/** The mix of a hundred calls. */
const MIX: readonly (readonly [ScenarioName, number])[] = [
  ['existing giver', 55],
  ['new giver', 10],
  ['by PeopleId', 10],
  ['replay', 10],
  ['reversal', 5],
  ['bad request', 10],
];

async function soak(databases: BenchDatabases, minutes: number, rate: number): Promise<SoakResult> {
  const database = await databases.create();
  await fill(database.pool, SIZE, log);
  // Mails are written to files there. Without a recipient all notices would wait and be retried each minute.
  const mail = { FINANCE_EMAILS: 'finance@example.org', DATA_DIR: temporaryDirectory() };
  const service = await startService({ DATABASE_URL: database.url, ...mail });
  try {
    const seconds = minutes * 60;
    const next = await mixed(new Calls(database.pool, SIZE.people), service.url, Math.ceil(rate * seconds));
    const samples: MemorySample[] = [];
    const begin = performance.now();
    const interval = Math.min(SAMPLE_SECONDS, seconds / SAMPLES);
    const sampling = setInterval(() => {
      const mb = residentMb(service.pid);
      const passed = (performance.now() - begin) / 1_000;
      if (mb !== undefined) samples.push({ seconds: passed, mb });
      if (samples.length % 6 === 0) log(`soak: ${(passed / 60).toFixed(1)} minutes, ${mb?.toFixed(0) ?? '?'} MB`);
    }, interval * 1_000);
    const figures = await load({ url: service.url, connections: CONNECTIONS, seconds, rate, next });
    clearInterval(sampling);
    assertStatuses(figures, [200, 400], 'soak');
    const { requestsPerSecond, statuses, p50, p99, p999 } = figures;
    return { minutes, rate, requestsPerSecond, statuses, p50, p99, p999, samples, ...trendOf(samples) };
  } finally {
    await service.stop();
  }
}

/** Calls of all scenarios of the mix, in a repeating order. */
async function mixed(calls: Calls, url: string, most: number): Promise<() => Call> {
  const order: (() => Call)[] = [];
  for (const [scenario, share] of MIX) {
    const next = await calls.prepare(scenario, url, Math.ceil((most * share) / 100) + 100);
    // Steps of 7 spread the scenarios over the hundred calls, because 7 and 100 have no common divisor.
    for (let i = 0; i < share; i++) order.push(next);
  }
  let turn = 0;
  return () => (order[(turn++ * 7) % order.length] as () => Call)();
}

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

await runMain(async (onEnd) => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      rate: { type: 'string', default: '100' },
      json: { type: 'string', default: 'bench/results.json' },
      'write-docs': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    log(HELP);
    return true;
  }
  const [minutes, rate] = [positive(values.minutes, '--minutes'), positive(values.rate, '--rate')];
  const databases = new BenchDatabases(serverFromEnvironment());
  onEnd(() => databases.dropAll());
  const results = readResults(values.json, await describeMachine(databases));
  const result = await soak(databases, minutes, rate);
  results.soak = result;
  results.measuredAt['soak'] = new Date().toISOString();
  writeResults(values.json, results);
  log(`Memory after the first third: ${result.slope.toFixed(1)} MB an hour.`);
  if (values['write-docs']) writeDocs(results);
  return printGoals(goalsOf({ machine: results.machine, measuredAt: {}, soak: result }), log, false);
});
