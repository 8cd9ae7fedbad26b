import { listOf, Property } from '../../http/index.js';
import { COUNT, INSTANT, listUpTo, PLAIN_ID_SCHEMA, TEXTS, textUpTo } from '../../values/index.js';
import { MAX_URL } from '../endpoints/endpoint-url.js';
import { EVENT_TYPES, type EventType } from '../endpoints/event-types.js';

const EXAMPLE_INSTANT = '2026-07-27T03:05:09.000Z';

/** `gone`: the receiver has answered 410. */
export const WEBHOOK_STATUSES = ['enabled', 'disabled', 'gone'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** An endpoint, without its secret. */
export class WebhookView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the webhook.', examples: [3] })
  readonly id!: number;

  @Property(textUpTo(MAX_URL), {
    description: 'Where events are sent.',
    examples: ['https://processor.example.org/hooks'],
  })
  readonly url!: string;

  @Property(listUpTo({ type: 'string', enum: EVENT_TYPES }, EVENT_TYPES.length), {
    description: 'The events that it receives.',
    examples: [['contribution.recorded']],
  })
  readonly events!: readonly EventType[];

  @Property(TEXTS.actor, {
    description: 'It receives only events of this user’s gifts, bundles and deposits; null if it receives all.',
    examples: ['txt2give'],
    nullable: true,
  })
  readonly user!: string | null;

  @Property(
    { type: 'string', enum: WEBHOOK_STATUSES },
    { description: '`gone`: the receiver has answered 410, which disables the webhook.', examples: ['enabled'] },
  )
  readonly status!: WebhookStatus;

  @Property(COUNT, { description: 'Deliveries that have another attempt.', examples: [0] })
  readonly pending!: number;

  @Property(COUNT, { description: 'Deliveries that were given up in the last 90 days.', examples: [0] })
  readonly failed!: number;

  @Property(PLAIN_ID_SCHEMA, { description: '1, and one more for each rotation of the secret.', examples: [1] })
  readonly secretVersion!: number;

  @Property(INSTANT, {
    description: 'Until when the former secret signs, too.',
    examples: [EXAMPLE_INSTANT],
    nullable: true,
  })
  readonly formerSecretUntil!: string | null;

  @Property(INSTANT, { description: 'When it was created.', examples: [EXAMPLE_INSTANT] })
  readonly createdAt!: string;

  @Property(TEXTS.actor, { description: 'Who created it.', examples: ['treasurer'] })
  readonly createdBy!: string;

  @Property(INSTANT, { description: 'When it was disabled.', examples: [EXAMPLE_INSTANT], nullable: true })
  readonly disabledAt!: string | null;

  @Property(TEXTS.actor, {
    description: 'Who disabled it; null for its receiver.',
    examples: ['treasurer'],
    nullable: true,
  })
  readonly disabledBy!: string | null;
}

/** An endpoint with its secret, which is shown only once. */
export class WebhookWithSecret extends WebhookView {
  @Property(TEXTS.word, {
    description: 'With which the receiver verifies messages. It is not shown again.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  })
  readonly secret!: string;
}

/** All endpoints. */
export class WebhookList {
  @Property(listOf(WebhookView), { description: 'Ordered by id.' })
  readonly webhooks!: readonly WebhookView[];
}
