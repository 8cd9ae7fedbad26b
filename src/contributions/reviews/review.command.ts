import { Command } from 'commander';
import { COMMAND_LINE } from '../../audit/index.js';
import { idArgument, print, type RunWith, withJson } from '../../command-line/index.js';
import { REVIEWS_PER_LIST } from './review-view.js';
import { Reviews } from './reviews.service.js';

/** `offertory review …`: gifts that Finance should check. */
export function reviewCommand(run: RunWith): Command {
  return new Command('review')
    .description('recorded gifts that Finance should check')
    .addCommand(
      withJson(new Command('list'))
        .description('lists open reviews, the oldest first')
        .option('--after <id>', 'only reviews with a higher id', idArgument)
        .action(({ after = 0 }: { after?: number }, command: Command) =>
          run(Reviews, async (reviews) => {
            const open = await reviews.listOpen(after, COMMAND_LINE);
            print(command, open);
            const last = open.at(-1);
            if (open.length === REVIEWS_PER_LIST && last !== undefined) {
              process.stderr.write(`There may be more: review list --after ${last.reviewId}\n`);
            }
          }),
        ),
    )
    .addCommand(
      withJson(new Command('accept'))
        .description('closes a review: the gift is correct')
        .argument('<id>', "the review's id", idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(Reviews, async (reviews) => {
            print(command, await reviews.accept({ reviewId: id, by: COMMAND_LINE }));
          }),
        ),
    );
}
