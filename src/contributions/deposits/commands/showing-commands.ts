import { Command, Option } from 'commander';
import { COMMAND_LINE } from '../../../audit/index.js';
import { dayArgument, idArgument, isJson, print, type RunWith, withJson } from '../../../command-line/index.js';
import { DEPOSIT_STATUSES, type DepositView } from '../deposit-view.js';
import { type DepositDetails, type DepositItemView, DEPOSITS_PER_LIST } from '../showing/deposit-details.js';
import { type DepositFilter, Deposits } from '../showing/deposits.service.js';
import { Undeposited } from '../showing/undeposited.service.js';

/** The commands that show deposits, and what no deposit has. */
export function showingCommands(run: RunWith): Command[] {
  return [list(run), show(run), payouts(run), undeposited(run)];
}

interface ListOptions extends Omit<DepositFilter, 'status'> {
  readonly status?: string;
}

function list(run: RunWith): Command {
  const statuses = DEPOSIT_STATUSES.map((status) => status.toLowerCase());
  return withJson(new Command('list'))
    .description('lists deposits, the newest first')
    .addOption(new Option('--status <status>', 'only deposits with this status').choices(statuses))
    .option('--source <source>', 'only deposits of this source')
    .option('--from <day>', 'only deposits of this day (YYYY-MM-DD) or later', dayArgument)
    .option('--to <day>', 'only deposits of this day or earlier', dayArgument)
    .option('--before <id>', 'only deposits with a lower id', idArgument)
    .action(({ status: word, ...options }: ListOptions, command: Command) =>
      run(Deposits, async (deposits) => {
        const status = DEPOSIT_STATUSES.find((one) => one.toLowerCase() === word);
        const found = await deposits.list({ ...options, status });
        print(command, isJson(command) ? found : found.map(row));
        const last = found.at(-1);
        if (found.length === DEPOSITS_PER_LIST && last !== undefined)
          process.stderr.write(`There may be more: deposit list --before ${last.id}\n`);
      }),
    );
}

function show(run: RunWith): Command {
  return withJson(new Command('show'))
    .description('shows a deposit with its items, and the likely causes of a difference')
    .argument('<id>', 'id of the deposit', idArgument)
    .option('--after <itemId>', 'only items with a higher id', idArgument)
    .action((id: number, { after }: { after?: number }, command: Command) =>
      run(Deposits, async (deposits) => {
        const deposit = await deposits.show(id, { after }, COMMAND_LINE);
        print(command, isJson(command) ? deposit : inTables(deposit));
        if (deposit.next !== null)
          process.stderr.write(`There are more items: deposit show ${id} --after ${deposit.next}\n`);
      }),
    );
}

function payouts(run: RunWith): Command {
  return withJson(new Command('payouts'))
    .description('lists payouts with gifts that no deposit has, the latest first')
    .option('--source <source>', 'only payouts of this source')
    .option('--from <day>', 'only gifts of this day or later; default: 90 days ago', dayArgument)
    .action((filter: { source?: string; from?: string }, command: Command) =>
      run(Undeposited, async (service) => {
        print(command, await service.payouts(filter));
      }),
    );
}

function undeposited(run: RunWith): Command {
  return withJson(new Command('undeposited'))
    .description('lists payments and reversals of a source that no deposit has')
    .argument('<source>', 'the source of the gifts')
    .option('--from <day>', 'only what was recorded on this day or later; default: 30 days before --to', dayArgument)
    .option('--to <day>', 'only what was recorded on this day or earlier; default: today', dayArgument)
    .option('--after <id>', 'only what has a higher ContributionId', idArgument)
    .action((source: string, filter: { from?: string; to?: string; after?: number }, command: Command) =>
      run(Undeposited, async (service) => {
        const page = await service.page({ source, ...filter }, COMMAND_LINE);
        const rows = page.undeposited.map(({ giver, ...rest }) => ({ ...rest, giver: `${giver.first} ${giver.last}` }));
        print(command, isJson(command) ? page : rows);
        if (page.next !== null) process.stderr.write(`There are more: --after ${page.next}\n`);
      }),
    );
}

/** A deposit as a row of the table. */
function row(deposit: DepositView): object {
  const { id, source, depositId, date, status, itemCount, currency, expected, difference } = deposit;
  return { id, source, depositId, date, status, itemCount, currency, expected, difference };
}

/** The lists of a deposit with one line for each row. */
function inTables(deposit: DepositDetails): object {
  const fields = Object.entries(deposit).filter(([name]) => name !== 'next');
  return Object.assign(Object.fromEntries(fields), {
    likelyCauses: deposit.likelyCauses.map(({ code, words, amount }) => ({ code, amount, words })),
    items: deposit.items.map(itemRow),
  });
}

function itemRow(item: DepositItemView): object {
  const { itemId, kind, paymentId, reversalId, transactionId, amount, fee, day, giver, funds, removedBy } = item;
  const name = giver === null ? null : `${giver.first} ${giver.last}`;
  return { itemId, kind, paymentId, reversalId, transactionId, amount, fee, day, giver: name, funds, removedBy };
}
