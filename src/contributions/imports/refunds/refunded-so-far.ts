import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../auth/index.js';
import { InvalidRequestError } from '../../../http/index.js';
import { SentRequest } from '../../../idempotency/index.js';
import { isFault, normalizeText, readAmountOrZero, type StoredAmount, toCents } from '../../../values/index.js';
import { Church } from '../../../config/index.js';
import { ReverseContribution, type ReverseContributionCommand } from '../../reversals/index.js';
import type { DatabaseRetry } from '../database-retry.js';
import type { EarlierRows } from '../identity/earlier-rows.js';
import { ImportError } from '../import-error.js';
import { UNKNOWN_DISPUTE } from '../payments/lost-dispute.js';
import { refusedOutcome } from '../results/row-outcome.js';
import type { RowResult } from '../results/result-file.js';

interface RefundContext {
  readonly user: Pick<Caller, 'userId' | 'username'>;
  /** Of a dry run; undefined if rows are recorded. */
  readonly earlierRows: EarlierRows | undefined;
  readonly retry: DatabaseRetry;
}

/** The row of a gift that says how much of it was refunded so far. */
interface RefundedGift {
  readonly source: string;
  /** More than zero, and at most the gift. */
  readonly refunded: StoredAmount;
}

/**
 * Takes back what a file says was refunded so far of a gift. The reversed total is brought up to it, so the same file
 * changes nothing when it is imported again.
 */
@Injectable()
export class RefundedSoFar {
  constructor(
    private readonly church: Church,
    private readonly reverseContribution: ReverseContribution,
  ) {}

  /**
   * What a row says was refunded; undefined if it is nothing.
   * @param fields of the row, or of the whole payment. All others are valid.
   * @throws InvalidRequestError
   */
  read({ RefundedAmount, Amount, Source }: Readonly<Record<string, unknown>>): RefundedGift | undefined {
    if (RefundedAmount === undefined) return undefined;
    if (RefundedAmount === UNKNOWN_DISPUTE)
      throw faultOf('must be more than zero: the gift was lost in a dispute', 'DisputedAmount');
    const { minorUnits } = this.church;
    const [refunded, gift] = [readAmountOrZero(RefundedAmount, minorUnits), readAmountOrZero(Amount, minorUnits)];
    if (isFault(refunded)) throw faultOf(refunded.fault);
    if (!isFault(gift) && toCents(refunded.value) > toCents(gift.value)) throw faultOf('must be at most Amount');
    const source = normalizeText(String(Source));
    return toCents(refunded.value) === 0n ? undefined : { source, refunded: refunded.value };
  }

  /** Takes back what is missing, after the gift was recorded. @returns the result of the row. */
  async bringUpTo(context: RefundContext, { source, refunded }: RefundedGift, gift: RowResult): Promise<RowResult> {
    const { contributionId, status } = gift;
    if (status === 'refused') return gift;
    // In a dry run, the gift of this row does not exist.
    if (contributionId === null) return { ...gift, status: 'would be recorded and reversed' };
    const command: ReverseContributionCommand = {
      payment: { contributionId },
      source,
      reversedTotal: refunded,
      user: context.user,
      operation: 'ReverseTransaction',
      key: undefined,
      sent: new SentRequest({ contributionId, refunded }),
    };
    try {
      const isDryRun = context.earlierRows !== undefined;
      const { replayed } = await context.retry.whileUnavailable(() =>
        isDryRun ? this.reverseContribution.preview(command) : this.reverseContribution.reverse(command),
      );
      if (replayed) return gift;
      if (isDryRun) return { ...gift, status: 'would be reversed' };
      return { ...gift, status: status === 'recorded' ? 'recorded and reversed' : 'reversed' };
    } catch (error) {
      if (error instanceof ImportError) throw error;
      const { code, error: message } = refusedOutcome(error);
      return { ...gift, status: 'refused', code, error: message };
    }
  }
}

function faultOf(message: string, field = 'RefundedAmount'): InvalidRequestError {
  return InvalidRequestError.ofFields([{ field, message }]);
}
