import { REASON_NAMES, type ReversalReason } from '../../contributions/events/index.js';
import { listOf, Property } from '../../http/index.js';
import { COUNT, CURRENCY, INSTANT, MONEY, PLAIN_ID_SCHEMA, TEXTS } from '../../values/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../deliveries/delivery.entity.js';

/** The most deliveries in one list. The parameter `before` continues it. */
export const DELIVERIES_PER_LIST = 200;

const EXAMPLE_INSTANT = '2026-07-27T03:05:09.000Z';

/** What a list and the details of a delivery have in common. */
class DeliveryState {
  @Property(PLAIN_ID_SCHEMA, { description: 'The gift that was reversed.', examples: [1] })
  readonly contributionId!: number;

  @Property(MONEY, { description: 'What was taken back.', examples: ['10.00'] })
  readonly amount!: string;

  @Property(CURRENCY, { description: 'Its currency.', examples: ['USD'] })
  readonly currency!: string;

  @Property(
    { type: 'string', enum: REASON_NAMES },
    { description: 'Why it was taken back.', examples: ['refund'], nullable: true },
  )
  readonly reason!: ReversalReason | null;

  @Property(INSTANT, { description: 'When it was taken back.', examples: [EXAMPLE_INSTANT] })
  readonly reversedAt!: string;

  @Property(
    { type: 'string', enum: DELIVERY_STATUSES },
    {
      description:
        '`pending` is tried again; `failed` was given up: after three days, or at once if the address is refused for good.',
      examples: ['failed'],
    },
  )
  readonly status!: DeliveryStatus;

  @Property(COUNT, { description: 'How often the mail was tried.', examples: [12] })
  readonly attempts!: number;

  @Property(INSTANT, { description: 'When it is tried next.', examples: [EXAMPLE_INSTANT], nullable: true })
  readonly nextTry!: string | null;

  @Property(TEXTS.sentences, {
    description: 'Why the last try failed; null after somebody has sent it again, until it is tried.',
    examples: ['451 4.3.0 Mail server temporarily rejected message'],
    nullable: true,
  })
  readonly lastError!: string | null;

  @Property(INSTANT, { description: 'When it was sent.', examples: [EXAMPLE_INSTANT], nullable: true })
  readonly sentAt!: string | null;
}

/** The delivery of a notice to one recipient. A notice without a recipient has one pending entry with null fields. */
export class DeliverySummary extends DeliveryState {
  @Property(PLAIN_ID_SCHEMA, {
    description: 'Id of the delivery; null if the notice has no recipient yet.',
    examples: [12],
    nullable: true,
  })
  readonly id!: number | null;

  @Property(TEXTS.email, { description: 'To whom.', examples: ['treasurer@example.org'], nullable: true })
  readonly recipient!: string | null;

  @Property(TEXTS.sentences, {
    description: 'Why a notice without a recipient waits, and what to do.',
    examples: ['no recipient: give a user the role Finance and an e-mail address, or set FINANCE_EMAILS'],
    nullable: true,
  })
  readonly note!: string | null;
}

/** All stored details of a delivery. */
export class DeliveryDetails extends DeliveryState {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the delivery.', examples: [12] })
  readonly id!: number;

  @Property(TEXTS.email, { description: 'To whom.', examples: ['treasurer@example.org'] })
  readonly recipient!: string;

  @Property(TEXTS.reason, { description: 'Of the mail.', examples: ['<reversal.4f1d@offertory>'] })
  readonly messageId!: string;

  @Property(INSTANT, { description: 'When it was added.', examples: [EXAMPLE_INSTANT] })
  readonly createdAt!: string;

  @Property(INSTANT, { description: 'When somebody last sent it again.', examples: [EXAMPLE_INSTANT], nullable: true })
  readonly askedAgainAt!: string | null;
}

/** A page of deliveries. */
export class DeliveryList {
  @Property(listOf(DeliverySummary, 2 * DELIVERIES_PER_LIST), {
    description:
      `The newest first, ${DELIVERIES_PER_LIST} at most. Before them on the first page: those without a recipient, ` +
      `${DELIVERIES_PER_LIST} at most.`,
  })
  readonly deliveries!: readonly DeliverySummary[];

  @Property(PLAIN_ID_SCHEMA, {
    description: 'For the next page, send it as `before`; null if this is the last one.',
    examples: [12],
    nullable: true,
  })
  readonly next!: number | null;
}
