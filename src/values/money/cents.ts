import { STORED_DECIMALS, type StoredAmount } from './currency.js';

/**
 * A stored amount ("10.00") as a whole number of its last decimal (1000n), for exact arithmetic. In every currency, because
 * all amounts are stored with the same decimals.
 */
export function toCents(amount: StoredAmount): bigint {
  return BigInt(amount.replace('.', ''));
}

/** The stored amount of a number of cents: 1000n is "10.00". */
export function fromCents(cents: bigint): StoredAmount {
  const digits = String(cents < 0n ? -cents : cents).padStart(STORED_DECIMALS + 1, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -STORED_DECIMALS)}.${digits.slice(-STORED_DECIMALS)}` as StoredAmount;
}

/** The sum of amounts. */
export function sumOfAmounts(amounts: readonly StoredAmount[]): StoredAmount {
  return fromCents(amounts.reduce((sum, amount) => sum + toCents(amount), 0n));
}
