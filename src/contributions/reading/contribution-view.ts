import { listOf, Property } from '../../http/index.js';
import { EVIDENCE, WAYS_OF_FINDING, type Giver } from '../../people/index.js';
import { INSTANT, listUpTo, PLAIN_ID_SCHEMA, TEXTS } from '../../values/index.js';
import { CURRENCY, DAY, MONEY } from '../ledger/index.js';
import { PaymentView } from './payment-view.js';
import { REASON, ReversalView } from './reversal-view.js';

/** `status` of a contribution. */
export const STATUSES = ['Recorded', 'Reversed'] as const;

/** A giver's details as sent with a gift. */
class GiverAsSent implements Giver {
  @Property(TEXTS.name, { description: 'First name.', examples: ['John'] })
  readonly first!: string;

  @Property(TEXTS.name, { description: 'Last name.', examples: ['Appleseed'] })
  readonly last!: string;

  @Property(TEXTS.email, { description: 'E-mail address.', examples: ['john@example.org'] })
  readonly email!: string;

  @Property(TEXTS.phone, { description: 'Phone number as sent.', examples: ['901-489-0611'] })
  readonly phone!: string;

  @Property(TEXTS.address, { description: 'Postal address.', examples: ['1 Main Street'], nullable: true })
  readonly address!: string | null;

  @Property(TEXTS.zip, { description: 'Postal code.', examples: ['38103'], nullable: true })
  readonly zip!: string | null;
}

/** How a gift's person was found. */
class MatchView {
  @Property(
    { type: 'string', enum: WAYS_OF_FINDING },
    { description: 'By the PeopleId as sent, by matching, or newly created.', examples: ['match'] },
  )
  readonly by!: (typeof WAYS_OF_FINDING)[number];

  @Property(listUpTo({ type: 'string', enum: EVIDENCE }, EVIDENCE.length), {
    description: 'Details in which gift and person agreed.',
    examples: [['lastName', 'firstName', 'email']],
  })
  readonly on!: readonly string[];

  @Property(listUpTo(PLAIN_ID_SCHEMA), {
    description: 'PeopleIds of other persons who matched, best first.',
    examples: [[187]],
  })
  readonly otherCandidates!: readonly number[];
}

/** A contribution in answers of the API and on the command line. Fields have the contract's order. */
export class ContributionView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the contribution.', examples: [1] })
  readonly contributionId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The person that it belongs to.', examples: [152] })
  readonly peopleId!: number;

  @Property(MONEY, {
    description:
      'Exact decimal text with the decimals of the currency. Negative on a reversing entry, and on the entry that takes a gift out of a fund.',
    examples: ['10.00'],
  })
  readonly amount!: string;

  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(INSTANT, { description: 'When it was given.', examples: ['2026-07-26T05:00:00.000Z'] })
  readonly date!: string;

  @Property(DAY, { description: 'The day in church time.', examples: ['2026-07-26'] })
  readonly day!: string;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'The fund that it was given to. An entry that moves a gift later names the other fund.',
    examples: [1],
  })
  readonly fundId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The bundle that it belongs to.', examples: [7] })
  readonly bundleId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'See `BundleTypeId` of AddContribution.', examples: [4] })
  readonly bundleTypeId!: number;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'See `ContributionTypeId` of AddContribution; 7 is a reversing entry.',
    examples: [1],
  })
  readonly contributionTypeId!: number;

  @Property(
    { type: 'string', enum: STATUSES },
    {
      description: '`Reversed` is a gift of which nothing is left. See `reversedAmount` for partial reversals.',
      examples: ['Recorded'],
    },
  )
  readonly status!: (typeof STATUSES)[number];

  @Property(TEXTS.ownId, { description: 'As sent.', examples: ['txt2give'], nullable: true })
  readonly source!: string | null;

  @Property(TEXTS.ownId, { description: 'As sent.', examples: ['T-20260726-0042'], nullable: true })
  readonly transactionId!: string | null;

  @Property(TEXTS.notes, { description: 'As sent.', examples: ['For the roof'], nullable: true })
  readonly notes!: string | null;

  @Property(GiverAsSent, {
    description: 'The giver as sent; null on a reversing entry, and on a move to another fund.',
    nullable: true,
  })
  readonly giver!: GiverAsSent | null;

  @Property(TEXTS.actor, { description: 'User name.', examples: ['txt2give'] })
  readonly createdBy!: string;

  @Property(INSTANT, { description: 'When it was recorded.', examples: ['2026-07-26T14:03:09.512Z'] })
  readonly createdAt!: string;

  @Property(INSTANT, {
    description: 'When it was recorded or last changed, by a reversal or by being reassigned to another person.',
    examples: ['2026-07-27T08:00:00.000Z'],
  })
  readonly updatedAt!: string;

  @Property(MatchView, {
    description: 'How its person was found; null on an entry that no processor sent as a gift.',
    nullable: true,
  })
  readonly match!: MatchView | null;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'On a reversing entry: the gift that it reverses.',
    examples: [1],
    nullable: true,
  })
  readonly reverses!: number | null;

  @Property(ReversalView, {
    description: 'On a gift that is reversed, wholly or in part: its last reversal.',
    nullable: true,
  })
  readonly reversal!: ReversalView | null;

  @Property(PaymentView, { description: 'The payment that it belongs to.' })
  readonly payment!: PaymentView;

  @Property(MONEY, {
    description:
      'How much of a gift is reversed. What is left is `amount` without it. Zero on entries that are no gifts.',
    examples: ['10.00'],
  })
  readonly reversedAmount!: string;

  @Property(listOf(ReversalView), { description: 'All reversals of a gift, the first first.' })
  readonly reversals!: readonly ReversalView[];

  @Property(REASON, {
    description: 'On a reversing entry: why; null if no reason was sent.',
    examples: ['refund'],
    nullable: true,
  })
  readonly reason!: ReversalView['reason'];

  @Property(TEXTS.ownId, {
    description: 'On a reversing entry: the sender’s own id of the refund.',
    examples: ['re_1001'],
    nullable: true,
  })
  readonly refundId!: string | null;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'On a reversing entry: the gift that gives its amount back.',
    examples: [3],
    nullable: true,
  })
  readonly reinstatedBy!: number | null;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'On a gift that undoes a reversal: the reversing entry that it undoes.',
    examples: [2],
    nullable: true,
  })
  readonly reinstates!: number | null;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'On the two entries of a move to another fund: the gift that moved.',
    examples: [1],
    nullable: true,
  })
  readonly moves!: number | null;
}
