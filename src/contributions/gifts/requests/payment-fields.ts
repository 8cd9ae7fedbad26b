import { faultsOfReadings, type FieldFault, InvalidRequestError } from '../../../http/index.js';
import { isFault, type Reading, type StoredAmount, sumOfAmounts, toCents } from '../../../values/index.js';
import type { GiftPart, PaymentDetails } from '../recording/gift-part.js';
import type { AddContributionRequest } from './add-contribution.request.js';
import type { SplitRequest } from './split.request.js';

/** The payment of a request: how it was paid, and its parts. */
export interface SentPayment {
  readonly payment: PaymentDetails;
  /** At least one. */
  readonly parts: readonly GiftPart[];
  /** The faults of the fields that releases before payments ignored; undefined if there are none. */
  readonly refusal: InvalidRequestError | undefined;
}

/** Reads the payment of a request, and checks the rules between its fields (contract, "A payment and its parts"). */
export function paymentOf(request: AddContributionRequest): SentPayment {
  const { Method, CheckNumber, Fee, PayoutId, FundName, Splits } = request;
  const faults = [
    ...faultsOfReadings({ Method, CheckNumber, Fee, PayoutId, FundName, Splits }),
    ...faultsBetween(request, valueOf(Fee), valueOf(Splits)),
  ];
  const whole: GiftPart = {
    amount: request.Amount,
    fundId: request.FundId,
    fundName: valueOf(FundName),
    notes: request.Notes ?? null,
    contributionTypeId: request.ContributionTypeId,
  };
  return {
    payment: {
      method: valueOf(Method) ?? null,
      checkNumber: valueOf(CheckNumber) ?? null,
      fee: valueOf(Fee) ?? null,
      payoutId: valueOf(PayoutId) ?? null,
    },
    parts: valueOf(Splits)?.map((split) => partOf(split, whole)) ?? [whole],
    refusal: faults.length === 0 ? undefined : InvalidRequestError.ofFields(faults),
  };
}

function partOf(split: SplitRequest, whole: GiftPart): GiftPart {
  return {
    amount: split.Amount,
    fundId: split.FundId,
    fundName: split.FundName,
    notes: split.Notes ?? whole.notes,
    contributionTypeId: split.ContributionTypeId ?? whole.contributionTypeId,
  };
}

function faultsBetween(
  { Amount, Source, FundId, FundName, PayoutId }: AddContributionRequest,
  fee: StoredAmount | undefined,
  splits: readonly SplitRequest[] | undefined,
): FieldFault[] {
  const faults: FieldFault[] = [];
  if (fee !== undefined && toCents(fee) > toCents(Amount))
    faults.push({ field: 'Fee', message: 'must be at most Amount' });
  if (PayoutId !== undefined && Source === undefined)
    faults.push({ field: 'Source', message: 'is required with PayoutId' });
  if (splits === undefined) return faults;
  if (FundId !== undefined || FundName !== undefined)
    faults.push({ field: 'Splits', message: 'cannot be sent with FundId or FundName: each of them names its fund' });
  const sum = sumOfAmounts(splits.map((split) => split.Amount));
  if (toCents(sum) !== toCents(Amount))
    faults.push({ field: 'Splits', message: `must add up to Amount: they add up to ${sum}, and Amount is ${Amount}` });
  return faults;
}

function valueOf<T>(reading: Reading<T> | undefined): T | undefined {
  return reading === undefined || isFault(reading) ? undefined : reading.value;
}
