import { Command } from 'commander';
import { COMMAND_LINE } from '../../audit/index.js';
import { idArgument, print, type RunWith, withJson } from '../../command-line/index.js';
import { Reviews, REVIEWS_AT_ONCE } from './reviews.service.js';

/** `offertory review …`: gifts that somebody should look at. */
export function reviewCommand(run: RunWith): Command {
  return new Command('review')
    .description('gifts that somebody should look at; they are recorded all the same')
    .addCommand(
      withJson(new Command('list'))
        .description('shows the open ones, oldest first')
        .option('--after <id>', 'only those with a higher id', idArgument)
        .action(({ after }: { after?: number }, command: Command) =>
          run(Reviews, async (reviews) => {
            const open = await reviews.open(after);
            print(command, open);
            const last = open.at(-1);
            if (open.length === REVIEWS_AT_ONCE && last !== undefined) {
              process.stderr.write(`There may be more: review list --after ${last.reviewId}\n`);
            }
          }),
        ),
    )
    .addCommand(
      withJson(new Command('accept'))
        .description('the gift is right as it is')
        .argument('<id>', "the review's id", idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(Reviews, async (reviews) => {
            print(command, await reviews.accept(id, COMMAND_LINE));
          }),
        ),
    );
}
