import { Command } from 'commander';
import { COMMAND_LINE } from '../../audit/index.js';
import { idArgument, print, type RunWith, withJson } from '../../command-line/index.js';
import { ContributionHistory } from './contribution-history.service.js';
import { ReadContribution } from './read-contribution.service.js';
import { ReassignContribution } from '../reviews/index.js';

/** `offertory contribution …`: what the read-back shows, and what became of a gift, for everybody at the console. */
export function contributionCommand(run: RunWith): Command {
  return new Command('contribution')
    .description('gifts and their reversals')
    .addCommand(
      withJson(new Command('show'))
        .description('shows a contribution, with its reversal')
        .argument('<id>', 'its ContributionId', idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(ReadContribution, async (contributions) => {
            print(command, await contributions.byId(id));
          }),
        ),
    )
    .addCommand(
      withJson(new Command('history'))
        .description('shows what was done to a gift and by whom, the oldest first')
        .argument('<id>', 'its ContributionId, or that of its reversal', idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(ContributionHistory, async (history) => {
            print(command, await history.of(id));
          }),
        ),
    )
    .addCommand(
      withJson(new Command('reassign'))
        .description('gives a gift, and its reversal, to the person it belongs to')
        .argument('<id>', 'its ContributionId', idArgument)
        .argument('<PeopleId>', 'whose it is', idArgument)
        .action((contributionId: number, peopleId: number, _options: object, command: Command) =>
          run(ReassignContribution, async (reassign) => {
            print(command, await reassign.reassign({ contributionId, peopleId, by: COMMAND_LINE }));
          }),
        ),
    );
}
