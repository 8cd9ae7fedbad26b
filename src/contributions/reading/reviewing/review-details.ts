import { listOf, Property } from '../../../http/index.js';
import { EVIDENCE, PersonView } from '../../../people/index.js';
import { INSTANT, listUpTo, PLAIN_ID_SCHEMA, TEXTS } from '../../../values/index.js';
import { MONEY } from '../../ledger/index.js';
import { REVIEW_REASONS, type ReviewReason, ReviewView } from '../../reviews/index.js';
import { ContributionView } from '../contribution-view.js';
import { AGREEING_DETAILS, type AgreeingDetail } from './compare-gifts.js';

/** A reason in words. */
class ReasonInWords {
  @Property(
    { type: 'string', enum: REVIEW_REASONS },
    { description: 'The reason, for programs.', examples: ['deceased'] },
  )
  readonly reason!: ReviewReason;

  @Property(TEXTS.sentences, { description: 'What it says.', examples: ['The person is marked as deceased.'] })
  readonly meaning!: string;
}

/** A person of a review, compared with the giver as sent with the gift. */
class ComparedPerson {
  @Property(PersonView, { description: 'The person, with all contacts.' })
  readonly person!: PersonView;

  @Property(listUpTo({ type: 'string', enum: EVIDENCE }, EVIDENCE.length), {
    description: 'The details in which the person agrees with the giver as sent, by all contacts of the person.',
    examples: [['lastName', 'email']],
  })
  readonly agrees!: readonly string[];
}

/** A gift that may be the same, compared with the gift of the review. */
class ComparedGift {
  @Property(ContributionView, { description: 'The other gift.' })
  readonly gift!: ContributionView;

  @Property(PLAIN_ID_SCHEMA, { description: 'The fund in which it is now.', examples: [1] })
  readonly fundNow!: number;

  @Property(listUpTo({ type: 'string', enum: AGREEING_DETAILS }, AGREEING_DETAILS.length), {
    description: 'The details in which both gifts agree.',
    examples: [['amount', 'day', 'lastName']],
  })
  readonly agrees!: readonly AgreeingDetail[];
}

/** A review with everything that a decision needs. */
export class ReviewDetails extends ReviewView {
  @Property(listOf(ReasonInWords, REVIEW_REASONS.length), { description: 'The reasons in words.' })
  readonly reasonsInWords!: readonly ReasonInWords[];

  @Property(ContributionView, { description: 'The gift.' })
  readonly gift!: ContributionView;

  @Property(PLAIN_ID_SCHEMA, { description: 'The fund in which it is now.', examples: [1] })
  readonly fundNow!: number;

  @Property(MONEY, {
    description: 'What is left of its whole payment, with what was reinstated: `Left` of ReverseAsFinance.',
    examples: ['30.00'],
  })
  readonly left!: string;

  @Property(ComparedPerson, { description: 'The person that the gift belongs to now.' })
  readonly giver!: ComparedPerson;

  @Property(listOf(ComparedPerson), { description: 'The persons of `otherPersons`, in the same order.' })
  readonly others!: readonly ComparedPerson[];

  @Property(listOf(ComparedGift), { description: 'The gifts of `otherGifts`, in the same order.' })
  readonly similarGifts!: readonly ComparedGift[];

  @Property(INSTANT, { description: 'When it was closed.', examples: ['2026-07-28T09:00:00.000Z'], nullable: true })
  readonly closedAt!: string | null;

  @Property(TEXTS.actor, { description: 'User name, or `command line`.', examples: ['treasurer'], nullable: true })
  readonly closedBy!: string | null;

  @Property(TEXTS.word, {
    description:
      '`accept`, `reassignment`, `reversal`, `merge` or `move`; null if it is open, or an earlier release closed it.',
    examples: ['accept'],
    nullable: true,
  })
  readonly closedThrough!: string | null;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'The next open review; after the last one, the first. Null if there is no other.',
    examples: [4],
    nullable: true,
  })
  readonly next!: number | null;
}
