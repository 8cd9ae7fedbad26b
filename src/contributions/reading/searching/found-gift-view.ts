import { listOf, Property } from '../../../http/index.js';
import { listUpTo, PLAIN_ID_SCHEMA, TEXTS } from '../../../values/index.js';
import { CURRENCY, DAY, MONEY, PAYMENT_METHODS, type PaymentMethod } from '../../ledger/index.js';
import { STATUSES } from '../contribution-view.js';
import { WAYS_TO_MATCH, type WayToMatch } from './gift-matches.js';

/** The most gifts on a page. */
export const GIFTS_PER_PAGE = 200;

/** A giver's name as it came with a gift. */
class NameAsSent {
  @Property(TEXTS.name, { description: 'First name.', examples: ['Jon'] })
  readonly first!: string;

  @Property(TEXTS.name, { description: 'Last name.', examples: ['Appleseed'] })
  readonly last!: string;
}

/** The person to whom a gift belongs. */
class GiverOfGift {
  @Property(PLAIN_ID_SCHEMA, { description: 'The person.', examples: [152] })
  readonly peopleId!: number;

  @Property(TEXTS.name, { description: 'First name now.', examples: ['John'] })
  readonly first!: string;

  @Property(TEXTS.name, { description: 'Last name now.', examples: ['Appleseed'] })
  readonly last!: string;

  @Property(NameAsSent, { description: 'The name as sent with the gift; null if it is the same.', nullable: true })
  readonly asSent!: NameAsSent | null;
}

/** A gift in the result of a search. */
export class FoundGift {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the gift.', examples: [1] })
  readonly contributionId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The payment of which it is a part.', examples: [1] })
  readonly paymentId!: number;

  @Property(DAY, { description: 'The day in church time.', examples: ['2026-07-26'] })
  readonly day!: string;

  @Property(GiverOfGift, { description: 'Whose gift it is.' })
  readonly giver!: GiverOfGift;

  @Property(PLAIN_ID_SCHEMA, { description: 'The fund in which the gift is now.', examples: [1] })
  readonly fundId!: number;

  @Property(TEXTS.name, { description: 'The name of that fund.', examples: ['General'] })
  readonly fund!: string;

  @Property(MONEY, { description: 'Exact decimal text with the decimals of the currency.', examples: ['10.00'] })
  readonly amount!: string;

  @Property(MONEY, { description: 'What is left of it after reversals.', examples: ['10.00'] })
  readonly left!: string;

  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(
    { type: 'string', enum: PAYMENT_METHODS },
    { description: 'How it was paid; null if it was not sent.', examples: ['check'], nullable: true },
  )
  readonly method!: PaymentMethod | null;

  @Property(TEXTS.checkNumber, { description: 'As sent.', examples: ['1042'], nullable: true })
  readonly checkNumber!: string | null;

  @Property(TEXTS.ownId, { description: 'As sent.', examples: ['txt2give'], nullable: true })
  readonly source!: string | null;

  @Property(TEXTS.ownId, { description: 'As sent.', examples: ['T-20260726-0042'], nullable: true })
  readonly transactionId!: string | null;

  @Property(PLAIN_ID_SCHEMA, { description: 'See `ContributionTypeId` of AddContribution.', examples: [1] })
  readonly contributionTypeId!: number;

  @Property(TEXTS.name, {
    description: 'The name of that type. Of a pledge, nothing has been received.',
    examples: ['Regular'],
  })
  readonly contributionType!: string;

  @Property(PLAIN_ID_SCHEMA, { description: 'The bundle that it belongs to.', examples: [7] })
  readonly bundleId!: number;

  @Property(TEXTS.actor, { description: 'The user who added it.', examples: ['txt2give'] })
  readonly processor!: string;

  @Property(
    { type: 'string', enum: STATUSES },
    { description: '`Reversed` is a gift of which nothing is left.', examples: ['Recorded'] },
  )
  readonly status!: (typeof STATUSES)[number];

  @Property(listUpTo({ type: 'string', enum: WAYS_TO_MATCH }, WAYS_TO_MATCH.length), {
    description: 'How `q` found it; empty without `q`.',
    examples: [['amount']],
  })
  readonly matched!: readonly WayToMatch[];
}

/** A page of a search for gifts. */
export class GiftPage {
  @Property(listOf(FoundGift, GIFTS_PER_PAGE), { description: 'Those recorded last first; may be empty.' })
  readonly gifts!: readonly FoundGift[];

  @Property(TEXTS.word, {
    description: 'Send it as `after` to get the next page; null on the last page.',
    examples: ['4711'],
    nullable: true,
  })
  readonly next!: string | null;

  @Property({ type: 'boolean' }, { description: 'Whether there are more gifts.', examples: [false] })
  readonly more!: boolean;

  @Property(
    { type: 'boolean' },
    {
      description:
        'False for some minutes after an upgrade to the first version with search: earlier gifts may be missing.',
      examples: [true],
    },
  )
  readonly complete!: boolean;
}
