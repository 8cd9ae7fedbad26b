import { type PaymentMethod, REVERSED_TYPE } from '../../ledger/index.js';
import { ContributionTypeNotAllowedError } from '../errors.js';

/** A part of a payment to record. Each becomes a contribution. Undefined fields were not sent. */
export interface GiftPart {
  /** Decimal text with two decimals, positive. */
  readonly amount: string;
  readonly fundId: number | undefined;
  /** The name of its fund; if `fundId` is set as well, both must be the same fund. */
  readonly fundName: string | undefined;
  readonly notes: string | null;
  readonly contributionTypeId: number | undefined;
}

/** How a payment was paid. Null fields were not sent. */
export interface PaymentDetails {
  readonly method: PaymentMethod | null;
  readonly checkNumber: string | null;
  /** What the processor keeps: decimal text with two decimals, at most the amount of the payment. */
  readonly fee: string | null;
  /** The processor's id of the payout that contains the payment. If set, the gift has a source. */
  readonly payoutId: string | null;
}

/** @throws ContributionTypeNotAllowedError for the type of reversing entries, which only the system makes. */
export function assertTypesAllowed(parts: readonly GiftPart[]): void {
  if (parts.some(({ contributionTypeId }) => contributionTypeId === REVERSED_TYPE))
    throw new ContributionTypeNotAllowedError(REVERSED_TYPE);
}
