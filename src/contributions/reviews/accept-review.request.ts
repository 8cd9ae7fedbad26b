import { fieldReader, id, IgnoresNothing, OptionalField } from '../../http/index.js';
import { fault, listUpTo, read } from '../../values/index.js';
import { REVIEW_REASONS, type ReviewReason } from './reasons/review-reasons.js';

const isReason = (value: unknown): value is ReviewReason => REVIEW_REASONS.some((reason) => reason === value);

/** A list of reasons, in any order. */
const reasons = Object.assign(
  fieldReader<readonly ReviewReason[]>(listUpTo({ type: 'string', enum: REVIEW_REASONS }), (value) =>
    Array.isArray(value) && value.every(isReason)
      ? read(value)
      : fault(`must be a list of ${REVIEW_REASONS.join(', ')}`),
  ),
  { acceptsObjects: true },
);

/** The body of AcceptReview, which may be missing. */
@IgnoresNothing()
export class AcceptReviewRequest {
  @OptionalField(id, {
    description: 'The person of the gift, as you have seen it. If it is another one by now, the review stays open.',
    examples: [152],
  })
  PeopleId?: number;

  @OptionalField(reasons, {
    description: 'The reasons of the review, as you have seen them. If they are others by now, it stays open.',
    examples: [['several_matches']],
  })
  Reasons?: readonly ReviewReason[];
}
