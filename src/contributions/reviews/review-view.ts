import { listOf, Property } from '../../http/index.js';
import { REVIEW_REASONS, type ReviewReason } from './review-reasons.js';
import { INSTANT, PLAIN_ID_SCHEMA } from '../../values/index.js';

/** A gift that Finance should look at. */
export class ReviewView {
  @Property(PLAIN_ID_SCHEMA, { description: 'By this it is accepted.', examples: [3] })
  readonly reviewId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The gift.', examples: [1] })
  readonly contributionId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'Whose gift it is now.', examples: [152] })
  readonly peopleId!: number;

  @Property(
    { type: 'array', items: { type: 'string', enum: REVIEW_REASONS } },
    { description: 'Why somebody should look at it.', examples: [['several_matches']] },
  )
  readonly reasons!: readonly ReviewReason[];

  @Property(
    { type: 'array', items: PLAIN_ID_SCHEMA },
    { description: 'Others who matched as well, best first.', examples: [[187]] },
  )
  readonly otherMatches!: readonly number[];

  @Property(
    { type: 'array', items: PLAIN_ID_SCHEMA },
    {
      description: 'All other persons that the reasons are about, 10 or so at most; of a merged one the surviving one.',
      examples: [[187]],
    },
  )
  readonly otherPersons!: readonly number[];

  @Property(
    { type: 'array', items: PLAIN_ID_SCHEMA },
    { description: 'The gifts that this one may be the same as, 10 at most.', examples: [[1]] },
  )
  readonly otherGifts!: readonly number[];

  @Property(INSTANT, { description: 'When it was listed.', examples: ['2026-07-26T14:03:09.512Z'] })
  readonly createdAt!: string;
}

/** Open reviews. */
export class ReviewList {
  @Property(listOf(ReviewView), { description: 'The oldest first, 200 at most.' })
  readonly reviews!: readonly ReviewView[];
}

/** A review that is off the list. */
export class AcceptedReview {
  @Property(PLAIN_ID_SCHEMA, { description: 'The review.', examples: [3] })
  readonly reviewId!: number;

  @Property({ type: 'boolean', const: true }, { description: 'Always true.', examples: [true] })
  readonly accepted!: true;
}
