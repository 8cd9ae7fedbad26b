import { Command } from 'commander';
import { COMMAND_LINE } from '../../../audit/index.js';
import {
  confirm,
  dayArgument,
  idArgument,
  print,
  type RunWith,
  withConfirmation,
  withJson,
} from '../../../command-line/index.js';
import { ExpectedError } from '../../../http/index.js';
import type { DepositView } from '../deposit-view.js';
import { Deposits } from '../showing/deposits.service.js';
import { type BundleOutcome, DepositDesk } from './deposit-desk.service.js';

/** The commands that compare a deposit with the bank, and reconcile it. */
export function settlingCommands(run: RunWith): Command[] {
  return [bank(run), withdrawBank(run), adjust(run), reconcile(run), closeBundles(run)];
}

function bank(run: RunWith): Command {
  return withJson(new Command('bank'))
    .description('enters what the bank says of a deposit, in place of what was entered before')
    .argument('<id>', 'id of the deposit', idArgument)
    .argument('<day>', 'when the bank received it', dayArgument)
    .argument('<amount>', 'what it received; after --, if it is negative')
    .option('--reference <text>', 'the bank’s reference')
    .action(
      (id: number, Date: string, Amount: string, { reference: Reference }: { reference?: string }, command: Command) =>
        run(DepositDesk, async (desk) => {
          print(command, await desk.bank(id, { Date, Amount, Reference }));
        }),
    );
}

function withdrawBank(run: RunWith): Command {
  return withJson(new Command('withdraw-bank'))
    .description('withdraws what was entered for the bank of a deposit')
    .argument('<id>', 'id of the deposit', idArgument)
    .action((id: number, _options: object, command: Command) =>
      run(DepositDesk, async (desk) => {
        print(command, await desk.withdrawBank(id));
      }),
    );
}

function adjust(run: RunWith): Command {
  return withJson(new Command('adjust'))
    .description('adds to the expected amount of a deposit, or takes from it')
    .argument('<id>', 'id of the deposit', idArgument)
    .requiredOption('--amount <amount>', 'what is added; --amount=-0.01 takes a cent from it')
    .requiredOption('--reason <text>', 'why')
    .action((id: number, { amount: Amount, reason: Reason }: { amount: string; reason: string }, command: Command) =>
      run(DepositDesk, async (desk) => {
        print(command, await desk.adjust(id, { Amount, Reason }));
      }),
    );
}

function reconcile(run: RunWith): Command {
  return withConfirmation(withJson(new Command('reconcile')))
    .description('reconciles a deposit that matches the bank: it can never change again')
    .argument('<id>', 'id of the deposit', idArgument)
    .action(async (id: number, _options: object, command: Command) => {
      let seen: DepositView | undefined;
      await run(Deposits, async (deposits) => {
        seen = await deposits.show(id, { limit: 1 }, COMMAND_LINE);
      });
      const deposit = seen;
      if (deposit === undefined) return;
      const what = `deposit ${id} (${deposit.source} ${deposit.depositId}, ${deposit.date}: ${deposit.itemCount} items, ${deposit.currency} ${deposit.expected})`;
      await confirm(command, `Reconcile ${what}? It can never change again.`);
      await run(DepositDesk, async (desk) => {
        print(command, await desk.reconcile(deposit));
      });
    });
}

function closeBundles(run: RunWith): Command {
  return withConfirmation(withJson(new Command('close-bundles')))
    .description('closes the bundles of a reconciled deposit of which everything is in reconciled deposits')
    .argument('<id>', 'id of the deposit', idArgument)
    .action((id: number, _options: object, command: Command) =>
      run(DepositDesk, async (desk) => {
        await confirm(command, `Close the bundles of deposit ${id}? They cannot be opened again.`);
        print(command, (await desk.closeBundles(id)).map(outcome));
      }),
    );
}

function outcome({ bundleId, result }: BundleOutcome): object {
  const stays = result instanceof ExpectedError;
  return { bundleId, status: stays ? 'Open' : result.status, why: stays ? result.message : null };
}
