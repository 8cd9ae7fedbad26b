import { currentFund, type PaymentMethod, REVERSED } from '../../ledger/index.js';
import type { FoundGift } from './found-gift-view.js';
import type { WayToMatch } from './gift-matches.js';
import { displayAmount, type StoredAmount } from '../../../values/index.js';

/** A row of {@link SELECT_FOUND_GIFTS}. */
export interface FoundGiftRow {
  readonly id: number;
  readonly payment_id: number;
  readonly day: string;
  readonly person_id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly giver_first: string;
  readonly giver_last: string;
  readonly fund_id: number;
  readonly fund: string;
  readonly amount: StoredAmount;
  readonly left_amount: StoredAmount;
  readonly currency: string;
  readonly method: PaymentMethod | null;
  readonly check_number: string | null;
  readonly source: string | null;
  readonly transaction_id: string | null;
  readonly contribution_type_id: number;
  readonly contribution_type: string;
  readonly bundle_id: number;
  readonly processor: string;
  readonly status: number;
}

/** The gifts with these ids, the last recorded first. */
export const SELECT_FOUND_GIFTS = `
  SELECT g.*, f.name AS fund, t.name AS contribution_type
  FROM (
    SELECT c.id, c.payment_id, c.day::text AS day, c.person_id, n.first_name, n.last_name, c.giver_first, c.giver_last,
      ${currentFund('c')} AS fund_id, c.amount, c.amount - c.reversed_amount AS left_amount, c.currency, p.method,
      p.check_number, c.source, c.transaction_id, c.contribution_type_id, c.bundle_id, u.username AS processor, c.status
    FROM contribution c
      JOIN payment p ON p.id = c.payment_id
      JOIN person n ON n.id = c.person_id
      JOIN app_user u ON u.id = c.added_by
    WHERE c.id = ANY ($1::integer[])
  ) g
    JOIN fund f ON f.id = g.fund_id
    JOIN contribution_type t ON t.id = g.contribution_type_id
  ORDER BY g.id DESC`;

export function foundGiftOf(row: FoundGiftRow, matched: readonly WayToMatch[]): FoundGift {
  const name = { first: row.first_name, last: row.last_name };
  const asSent = { first: row.giver_first, last: row.giver_last };
  return {
    contributionId: row.id,
    paymentId: row.payment_id,
    day: row.day,
    giver: {
      ...{ peopleId: row.person_id, ...name },
      asSent: asSent.first === name.first && asSent.last === name.last ? null : asSent,
    },
    fundId: row.fund_id,
    fund: row.fund,
    amount: displayAmount(row.amount, row.currency),
    left: displayAmount(row.left_amount, row.currency),
    currency: row.currency,
    method: row.method,
    checkNumber: row.check_number,
    source: row.source,
    transactionId: row.transaction_id,
    contributionTypeId: row.contribution_type_id,
    contributionType: row.contribution_type,
    bundleId: row.bundle_id,
    processor: row.processor,
    status: row.status === REVERSED ? 'Reversed' : 'Recorded',
    matched,
  };
}
