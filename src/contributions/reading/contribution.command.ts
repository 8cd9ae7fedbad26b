import { Command } from 'commander';
import { COMMAND_LINE } from '../../audit/index.js';
import { idArgument, print, type RunWith, withJson } from '../../command-line/index.js';
import { ContributionHistory } from './contribution-history.service.js';
import { ReadContribution } from './read-contribution.service.js';
import { ReassignContribution } from '../reviews/index.js';

/** `offertory contribution …`: gifts, their history, and reassignment. Users of the console may see all gifts. */
export function contributionCommand(run: RunWith): Command {
  return new Command('contribution')
    .description('gifts and their reversals')
    .addCommand(
      withJson(new Command('show'))
        .description('shows a contribution, with its payment and its reversals')
        .argument('<id>', 'ContributionId', idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(ReadContribution, async (contributions) => {
            print(command, await contributions.byId(id));
          }),
        ),
    )
    .addCommand(
      withJson(new Command('history'))
        .description('shows all changes of a gift’s payment and who made them, the oldest first')
        .argument('<id>', 'ContributionId of the gift, or of any other entry of its payment', idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(ContributionHistory, async (history) => {
            print(command, await history.of(id));
          }),
        ),
    )
    .addCommand(
      withJson(new Command('reassign'))
        .description('moves a gift, with all of its payment, to the right person')
        .argument('<id>', 'ContributionId', idArgument)
        .argument('<PeopleId>', 'the person that it belongs to', idArgument)
        .action((contributionId: number, peopleId: number, _options: object, command: Command) =>
          run(ReassignContribution, async (reassign) => {
            print(command, await reassign.reassign({ contributionId, peopleId, by: COMMAND_LINE }));
          }),
        ),
    );
}
