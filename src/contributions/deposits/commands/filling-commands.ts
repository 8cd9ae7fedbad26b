import { Command } from 'commander';
import { dayArgument, idArgument, idArguments, print, type RunWith, withJson } from '../../../command-line/index.js';
import { DepositDesk } from './deposit-desk.service.js';

/** The commands that make deposits, and add and remove items. */
export function fillingCommands(run: RunWith): Command[] {
  return [create(run), createFromPayout(run), add(run), remove(run)];
}

interface CreateOptions {
  readonly amount?: string;
  readonly currency?: string;
}

function create(run: RunWith): Command {
  return withJson(new Command('create'))
    .description('makes a deposit without items; again with the same arguments, it shows it')
    .argument('<source>', 'the source of the gifts')
    .argument('<DepositId>', 'its id at the processor, such as that of the payout')
    .argument('<day>', 'the day of the payout', dayArgument)
    .option('--amount <amount>', 'what the processor pays out')
    .option('--currency <code>', 'of all its gifts; default: the church’s')
    .action((Source: string, DepositId: string, Date: string, options: CreateOptions, command: Command) =>
      run(DepositDesk, async (desk) => {
        const { amount: Amount, currency: Currency } = options;
        print(command, await desk.create({ DepositId, Source, Date, Amount, Currency }));
      }),
    );
}

interface PayoutOptions {
  readonly day?: string;
  readonly currency?: string;
}

function createFromPayout(run: RunWith): Command {
  return withJson(new Command('create-from-payout'))
    .description('makes the deposit of a payout, or adds to it what has come since')
    .argument('<source>', 'the source of the gifts')
    .argument('<PayoutId>', 'the PayoutId of the gifts')
    .option('--day <day>', 'the day of the payout; default: that of its last gift', dayArgument)
    .option('--currency <code>', 'of the gifts; default: the church’s, or the only one')
    .action((Source: string, PayoutId: string, options: PayoutOptions, command: Command) =>
      run(DepositDesk, async (desk) => {
        const { day: Date, currency: Currency } = options;
        print(command, await desk.createFromPayout({ Source, PayoutId, Date, Currency }));
      }),
    );
}

interface AddOptions {
  readonly gift: readonly number[];
  readonly transaction: readonly string[];
  readonly reversalOf: readonly number[];
  readonly reversalOfTransaction: readonly string[];
  readonly user?: string;
  readonly refundId?: string;
  readonly fee?: string;
}

const texts = (text: string, before: readonly string[]): readonly string[] => [...before, text];

function add(run: RunWith): Command {
  return withJson(new Command('add'))
    .description('adds payments and reversals to a deposit')
    .argument('<id>', 'id of the deposit', idArgument)
    .option('--gift <ContributionId>', 'a payment; can be repeated, as the next three', idArguments, [])
    .option('--transaction <TransactionId>', 'a payment, by the id of its sender', texts, [])
    .option('--reversal-of <ContributionId>', 'a reversal, by its gift or its entry', idArguments, [])
    .option('--reversal-of-transaction <TransactionId>', 'a reversal, by the id of the sender of the gift', texts, [])
    .option('--user <name>', 'the user who has sent the gift, or will; with a TransactionId')
    .option('--refund-id <id>', 'which reversal, if the gift has several; with one item only')
    .option('--fee <amount>', 'what the processor keeps; with one item only')
    .action((id: number, options: AddOptions, command: Command) =>
      run(DepositDesk, async (desk) => {
        print(command, await desk.add(id, { Items: itemsOf(options) }));
      }),
    );
}

function itemsOf({ fee: Fee, refundId: RefundId, user: User, ...named }: AddOptions): object[] {
  const items = [
    ...named.gift.map((ContributionId) => ({ ContributionId })),
    ...named.transaction.map((TransactionId) => ({ TransactionId })),
    ...named.reversalOf.map((ReversalOf) => ({ ReversalOf })),
    ...named.reversalOfTransaction.map((ReversalOfTransaction) => ({ ReversalOfTransaction })),
  ];
  if (items.length === 0) throw new Error('Name a payment or a reversal, for example by --gift 1.');
  if (items.length > 1 && (Fee ?? RefundId) !== undefined) throw new Error('--fee and --refund-id belong to one item.');
  return items.map((item) => ({
    ...item,
    ...(User !== undefined && { User }),
    ...(Fee !== undefined && { Fee }),
    ...(RefundId !== undefined && { RefundId }),
  }));
}

function remove(run: RunWith): Command {
  return withJson(new Command('remove'))
    .description('removes items from a deposit; they stay as a record')
    .argument('<id>', 'id of the deposit', idArgument)
    .argument('<itemIds...>', 'ids of its items: deposit show', idArguments)
    .requiredOption('--reason <text>', 'why')
    .action((id: number, ItemIds: readonly number[], { reason: Reason }: { reason: string }, command: Command) =>
      run(DepositDesk, async (desk) => {
        print(command, await desk.remove(id, { ItemIds, Reason }));
      }),
    );
}
