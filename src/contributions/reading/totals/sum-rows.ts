import { NON_CASH_TYPES, NON_DEDUCTIBLE_TYPE, PLEDGE_TYPE } from '../../ledger/index.js';
import { displayAmount, type StoredAmount, sumOfAmounts } from '../../../values/index.js';
import type { MonthSums } from './totals-view.js';

/** Sums of one month, fund, type of gift and currency. */
export interface SumsRow {
  /** YYYY-MM. */
  readonly month: string;
  readonly fundId: number;
  readonly typeId: number;
  readonly currency: string;
  readonly gifts: number;
  readonly amount: StoredAmount;
}

/** The sum of rows in one currency. A type that the church has added in SQL counts as deductible money. */
export function sumRows(rows: readonly SumsRow[], currency: string): MonthSums {
  const sumOf = (isMeant: (typeId: number) => boolean): string =>
    displayAmount(sumOfAmounts(rows.filter(({ typeId }) => isMeant(typeId)).map(({ amount }) => amount)), currency);
  const isPledge = (typeId: number): boolean => typeId === PLEDGE_TYPE;
  const isNonDeductible = (typeId: number): boolean => typeId === NON_DEDUCTIBLE_TYPE;
  const isNonCash = (typeId: number): boolean => NON_CASH_TYPES.some((type) => type === typeId);
  const gifts = rows.filter(({ typeId }) => !isPledge(typeId));
  return {
    gifts: gifts.reduce((count, row) => count + row.gifts, 0),
    total: sumOf((typeId) => !isPledge(typeId)),
    deductible: sumOf((typeId) => !isPledge(typeId) && !isNonDeductible(typeId) && !isNonCash(typeId)),
    nonDeductible: sumOf(isNonDeductible),
    nonCash: sumOf(isNonCash),
    pledges: sumOf(isPledge),
  };
}
