import { Command, InvalidArgumentError, Option } from 'commander';
import { COMMAND_LINE } from '../audit/index.js';
import { idArgument, idArguments, isJson, print, type RunWith, withJson } from '../command-line/index.js';
import { ReplayWebhooks } from './deliveries/replay.service.js';
import { TestWebhook } from './deliveries/test-webhook.service.js';
import { WEBHOOK_DELIVERY_STATUSES, type WebhookDeliveryStatus } from './deliveries/webhook-delivery.entity.js';
import { FORMER_SECRET_HOURS, WebhookEndpoints } from './endpoints/endpoints.service.js';
import { EVENT_TYPES, type EventType, MEANING_OF_EVENTS } from './endpoints/event-types.js';
import { TestNotDeliveredError, UnclearReplayError } from './errors.js';
import { Webhooks } from './showing/webhooks.service.js';

const WEBHOOK_ID = ['<id>', 'the id that webhook list shows', idArgument] as const;

/** `offertory webhook …`: endpoints that receive events, and the deliveries to them. */
export function webhookCommand(run: RunWith): Command {
  return new Command('webhook')
    .description('manages webhooks: messages about events in the books to other programs')
    .addCommand(create(run))
    .addCommand(list(run))
    .addCommand(disable(run))
    .addCommand(enable(run))
    .addCommand(rotate(run))
    .addCommand(test(run))
    .addCommand(deliveries(run))
    .addCommand(replay(run));
}

function create(run: RunWith): Command {
  return withJson(new Command('create'))
    .description('creates a webhook and prints its secret once')
    .argument('<url>', 'an https URL')
    .requiredOption('--events <events>', `comma-separated: ${EVENT_TYPES.join(', ')}`, readEvents)
    .option('--user <username>', 'only events of the gifts, bundles and deposits of this user (default: those of all)')
    .addHelpText(
      'after',
      `\nEvents:\n${EVENT_TYPES.map((type) => `  ${type.padEnd(23)}${MEANING_OF_EVENTS[type]}\n`).join('')}` +
        '\nExample:\n  offertory webhook create https://example.org/hooks --events contribution.reversed --user txt2give\n',
    )
    .action((url: string, { events, user: username }: CreateOptions, command: Command) =>
      run(WebhookEndpoints, async (endpoints) => {
        print(command, await endpoints.create({ url, events, username, by: COMMAND_LINE }));
      }),
    );
}

interface CreateOptions {
  readonly events: readonly EventType[];
  readonly user?: string;
}

/** @throws InvalidArgumentError */
function readEvents(text: string): readonly EventType[] {
  return text.split(',').map((part) => {
    const event = EVENT_TYPES.find((type) => type === part.trim());
    if (event === undefined) throw new InvalidArgumentError(`They must be of ${EVENT_TYPES.join(', ')}.`);
    return event;
  });
}

function list(run: RunWith): Command {
  return withJson(new Command('list'))
    .description('lists webhooks without their secrets')
    .action((_options: object, command: Command) =>
      run(Webhooks, async (webhooks) => {
        const all = await webhooks.list();
        const inTable = all.map(({ id, url, events, user, status, pending, failed }) => ({
          ...{ id, url, events, user, status, pending, failed },
        }));
        print(command, isJson(command) ? all : inTable);
      }),
    );
}

function disable(run: RunWith): Command {
  return withJson(new Command('disable'))
    .description('disables a webhook; what waits for it is given up')
    .argument(...WEBHOOK_ID)
    .action((id: number, _options: object, command: Command) =>
      run(WebhookEndpoints, async (endpoints) => {
        print(command, await endpoints.disable(id, COMMAND_LINE));
      }),
    );
}

function enable(run: RunWith): Command {
  return withJson(new Command('enable'))
    .description('enables a webhook; it does not receive earlier events')
    .argument(...WEBHOOK_ID)
    .action((id: number, _options: object, command: Command) =>
      run(WebhookEndpoints, async (endpoints) => {
        print(command, await endpoints.enable(id, COMMAND_LINE));
      }),
    );
}

function rotate(run: RunWith): Command {
  return withJson(new Command('rotate'))
    .description(
      `gives a webhook a new secret and prints it once; the former one signs, too, for ${FORMER_SECRET_HOURS} hours, or until the next rotation`,
    )
    .argument(...WEBHOOK_ID)
    .action((id: number, _options: object, command: Command) =>
      run(WebhookEndpoints, async (endpoints) => {
        print(command, await endpoints.rotate(id, COMMAND_LINE));
      }),
    );
}

function test(run: RunWith): Command {
  return withJson(new Command('test'))
    .description('lets the running service send a test message to a webhook, and prints the result')
    .argument(...WEBHOOK_ID)
    .action((id: number, _options: object, command: Command) =>
      run(TestWebhook, async (testWebhook) => {
        const delivery = await testWebhook.test(id, COMMAND_LINE);
        print(command, delivery);
        if (delivery.status !== 'delivered') throw new TestNotDeliveredError(delivery);
      }),
    );
}

interface DeliveryOptions {
  readonly status?: WebhookDeliveryStatus;
  readonly before?: number;
}

function deliveries(run: RunWith): Command {
  return withJson(new Command('deliveries'))
    .description('lists deliveries of all webhooks, or of one, the newest first')
    .argument('[id]', 'the id that webhook list shows', idArgument)
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(WEBHOOK_DELIVERY_STATUSES))
    .option('--before <id>', 'only deliveries with a lower id', idArgument)
    .action((webhookId: number | undefined, filter: DeliveryOptions, command: Command) =>
      run(Webhooks, async (webhooks) => {
        const { deliveries: found, next } = await webhooks.deliveries({ webhookId, ...filter });
        print(command, found);
        if (next !== null) process.stderr.write(`There may be more: webhook deliveries --before ${next}\n`);
      }),
    );
}

interface ReplayOptions {
  readonly all?: boolean;
  readonly webhook?: number;
}

function replay(run: RunWith): Command {
  return withJson(new Command('replay'))
    .description('sends deliveries again, each with ten more attempts')
    .argument('[delivery...]', 'ids that webhook deliveries shows', idArguments)
    .option('--all', 'all deliveries that were given up for enabled webhooks')
    .option('--webhook <id>', 'with --all: only those of this webhook', idArgument)
    .addHelpText(
      'after',
      '\nExamples:\n  offertory webhook replay 120 121\n  offertory webhook replay --all --webhook 3',
    )
    .action((ids: readonly number[], { all = false, webhook }: ReplayOptions, command: Command) => {
      if (all === ids.length > 0 || (webhook !== undefined && !all)) throw new UnclearReplayError();
      return run(ReplayWebhooks, async (replayWebhooks) => {
        const toBeSent = all
          ? await replayWebhooks.replayFailed(webhook, COMMAND_LINE)
          : await replayWebhooks.replay(ids, COMMAND_LINE);
        if (isJson(command)) print(command, { toBeSent });
        else process.stdout.write(`${toBeSent} to be sent now; see: offertory webhook deliveries\n`);
      });
    });
}
