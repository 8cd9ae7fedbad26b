import {
  anyCaseOf,
  fieldReader,
  filterId,
  flag,
  id,
  IgnoresNothing,
  OptionalField,
  RequiredField,
  text,
} from '../http/index.js';
import { fault, read } from '../values/index.js';
import { WEBHOOK_DELIVERY_STATUSES, type WebhookDeliveryStatus } from './deliveries/webhook-delivery.entity.js';
import { EVENT_TYPES, type EventType } from './endpoints/event-types.js';
import { MAX_URL } from './endpoints/endpoint-url.js';

const isEventType = (value: unknown): value is EventType => EVENT_TYPES.some((type) => type === value);

const events = Object.assign(
  fieldReader<readonly EventType[]>(
    { type: 'array', minItems: 1, maxItems: EVENT_TYPES.length, items: { type: 'string', enum: EVENT_TYPES } },
    (value) =>
      Array.isArray(value) && value.length > 0 && value.every(isEventType)
        ? read(value)
        : fault(`must be a list of ${EVENT_TYPES.join(', ')}`),
  ),
  { acceptsObjects: true },
);

const URL_FIELD = {
  description: 'Where events are sent: an https URL.',
  examples: ['https://example.org/hooks'],
} as const;

const USER_FIELD = {
  description: 'Only events of the gifts, bundles and deposits of this user. Missing: those of all.',
  examples: ['txt2give'],
} as const;

/** The body of CreateWebhook. */
@IgnoresNothing()
export class CreateWebhookRequest {
  @RequiredField(text(MAX_URL), URL_FIELD)
  Url!: string;

  @RequiredField(events, { description: 'The events that it receives.', examples: [['contribution.recorded']] })
  Events!: readonly EventType[];

  @OptionalField(text(100), USER_FIELD)
  User?: string;
}

const CHOICE = { description: 'Whether it receives these events.', examples: [true] } as const;

/** The form that creates a webhook. It has a box for each event. */
export class CreateWebhookForm {
  @RequiredField(text(MAX_URL), URL_FIELD)
  Url!: string;

  @OptionalField(text(100), USER_FIELD)
  User?: string;

  @OptionalField(flag, CHOICE)
  'contribution.recorded'?: boolean;

  @OptionalField(flag, CHOICE)
  'contribution.reversed'?: boolean;

  @OptionalField(flag, CHOICE)
  'person.merged'?: boolean;

  @OptionalField(flag, CHOICE)
  'bundle.closed'?: boolean;

  @OptionalField(flag, CHOICE)
  'deposit.reconciled'?: boolean;
}

/** The body of RotateWebhook, which may be missing. */
@IgnoresNothing()
export class RotateWebhookRequest {
  @OptionalField(id, {
    description: 'The `secretVersion` that you have seen. If it is another one by now, nothing is changed.',
    examples: [1],
  })
  SecretVersion?: number;
}

const STATUS = { description: 'Only deliveries with this status.', examples: ['failed'] } as const;
const BEFORE = { description: 'For the next page: `next` of the previous page.', examples: [120] } as const;

/** The query of ListWebhookDeliveries. */
export class ListWebhookDeliveriesRequest {
  @OptionalField(filterId, { description: 'Only deliveries to this webhook.', examples: [3] })
  webhook?: number;

  @OptionalField(anyCaseOf(WEBHOOK_DELIVERY_STATUSES), STATUS)
  status?: WebhookDeliveryStatus;

  @OptionalField(filterId, BEFORE)
  before?: number;
}
