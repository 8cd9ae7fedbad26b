import type { EntityManager } from 'typeorm';
import type { InvalidRequestError } from '../../../http/index.js';
import type { SentRequest } from '../../../idempotency/index.js';
import type { Giver } from '../../../people/index.js';
import type { GiftDate } from '../../../values/index.js';
import type { ReviewReason } from '../../reviews/index.js';
import type { GiftPart, PaymentDetails } from './gift-part.js';

/** A gift to record. Undefined fields were not sent. */
export interface AddContributionCommand {
  readonly giver: Giver;
  /** Decimal text with two decimals, positive. */
  readonly amount: string;
  /** ISO 4217, in upper case. */
  readonly currency: string | undefined;
  readonly date: GiftDate | undefined;
  readonly source: string | null;
  readonly payment: PaymentDetails;
  /** At least one. Their amounts add up to `amount`. */
  readonly parts: readonly GiftPart[];
  /**
   * The error for fields that releases before payments ignored; undefined if there is none. A gift that such a release
   * recorded gets its first answer all the same.
   */
  readonly refusal: InvalidRequestError | undefined;
  readonly peopleId: number | undefined;
  readonly ignoreUnknownPerson: boolean;
  readonly bundleTypeId: number | undefined;
  /** The sender's own id of the gift. If set, `source` is set as well. */
  readonly transactionId: string | null;
  /** The user who adds it. */
  readonly userId: number;
  readonly username: string;
  /** The caller's Idempotency-Key, if it sent one. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
  /** True for an import, because a church imports earlier years on purpose. Otherwise such a gift is listed for review. */
  readonly acceptEarlierYear?: boolean;
  /** Finds a recorded gift that may be the same as this one. If there is one, this gift is listed for review. */
  readonly findSimilarGift?: (tx: EntityManager) => Promise<number | undefined>;
}

/** The review of a gift. The API does not return it. */
export interface ReviewOfGift {
  /** Why the gift is listed for review; empty if it is not. */
  readonly reviewReasons: readonly ReviewReason[];
  /** The recorded gift of the reason `similar_row`. */
  readonly similarGift: number | undefined;
}

export const NO_REVIEW: ReviewOfGift = { reviewReasons: [], similarGift: undefined };
