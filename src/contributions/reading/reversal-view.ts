import { REASON_NAMES, type ReversalReason } from '../events/index.js';
import { Property } from '../../http/index.js';
import { INSTANT, type JsonSchema, PLAIN_ID_SCHEMA, TEXTS } from '../../values/index.js';
import { MONEY } from '../ledger/index.js';

/** Why something was reversed. */
export const REASON: JsonSchema = { type: 'string', enum: REASON_NAMES };

/** A reversal of a gift or of a part of its amount. */
export class ReversalView {
  @Property(PLAIN_ID_SCHEMA, { description: 'The reversing entry.', examples: [2] })
  readonly contributionId!: number;

  @Property(TEXTS.ownId, { description: 'The source in the path.', examples: ['txt2give'], nullable: true })
  readonly source!: string | null;

  @Property(TEXTS.actor, { description: 'User name.', examples: ['txt2give'] })
  readonly by!: string;

  @Property(INSTANT, { description: 'When the gift was reversed.', examples: ['2026-07-27T08:00:00.000Z'] })
  readonly at!: string;

  @Property(MONEY, { description: 'How much of the gift it took back, not negated.', examples: ['10.00'] })
  readonly amount!: string;

  @Property(REASON, { description: 'Why; null if no reason was sent.', examples: ['refund'], nullable: true })
  readonly reason!: ReversalReason | null;

  @Property(TEXTS.ownId, { description: 'The sender’s own id of the refund.', examples: ['re_1001'], nullable: true })
  readonly refundId!: string | null;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'The gift that gives the amount back, after a dispute that was won.',
    examples: [3],
    nullable: true,
  })
  readonly reinstatedBy!: number | null;
}
