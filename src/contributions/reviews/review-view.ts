import { listOf, Property } from '../../http/index.js';
import { REVIEW_REASONS, type ReviewReason } from './reasons/review-reasons.js';
import { INSTANT, listUpTo, PLAIN_ID_SCHEMA } from '../../values/index.js';

/** The most reviews in one answer. The parameter `after` continues the list. */
export const REVIEWS_PER_LIST = 200;

/** A gift that Finance should check. */
export class ReviewView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the review. AcceptReview needs it.', examples: [3] })
  readonly reviewId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The gift.', examples: [1] })
  readonly contributionId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The person that the gift belongs to now.', examples: [152] })
  readonly peopleId!: number;

  @Property(listUpTo({ type: 'string', enum: REVIEW_REASONS }, REVIEW_REASONS.length), {
    description: 'Why the gift should be checked.',
    examples: [['several_matches']],
  })
  readonly reasons!: readonly ReviewReason[];

  @Property(listUpTo(PLAIN_ID_SCHEMA), { description: 'Other persons who matched, best first.', examples: [[187]] })
  readonly otherMatches!: readonly number[];

  @Property(listUpTo(PLAIN_ID_SCHEMA), {
    description: 'Other persons that the reasons name, about 10 at most. The survivor replaces a merged person.',
    examples: [[187]],
  })
  readonly otherPersons!: readonly number[];

  @Property(listUpTo(PLAIN_ID_SCHEMA), {
    description: 'The gifts that may be the same as this one, 10 at most.',
    examples: [[1]],
  })
  readonly otherGifts!: readonly number[];

  @Property(INSTANT, { description: 'When it was listed.', examples: ['2026-07-26T14:03:09.512Z'] })
  readonly createdAt!: string;
}

/** Open reviews. */
export class ReviewList {
  @Property(listOf(ReviewView, REVIEWS_PER_LIST), {
    description: `The oldest first, ${REVIEWS_PER_LIST} at most.`,
  })
  readonly reviews!: readonly ReviewView[];
}

/** A closed review. */
export class AcceptedReview {
  @Property(PLAIN_ID_SCHEMA, { description: 'The review.', examples: [3] })
  readonly reviewId!: number;

  @Property({ type: 'boolean', const: true }, { description: 'Always true.', examples: [true] })
  readonly accepted!: true;
}
