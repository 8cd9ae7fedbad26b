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
import type { BundleView } from './bundle-view.js';
import { type BundleFilter, BUNDLES_AT_ONCE, Bundles } from './bundles.service.js';
import { inWords } from '../ledger/index.js';

/** `offertory bundle …`: deposits, to be compared with the bank's. */
export function bundleCommand(run: RunWith): Command {
  return new Command('bundle')
    .description('bundles: what one user brought on one day, of one kind')
    .addCommand(list(run))
    .addCommand(
      withJson(new Command('show'))
        .description('shows a bundle, with its totals by fund and type')
        .argument('<id>', 'its BundleId', idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(Bundles, async (bundles) => {
            print(command, await bundles.show(id));
          }),
        ),
    )
    .addCommand(close(run))
    .addCommand(
      new Command('export')
        .description('writes a bundle as CSV for a spreadsheet, to standard output or into a file')
        .argument('<id>', 'its BundleId', idArgument)
        .option('--output <file>', 'where to; an existing file is replaced once the new one is whole')
        .addHelpText('after', '\nExample:\n  offertory bundle export 7 --output bundle-7.csv\n')
        .action((id: number, { output }: { output?: string }) =>
          run(BundleExport, async (bundleExport) => {
            const csv = await bundleExport.csv(id);
            if (output === undefined) await pipeline(csv, process.stdout, { end: false });
            else await writeWhole(output, csv);
          }),
        ),
    );
}

function list(run: RunWith): Command {
  return withJson(new Command('list'))
    .description('shows bundles with count and total, the newest first')
    .addOption(new Option('--status <status>', 'only those').choices(['open', 'closed']))
    .option('--from <day>', 'only those of this day, YYYY-MM-DD, and later', dayArgument)
    .option('--to <day>', 'only those of this day and before', dayArgument)
    .option('--before <id>', 'only those with a lower id', idArgument)
    .action((options: Omit<BundleFilter, 'status'> & { status?: 'open' | 'closed' }, command: Command) =>
      run(Bundles, async (bundles) => {
        const status = options.status === undefined ? undefined : options.status === 'open' ? 'Open' : 'Closed';
        const found = await bundles.list({ ...options, status });
        print(command, isJson(command) ? found : found.map(row));
        const last = found.at(-1);
        if (found.length === BUNDLES_AT_ONCE && last !== undefined)
          process.stderr.write(`There may be more: bundle list --before ${last.bundleId}\n`);
      }),
    );
}

function close(run: RunWith): Command {
  return withConfirmation(withJson(new Command('close')))
    .description('closes a bundle once it agrees with the bank: what it holds never changes again')
    .argument('<id>', 'its BundleId', idArgument)
    .action((id: number, _options: object, command: Command) =>
      run(Bundles, async (bundles) => {
        const { bundleType, user, day, totals } = await bundles.show(id);
        const what = `bundle ${id} (${bundleType}, ${user}, ${day}: ${inWords(totals)})`;
        await confirm(command, `Close ${what}? It cannot be opened again.`);
        print(command, await bundles.close(id, COMMAND_LINE, (now) => isDeepStrictEqual(now, totals)));
      }),
    );
}

/** A bundle as a line of the table. */
function row({ bundleId, day, bundleType, user, status, totals }: BundleView): object {
  return { bundleId, day, bundleType, user, status, totals: inWords(totals) };
}
