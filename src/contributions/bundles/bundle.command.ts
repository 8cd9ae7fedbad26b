import { isDeepStrictEqual } from 'node:util';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { COMMAND_LINE } from '../../audit/index.js';
import {
  confirm,
  dayArgument,
  idArgument,
  isJson,
  print,
  type RunWith,
  withConfirmation,
  withJson,
  writeWhole,
} from '../../command-line/index.js';
import { BundleExport } from './bundle-export.service.js';
import { BUNDLES_PER_LIST, type BundleView } from './bundle-view.js';
import { type BundleFilter, Bundles } from './bundles.service.js';
import { describeTotals } from '../ledger/index.js';

/** `offertory bundle …`: bundles, which Finance compares with the deposits at the bank. */
export function bundleCommand(run: RunWith): Command {
  return new Command('bundle')
    .description('bundles: the contributions of one user, one day and one bundle type')
    .addCommand(list(run))
    .addCommand(
      withJson(new Command('show'))
        .description('shows a bundle, with its totals by fund and type')
        .argument('<id>', 'BundleId', idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(Bundles, async (bundles) => {
            print(command, await bundles.show(id));
          }),
        ),
    )
    .addCommand(close(run))
    .addCommand(
      new Command('export')
        .description('writes a bundle as CSV for a spreadsheet, to standard output or to a file')
        .argument('<id>', 'BundleId', idArgument)
        .option('--output <file>', 'file to write; an existing file is replaced when the export is complete')
        .addHelpText('after', '\nExample:\n  offertory bundle export 7 --output bundle-7.csv\n')
        .action((id: number, { output }: { output?: string }) =>
          run(BundleExport, async (bundleExport) => {
            const csv = await bundleExport.csv(id, COMMAND_LINE);
            if (output === undefined) await pipeline(csv, process.stdout, { end: false });
            else await writeWhole(output, csv);
          }),
        ),
    );
}

interface ListOptions extends Omit<BundleFilter, 'status' | 'bundleTypeId'> {
  readonly status?: 'open' | 'closed';
  readonly type?: number;
}

function list(run: RunWith): Command {
  return withJson(new Command('list'))
    .description('lists bundles with count and total, the newest first')
    .addOption(new Option('--status <status>', 'only bundles with this status').choices(['open', 'closed']))
    .option('--from <day>', 'only bundles of this day (YYYY-MM-DD) or later', dayArgument)
    .option('--to <day>', 'only bundles of this day or earlier', dayArgument)
    .option('--user <name>', 'only bundles of this user')
    .option('--type <BundleTypeId>', 'only bundles of this type', idArgument)
    .option('--before <id>', 'only bundles with a lower id', idArgument)
    .action(({ type: bundleTypeId, ...options }: ListOptions, command: Command) =>
      run(Bundles, async (bundles) => {
        const status = options.status === undefined ? undefined : options.status === 'open' ? 'Open' : 'Closed';
        const found = await bundles.list({ ...options, status, bundleTypeId });
        print(command, isJson(command) ? found : found.map(row));
        const last = found.at(-1);
        if (found.length === BUNDLES_PER_LIST && last !== undefined)
          process.stderr.write(`There may be more: bundle list --before ${last.bundleId}\n`);
      }),
    );
}

function close(run: RunWith): Command {
  return withConfirmation(withJson(new Command('close')))
    .description('closes a bundle that agrees with the bank: it can never change again')
    .argument('<id>', 'BundleId', idArgument)
    .action((id: number, _options: object, command: Command) =>
      run(Bundles, async (bundles) => {
        const { bundleType, user, day, totals } = await bundles.show(id);
        const what = `bundle ${id} (${bundleType}, ${user}, ${day}: ${describeTotals(totals)})`;
        await confirm(command, `Close ${what}? It cannot be opened again.`);
        print(
          command,
          await bundles.close({ bundleId: id, by: COMMAND_LINE, isExpected: (now) => isDeepStrictEqual(now, totals) }),
        );
      }),
    );
}

/** A bundle as a row of the table. */
function row({ bundleId, day, bundleType, user, status, totals }: BundleView): object {
  return { bundleId, day, bundleType, user, status, totals: describeTotals(totals) };
}
