import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../audit/index.js';
import { Transactions } from '../../../database/index.js';
import { PersonRecords } from '../../../people/index.js';
import type { GiverView, YearOfGiving } from './giver-view.js';
import { displayAmount } from '../../../values/index.js';
import {
  displayTotals,
  isOfType,
  JOIN_GIFT,
  NON_CASH_TYPES,
  NON_DEDUCTIBLE_TYPE,
  PLEDGE_TYPE,
  SUMS,
  sumsOf,
} from '../../ledger/index.js';

/** Reads a person with the totals of their gifts. */
@Injectable()
export class Giving {
  constructor(
    private readonly transactions: Transactions,
    private readonly persons: PersonRecords,
  ) {}

  /** The reading is recorded. @param by the API user. @throws GiverNotFoundError */
  async of(peopleId: number, by: Actor): Promise<GiverView> {
    const person = await this.persons.read(peopleId, by);
    const years = await this.transactions.query<YearOfGiving>(BY_YEAR, [peopleId]);
    return { ...person, giving: years.map(displayYear) };
  }
}

const IS_PLEDGE = isOfType(PLEDGE_TYPE);
const IS_NON_DEDUCTIBLE = isOfType(NON_DEDUCTIBLE_TYPE);
const IS_NON_CASH = isOfType(...NON_CASH_TYPES);

/**
 * A type that the church has added in SQL counts as deductible money. A reinstatement has the gift's day, but counts in
 * the year of the reversing entry that it undoes: the gift itself still counts in its own. Moves are left out, because
 * nobody gave anything.
 */
const BY_YEAR = `
  SELECT extract(year FROM COALESCE(undone.day, c.day))::integer AS year, ${SUMS},
    ${sumsOf('deductible', `NOT (${IS_PLEDGE} OR ${IS_NON_DEDUCTIBLE} OR ${IS_NON_CASH})`)},
    ${sumsOf('nonDeductible', IS_NON_DEDUCTIBLE)},
    ${sumsOf('nonCash', IS_NON_CASH)}
  FROM contribution c ${JOIN_GIFT} LEFT JOIN contribution undone ON undone.id = c.reinstates_id
  WHERE c.person_id = $1 AND c.moves_id IS NULL
  GROUP BY 1, c.currency ORDER BY year DESC, c.currency`;

function displayYear(year: YearOfGiving): YearOfGiving {
  const amount = (total: string): string => displayAmount(total, year.currency);
  return {
    ...displayTotals(year),
    deductibleTotal: amount(year.deductibleTotal),
    nonDeductibleTotal: amount(year.nonDeductibleTotal),
    nonCashTotal: amount(year.nonCashTotal),
  };
}
