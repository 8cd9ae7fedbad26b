import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Command, InvalidArgumentError } from 'commander';
import { print, type RunWith, withJson, Progress } from '../../command-line/index.js';
import type { Church } from '../../config/index.js';
import { describeColumns } from './files/columns.js';
import { ImportError, quoted } from './import-error.js';
import { ImportGifts, type ImportSummary, type ImportWatcher } from './import-gifts.service.js';
import { type Mapping, NO_MAPPING, readMapping } from './files/mapping.js';
import type { RowResult } from './results/result-file.js';
import { survey } from './files/survey.js';

interface ImportOptions {
  user: string;
  mapping?: string;
  source?: string;
  result?: string;
  patience: number;
  dryRun?: boolean;
}

/**
 * What is in use stays the same however long the file, but V8 lets what is not in use grow to several times as much,
 * the more the larger the machine is. Measured with 100,000 rows: 160 MB at most instead of 280, as fast.
 */
const COLLECT_EARLY = '--heap-growing-percent=20';

/** Refusals that are told at once; the result file tells all. */
const REFUSALS_TOLD = 10;

/**
 * `offertory import …`: books the gifts of a file.
 * @param church a file that cannot be used is refused by it, without a database.
 */
export function importCommand(run: RunWith, church: () => Church): Command {
  return withJson(new Command('import'))
    .description('books the gifts of a CSV file in UTF-8, each as if it had been sent to AddContribution')
    .argument('<file>', 'the first line names the columns, in any order and letter case')
    .requiredOption('--user <username>', 'whose gifts these are: a user of the API, or one made for imports')
    .option('--source <text>', 'Source of rows that do not tell theirs')
    .option('--mapping <file>', 'JSON that tells which column is which field')
    .option('--dry-run', 'books nothing; the result file says what would happen')
    .option(
      '--result <file>',
      'where to say what became of each row (default: the file with .result.csv added, or .dry-run.csv)',
    )
    .option('--patience <seconds>', 'how long to wait for a database that goes away meanwhile', seconds, 60)
    .addHelpText('after', HELP)
    .action(async (path: string, options: ImportOptions, command: Command) => {
      setFlagsFromString(COLLECT_EARLY);
      const mapping = options.mapping === undefined ? NO_MAPPING : await mappingOf(options.mapping);
      const resultPath = options.result ?? `${path}${options.dryRun === true ? '.dry-run.csv' : '.result.csv'}`;
      if (resolve(resultPath) === resolve(path)) throw new ImportError('The result file must be another one.');
      const file = await survey(path, mapping, options.source, church());
      for (const text of [describeColumns(file.header, file.columns), file.warning]) {
        if (text !== undefined) process.stderr.write(`${text}\n`);
      }
      const progress = new Progress(process.stderr, file.rows);
      const stop = stopOnSignal();
      await run(ImportGifts, async (importGifts) => {
        const { user: username, dryRun = false } = options;
        const order = { file, username, dryRun, resultPath, patience: options.patience * 1_000, signal: stop.signal };
        const summary = await importGifts.import(order, watcher(progress, options.patience)).finally(() => {
          progress.end();
          stop.forget();
        });
        const { rows, recorded, ...others } = summary;
        const counts = dryRun ? { dryRun, rows, wouldBeRecorded: recorded } : { rows, recorded };
        print(command, { ...counts, ...others, result: resultPath });
        if (summary.refused > 0) throw new ImportError(refusals(summary, resultPath, dryRun));
      });
    });
}

const HELP = `
A row with a TransactionId is recorded once for its user and Source, whoever sends it and however often. A row
without one is recognised by all that it says, in any spelling of the giver, each gift once; a recorded row whose fund or
notes were changed is refused. So the same file can be imported again, and a file that overlaps with it. The --source
tells equal gifts of different files apart.

The mapping: {"Column in the file": "Field", "Column to ignore": null, "defaults": {"FundId": 2}, "file": {"dates": "D/M/Y"}}

Examples:
  offertory import gifts.csv --user txt2give --source txt2give --dry-run
  offertory import export.csv --user import --source envelopes --mapping envelopes.json
`;

function refusals({ refused, rows }: ImportSummary, resultPath: string, dryRun: boolean): string {
  const what = `${refused} of ${rows} rows ${dryRun ? 'would be' : 'are'} refused; ${quoted(resultPath)} says why. `;
  return dryRun
    ? `${what}Nothing was booked: correct them in the file first.`
    : `${what}Correct them in the file, and give the same command again: the others stay booked once.`;
}

function seconds(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}

async function mappingOf(path: string): Promise<Mapping> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new ImportError(`The mapping ${quoted(path)} cannot be read: ${code}.`);
  });
  return readMapping(bytes);
}

/** Lets rows that are under way end; a second signal ends all at once, and the books are right then as well. */
function stopOnSignal(): { signal: AbortSignal; forget: () => void } {
  const stopping = new AbortController();
  const stop = (): void => {
    stopping.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  return {
    signal: stopping.signal,
    forget: () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop);
    },
  };
}

function watcher(progress: Progress, patience: number): ImportWatcher {
  let refusals = 0;
  return {
    told: ({ status, row, line, error }: RowResult) => {
      progress.step();
      if (status !== 'refused') return;
      refusals++;
      if (refusals <= REFUSALS_TOLD) progress.note(`Row ${row} (line ${line}) is refused: ${error ?? ''}`);
      if (refusals === REFUSALS_TOLD) progress.note('Further ones are told in the result file alone.');
    },
    databaseAway: () => {
      progress.note(`The database does not answer; waiting up to ${patience} s.`);
    },
  };
}
