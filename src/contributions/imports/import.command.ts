import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Command, InvalidArgumentError } from 'commander';
import { print, type RunWith, withJson, Progress } from '../../command-line/index.js';
import type { Church } from '../../config/index.js';
import type { Columns } from './files/columns.js';
import { describeColumns } from './files/describe-columns.js';
import { ImportError, quoted } from './import-error.js';
import { ImportGifts, type ImportSummary, type ImportWatcher } from './import-gifts.service.js';
import type { RowResult } from './results/result-file.js';
import { checkCommand } from './checking/check.command.js';
import { inspectFile } from './files/inspect-file.js';
import type { Mapping } from './files/mapping.js';
import { chooseMapping } from './formats/choose-mapping.js';
import { formatsCommand } from './formats/formats.command.js';

interface ImportOptions {
  user?: string;
  format?: string;
  mapping?: string;
  withoutContacts?: boolean;
  source?: string;
  result?: string;
  patience: number;
  dryRun?: boolean;
}

/**
 * The memory in use does not depend on the length of the file, but V8 lets garbage grow to several times as much, above
 * all on large machines. With this flag, 100,000 rows take at most 160 MB instead of 280, in the same time.
 */
const COLLECT_EARLY = '--heap-growing-percent=20';

/** The most refused rows that are printed. The result file has all of them. */
const MAX_PRINTED_REFUSALS = 10;

/**
 * `offertory import …`: records the gifts of a file. `--user` is required, but not by its subcommands, so the action
 * checks it.
 * @param church its settings check the file before the database is needed.
 */
export function importCommand(run: RunWith, church: () => Church): Command {
  return withJson(new Command('import'))
    .description('records the gifts of a CSV file, each as if it had been sent to AddContribution')
    .argument('<file>', 'CSV file; the first line names the columns, in any order and letter case')
    .option('--user <username>', 'required: the user who adds the gifts: a user of the API, or one created for imports')
    .option('--source <text>', 'Source of rows without a Source')
    .option('--format <name>', 'built-in mapping of a processor; "import formats" lists them')
    .option('--mapping <file>', 'JSON file that maps columns to fields; with --format, its keys count first')
    .option(
      '--without-contacts',
      'accepts rows that have neither e-mail nor phone; their givers are found by name and address, or listed for review',
    )
    .option('--dry-run', 'records nothing; the result file says what would happen')
    .option(
      '--result <file>',
      'file for the result of each row (default: the file with .result.csv added, or .dry-run.csv)',
    )
    .option('--patience <seconds>', 'how long to wait while the database is unavailable', seconds, 60)
    .addHelpText('after', HELP)
    .addCommand(checkCommand(church))
    .addCommand(formatsCommand())
    .action((path: string, options: ImportOptions, command: Command) =>
      importFile(path, options, command, run, church),
    );
}

async function importFile(
  path: string,
  options: ImportOptions,
  command: Command,
  run: RunWith,
  church: () => Church,
): Promise<void> {
  const { user: username, source, dryRun = false, withoutContacts = false } = options;
  if (username === undefined) command.error("error: required option '--user <username>' not specified");
  setFlagsFromString(COLLECT_EARLY);
  const mapping = await mappingOf(options);
  const resultPath = options.result ?? `${path}${dryRun ? '.dry-run.csv' : '.result.csv'}`;
  if (resolve(resultPath) === resolve(path))
    throw new ImportError('The result file must differ from the imported file.');
  const file = await inspectFile({ path, mapping, source, church: church(), withoutContacts });
  for (const text of [describeColumns(file.header, file.columns), file.warning]) {
    if (text !== undefined) process.stderr.write(`${text}\n`);
  }
  const progress = new Progress(process.stderr, file.rows);
  const stop = stopOnSignal();
  await run(ImportGifts, async (importGifts) => {
    const order = { file, username, dryRun, resultPath, patience: options.patience * 1_000, signal: stop.signal };
    const summary = await importGifts.import(order, watcher(progress, options.patience)).finally(() => {
      progress.end();
      stop.forget();
    });
    print(command, { ...countsOf(summary, file.columns, dryRun), result: resultPath });
    if (summary.refused > 0) throw new ImportError(refusals(summary, resultPath, dryRun));
  });
}

const HELP = `
A row with a TransactionId is recorded once for its user and Source, however often it is sent. A row without one is
recognised by all its fields, in any spelling of the giver. A recorded row whose fund or notes were changed is refused.
So you can import the same file again, or a file that overlaps with it. Use different values of --source if different
files have equal gifts.

The mapping: {"Column in the file": "Field", "Column to ignore": null, "Whole name": {"name": "Last, First"},
"defaults": {"FundId": 2}, "file": {"dates": "D/M/Y", "amounts": "1.234,56"}, "only": {"Status": ["Paid"]},
"refunds": {"Status": ["Refunded"]}, "leaveOut": {"Status": ["Failed"]}}

Examples:
  offertory import gifts.csv --user txt2give --source txt2give --dry-run
  offertory import payments.csv --user import --format stripe
  offertory import export.csv --user import --source envelopes --mapping envelopes.json
`;

function countsOf(
  { rows, recorded, reversed, leftOut, ...others }: ImportSummary,
  { fields, only, refunds }: Columns,
  dryRun: boolean,
): Record<string, number | boolean> {
  const hasRefunds = refunds.length > 0 || fields.includes('RefundOf') || fields.includes('RefundedAmount');
  return {
    ...(dryRun ? { dryRun, rows, wouldBeRecorded: recorded } : { rows, recorded }),
    ...others,
    ...(only.length > 0 && { leftOut }),
    ...(hasRefunds && { [dryRun ? 'wouldBeReversed' : 'reversed']: reversed }),
  };
}

function refusals({ refused, rows }: ImportSummary, resultPath: string, dryRun: boolean): string {
  const what = `${refused} of ${rows} rows ${dryRun ? 'would be' : 'are'} refused; ${quoted(resultPath)} says why. `;
  return dryRun
    ? `${what}Nothing was recorded: correct them in the file first.`
    : `${what}Correct them in the file, and run the same command again: no row is recorded twice.`;
}

function seconds(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}

async function mappingOf({ format, mapping: path }: ImportOptions): Promise<Mapping> {
  const bytes =
    path === undefined
      ? undefined
      : await readFile(path).catch((error: unknown) => {
          const { code = '' } = error as NodeJS.ErrnoException;
          throw new ImportError(`The mapping ${quoted(path)} cannot be read: ${code}.`);
        });
  return chooseMapping({ format, bytes });
}

/** A signal stops the import after the running rows. A second signal ends the process at once, which is safe as well. */
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
    rowImported: ({ status, row, line, error }: RowResult) => {
      progress.step();
      if (status !== 'refused') return;
      refusals++;
      if (refusals <= MAX_PRINTED_REFUSALS) progress.note(`Row ${row} (line ${line}) is refused: ${error ?? ''}`);
      if (refusals === MAX_PRINTED_REFUSALS) progress.note('Further refused rows are only in the result file.');
    },
    databaseUnavailable: () => {
      progress.note(`The database does not answer; waiting up to ${patience} s.`);
    },
  };
}
