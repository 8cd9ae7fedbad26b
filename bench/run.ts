// npm run bench: see docs/performance.md, and --help.
import { batches } from './batches.js';
import { compare } from './compare.js';
import { databaseAlone } from './database-alone.js';
import { BenchDatabases } from './databases.js';
import { flood } from './flood.js';
import { goalsOf } from './goals.js';
import { growth } from './growth.js';
import { describeMachine } from './machine.js';
import { runMain } from './main.js';
import { memory } from './memory.js';
import { HELP, readOptions, serverFromEnvironment } from './options.js';
import { pages } from './pages.js';
import { figures, printGoals, writeDocs } from './report.js';
import { readResults, type Results, writeResults } from './results.js';
import { search } from './search.js';
import { start } from './start.js';
import { upgrade } from './upgrade.js';
import { mergeUpkeep, upkeep } from './upkeep.js';

const begin = performance.now();

/** Prints a line with the seconds since the start. */
function log(line: string): void {
  process.stdout.write(`${((performance.now() - begin) / 1_000).toFixed(0).padStart(5)} s  ${line}\n`);
}

await runMain(async (onEnd) => {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(HELP);
    return true;
  }
  const databases = new BenchDatabases(serverFromEnvironment());
  onEnd(() => databases.dropAll());
  const { extent, keep, json } = options;
  const results = readResults(json, await describeMachine(databases));
  const measured: Results = { machine: results.machine, measuredAt: {} };
  for (const part of options.parts) {
    switch (part) {
      case 'compare':
        measured.compare = await compare(databases, extent, log);
        break;
      case 'batches':
        measured.batches = await batches(databases, extent, log);
        break;
      case 'database':
        measured.database = await databaseAlone(databases, extent, log);
        break;
      case 'flood':
        measured.flood = await flood(databases, extent, log);
        break;
      case 'pages':
        measured.pages = await pages(databases, extent, log);
        break;
      case 'growth':
        measured.growth = await growth(databases, extent, keep, log);
        break;
      case 'search':
        measured.search = await search(databases, extent, keep, log);
        break;
      case 'memory':
        measured.memory = await memory(databases, extent, log);
        break;
      case 'upkeep':
        measured.upkeep = mergeUpkeep(results.upkeep ?? [], await upkeep(databases, extent, options.tasks, keep, log));
        break;
      case 'upgrade':
        measured.upgrade = await upgrade(databases, extent, log);
        break;
      case 'start':
        measured.start = await start(databases, extent, log);
        break;
    }
    measured.measuredAt[part] = new Date().toISOString();
    Object.assign(results, measured, { measuredAt: { ...results.measuredAt, ...measured.measuredAt } });
    writeResults(json, results);
    await databases.dropAll();
  }
  process.stdout.write(`\n${figures(measured)}\n`);
  if (options.writeDocs) writeDocs(results);
  return printGoals(goalsOf(measured), (line) => process.stdout.write(`${line}\n`), options.quick);
});
