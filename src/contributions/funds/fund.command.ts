import { Command } from 'commander';
import { idArgument, print, type RunWith, withJson } from '../../command-line/index.js';
import { warningOfClosing } from './asking/closed-default.js';
import { FundClosedError } from './errors.js';
import type { FundView } from './fund-view.js';
import { Funds } from './funds.service.js';

/** `offertory fund …`: the purposes of gifts. */
export function fundCommand(run: RunWith): Command {
  return new Command('fund')
    .description('funds: the purposes of gifts; processors send their ids')
    .addCommand(
      withJson(new Command('create'))
        .description('creates a fund')
        .argument('<name>')
        .addHelpText('after', '\nExample:\n  offertory fund create "Building"\n')
        .action((name: string, _options: object, command: Command) =>
          run(Funds, async (funds) => {
            print(command, await funds.create(name));
          }),
        ),
    )
    .addCommand(
      withJson(new Command('list'))
        .description('lists all funds')
        .action((_options: object, command: Command) =>
          run(Funds, async (funds) => {
            print(command, await funds.list());
          }),
        ),
    )
    .addCommand(rename(run))
    .addCommand(
      change(run, 'close', 'closes a fund: gifts to it are still recorded, and listed for review', (funds, id) =>
        funds.setOpen({ fundId: id, open: false }),
      ),
    )
    .addCommand(change(run, 'open', 'opens a closed fund', (funds, id) => funds.setOpen({ fundId: id, open: true })))
    .addCommand(change(run, 'default', 'makes a fund the default', makeDefault));
}

function rename(run: RunWith): Command {
  return withJson(new Command('rename'))
    .description('renames a fund; gifts that still name it by the old name go to it as well')
    .argument('<id>', 'FundId', idArgument)
    .argument('<name>', 'its new name')
    .addHelpText('after', '\nExample:\n  offertory fund rename 2 "Missions"\n')
    .action((fundId: number, name: string, _options: object, command: Command) =>
      run(Funds, async (funds) => {
        print(command, await funds.rename({ fundId, name }));
      }),
    );
}

async function makeDefault(funds: Funds, fundId: number): Promise<FundView> {
  try {
    return await funds.makeDefault(fundId);
  } catch (error) {
    if (!(error instanceof FundClosedError)) throw error;
    throw new Error(`${error.fund.name} is closed. Open it first: fund open ${fundId}`, { cause: error });
  }
}

function change(
  run: RunWith,
  name: string,
  description: string,
  work: (funds: Funds, id: number) => Promise<FundView>,
): Command {
  return withJson(new Command(name))
    .description(description)
    .argument('<id>', 'FundId', idArgument)
    .action((id: number, _options: object, command: Command) =>
      run(Funds, async (funds) => {
        const fund = await work(funds, id);
        print(command, fund);
        const warning = fund.open ? undefined : warningOfClosing(fund);
        if (warning !== undefined) process.stderr.write(`${warning} To choose another: fund default <id>\n`);
      }),
    );
}
