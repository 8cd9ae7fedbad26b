import { listOf, Property } from '../../http/index.js';
import { COUNT, INSTANT, PLAIN_ID_SCHEMA, TEXTS } from '../../values/index.js';
import { WEBHOOK_DELIVERY_STATUSES, type WebhookDeliveryStatus } from '../deliveries/webhook-delivery.entity.js';

/** The most deliveries in one list. The parameter `before` continues it. */
export const DELIVERIES_PER_LIST = 200;

const HTTP_STATUS = { type: 'integer', format: 'int32', minimum: 100, maximum: 999 } as const;
const EXAMPLE_INSTANT = '2026-07-27T03:05:09.000Z';

/** One event for one endpoint. */
export class WebhookDeliveryView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the delivery.', examples: [120] })
  readonly id!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The webhook to which it goes.', examples: [3] })
  readonly webhookId!: number;

  @Property(TEXTS.word, { description: 'What happened.', examples: ['contribution.recorded'] })
  readonly type!: string;

  @Property(INSTANT, { description: 'When it happened.', examples: [EXAMPLE_INSTANT] })
  readonly occurredAt!: string;

  @Property(
    { type: 'string', enum: WEBHOOK_DELIVERY_STATUSES },
    { description: '`pending` has another attempt; `failed` was given up.', examples: ['delivered'] },
  )
  readonly status!: WebhookDeliveryStatus;

  @Property(COUNT, { description: 'How often it was tried.', examples: [1] })
  readonly attempts!: number;

  @Property(INSTANT, { description: 'When it is tried next.', examples: [EXAMPLE_INSTANT], nullable: true })
  readonly nextTry!: string | null;

  @Property(INSTANT, { description: 'When it was last tried.', examples: [EXAMPLE_INSTANT], nullable: true })
  readonly lastTry!: string | null;

  @Property(HTTP_STATUS, {
    description: 'The status of the last answer; null if there was none.',
    examples: [200],
    nullable: true,
  })
  readonly lastStatus!: number | null;

  @Property(TEXTS.sentences, {
    description: 'Why the last attempt failed.',
    examples: ['The receiver answered 500.'],
    nullable: true,
  })
  readonly lastError!: string | null;
}

/** All that is stored of a delivery. */
export class WebhookDeliveryDetails extends WebhookDeliveryView {
  @Property(TEXTS.word, {
    description: 'The header `webhook-id` of all its attempts.',
    examples: ['msg_7f0c1a52-0f6c-4f0e-9a44-1d2f3b4c5d6e'],
  })
  readonly messageId!: string;

  @Property(
    { type: 'object' },
    { description: '`data` of the message: ids only.', examples: [{ contributionId: 1, peopleId: 152 }] },
  )
  readonly data!: object;

  @Property(INSTANT, {
    description: 'When it was delivered or given up.',
    examples: [EXAMPLE_INSTANT],
    nullable: true,
  })
  readonly settledAt!: string | null;

  @Property(INSTANT, { description: 'When somebody last sent it again.', examples: [EXAMPLE_INSTANT], nullable: true })
  readonly replayedAt!: string | null;
}

/** A page of deliveries. */
export class WebhookDeliveryList {
  @Property(listOf(WebhookDeliveryView, DELIVERIES_PER_LIST), {
    description: `The newest first, ${DELIVERIES_PER_LIST} at most.`,
  })
  readonly deliveries!: readonly WebhookDeliveryView[];

  @Property(PLAIN_ID_SCHEMA, {
    description: 'For the next page, send it as `before`; null if this is the last one.',
    examples: [120],
    nullable: true,
  })
  readonly next!: number | null;
}

/** What a replay has done. */
export class ReplayedWebhooks {
  @Property(COUNT, { description: 'The deliveries that are sent again.', examples: [12] })
  readonly toBeSent!: number;
}
