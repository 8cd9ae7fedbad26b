import { Command, Option } from 'commander';
import { idArgument, idArguments, isJson, print, type RunWith, withJson } from '../../command-line/index.js';
import { ComposeNotice } from './compose-notice.js';
import { UnclearDeliveriesError } from '../errors.js';
import { DELIVERY_STATUSES } from '../deliveries/delivery.entity.js';
import { type DeliveryFilter, Notices } from './notices.service.js';
import type { ReversalFacts } from './notice-facts.js';

/** `offertory notification …`: the notices to Finance and their deliveries. */
export function notificationCommand(run: RunWith): Command {
  return new Command('notification')
    .description('notices of reversals to Finance, and their deliveries')
    .addCommand(listCommand(run))
    .addCommand(
      withJson(new Command('show'))
        .description('shows all details of a delivery')
        .argument('<id>', "the delivery's id", idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(Notices, async (notices) => {
            print(command, await notices.show(id));
          }),
        ),
    )
    .addCommand(retryCommand(run))
    .addCommand(
      new Command('preview')
        .description('prints the notice of a fictitious reversal with the settings of this church')
        .option('--html', 'prints its HTML part, to be saved as a file and opened in a browser')
        .action(({ html = false }: { html?: boolean }) =>
          run(ComposeNotice, (compose) => {
            const notice = compose.of(SAMPLE_REVERSAL);
            process.stdout.write(html ? notice.html : `Subject: ${notice.subject}\n\n${notice.text}`);
            return Promise.resolve();
          }),
        ),
    );
}

function listCommand(run: RunWith): Command {
  return withJson(new Command('list'))
    .description('lists deliveries with their recipients, the newest first')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(DELIVERY_STATUSES))
    .option('--before <id>', 'only deliveries with a lower id', idArgument)
    .action((filter: DeliveryFilter, command: Command) =>
      run(Notices, async (notices) => {
        const { deliveries, next } = await notices.list(filter);
        print(command, deliveries);
        if (next !== null) process.stderr.write(`There may be more: notification list --before ${next}\n`);
      }),
    );
}

function retryCommand(run: RunWith): Command {
  return withJson(new Command('retry'))
    .description(
      'retries deliveries now; those that were given up get another three days of tries, and new Finance users are notified as well',
    )
    .argument('[id...]', 'ids of deliveries', idArguments)
    .option('--all', 'all deliveries that are not sent, for example after an outage of the mail server')
    .addHelpText('after', '\nExamples:\n  offertory notification retry 12 15\n  offertory notification retry --all')
    .action((ids: readonly number[], { all = false }: { all?: boolean }, command: Command) => {
      if (all === ids.length > 0) throw new UnclearDeliveriesError();
      return run(Notices, async (notices) => {
        const count = await notices.retry(all ? 'all' : ids);
        if (isJson(command)) print(command, { toBeSent: count });
        else process.stdout.write(`${count} to be sent now; see: offertory notification list\n`);
      });
    });
}

const SAMPLE_REVERSAL: ReversalFacts = {
  eventId: '00000000-0000-4000-8000-000000000000',
  contributionId: 1234,
  reversingContributionId: 1240,
  giver: { peopleId: 152, first: 'John', last: 'Appleseed' },
  amount: '10.00',
  left: '0.00',
  isPartial: false,
  currency: 'USD',
  fund: { id: 1, name: 'General' },
  reason: 'chargeback',
  day: '2026-07-26',
  source: 'txt2give',
  username: 'txt2give',
  reversedAt: '2026-07-27T03:05:09.000Z',
};
