import { Command } from 'commander';
import { print, type RunWith, withJson } from '../command-line/index.js';
import { isFault, readPathId } from '../http/index.js';
import { ReadContribution } from './read-contribution.service.js';

/** `offertory contribution …`: what the read-back shows, for everybody at the server's own console. */
export function contributionCommand(run: RunWith): Command {
  return new Command('contribution').description('gifts and their reversals').addCommand(
    withJson(new Command('show'))
      .description('shows a contribution, with its reversal')
      .argument('<id>')
      .action(async (id: string, _options: object, command: Command) => {
        const contributionId = readPathId(id);
        if (isFault(contributionId)) command.error(`error: the id ${contributionId.fault}`);
        else {
          await run(ReadContribution, async (contributions) => {
            print(command, await contributions.byId(contributionId.value));
          });
        }
      }),
  );
}
