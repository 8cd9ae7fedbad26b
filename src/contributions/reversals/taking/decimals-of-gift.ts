import { InvalidRequestError } from '../../../http/index.js';
import {
  displayAmount,
  isFault,
  minorUnitsOf,
  readAmount,
  STORED_DECIMALS,
  type StoredAmount,
} from '../../../values/index.js';

/**
 * @param currency of the gift, which may be a former one of the church.
 * @param field as the caller has sent the amount.
 * @throws InvalidRequestError for an amount with more decimals than the currency has.
 */
export function assertDecimals(amount: StoredAmount, currency: string, field: string): void {
  const reading = readAmount(displayAmount(amount, currency), minorUnitsOf(currency) ?? STORED_DECIMALS);
  if (isFault(reading)) throw InvalidRequestError.ofReadings({ [field]: reading });
}
