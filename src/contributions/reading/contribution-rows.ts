import { isoInstant } from '../../database/index.js';
import type { ContributionView } from './contribution-view.js';
import type { PaymentView } from './payment-view.js';
import type { ReversalView } from './reversal-view.js';
import { depositOfPayment, type DepositOfPaymentRow, visibleDeposit } from '../deposits/index.js';
import { displayAmount } from '../../values/index.js';
import { isGift, isPart, REVERSED } from '../ledger/index.js';

/** A row of {@link SELECT_CONTRIBUTIONS}. */
export interface ContributionRow {
  id: number;
  person_id: number;
  amount: string;
  currency: string;
  given_at: Date;
  day: string;
  fund_id: number;
  bundle_id: number;
  bundle_type_id: number;
  contribution_type_id: number;
  status: number;
  source: string | null;
  transaction_id: string | null;
  notes: string | null;
  giver: ContributionView['giver'];
  created_by: string;
  created_at: Date;
  updated_at: Date;
  change_no: number;
  matched_by: 'id' | 'match' | 'created' | null;
  matched_on: string[] | null;
  other_matches: number[] | null;
  reverses_id: number | null;
  moves_id: number | null;
  reinstates_id: number | null;
  /** On a reversing entry: the first entry of the same reversal. */
  reversal_id: number | null;
  reason: ReversalView['reason'];
  refund_id: string | null;
  reinstated_by: number | null;
  reversed_amount: string;
  /** Amounts as stored. */
  reversals: readonly ReversalView[] | null;
  payment_id: number;
  payment_amount: string;
  fee: string | null;
  net: string | null;
  method: PaymentView['method'];
  check_number: string | null;
  payout_id: string | null;
  further_parts: readonly number[];
  deposit: DepositOfPaymentRow | null;
}

/**
 * SQL for the reversals of the gift `c`, or null if it has none. Of an ordinary gift, only its own row is read. Times have
 * the notation of Date.toISOString().
 */
const REVERSALS = `
  CASE WHEN c.reversed_amount > 0 THEN (
    SELECT json_agg(json_build_object(
      'contributionId', r.id, 'source', r.source, 'by', ru.username,
      'at', ${isoInstant('r.created_at')}, 'amount', (-r.amount)::text,
      'reason', r.reason, 'refundId', r.refund_id,
      'reinstatedBy', (SELECT i.id FROM contribution i WHERE i.reinstates_id = r.id)) ORDER BY r.id)
    FROM contribution r JOIN app_user ru ON ru.id = r.created_by WHERE r.reverses_id = c.id
  ) END`;

/** SQL for the parts of a payment besides the first, which has the payment's id. */
const FURTHER_PARTS = `
  ARRAY(
    SELECT part.id FROM contribution part
    WHERE part.payment_id = c.payment_id AND part.payment_id <> part.id AND ${isPart('part')} ORDER BY part.id
  )`;

/** Selects contributions `c` and their payments `p` as {@link ContributionRow}. Append a condition. */
export const SELECT_CONTRIBUTIONS = `
  SELECT c.id, c.person_id, c.amount, c.currency, c.given_at, c.day::text AS day, c.fund_id, c.bundle_id,
    b.bundle_type_id, c.contribution_type_id, c.status, c.source, c.transaction_id, c.notes,
    CASE WHEN ${isGift('c')} THEN json_build_object(
      'first', c.giver_first, 'last', c.giver_last, 'email', c.giver_email, 'phone', c.giver_phone,
      'address', c.giver_address, 'zip', c.giver_zip) END AS giver,
    u.username AS created_by, c.created_at, c.updated_at, c.change_no, c.matched_by, c.matched_on, c.other_matches,
    c.reverses_id, c.moves_id, c.reinstates_id, c.reversal_id, c.reason, c.refund_id,
    CASE WHEN c.reverses_id IS NOT NULL THEN (
      SELECT i.id FROM contribution i WHERE i.reinstates_id = c.id) END AS reinstated_by,
    c.reversed_amount, ${REVERSALS} AS reversals,
    p.id AS payment_id, p.amount AS payment_amount, p.fee, p.amount - p.fee AS net, p.method, p.check_number, p.payout_id,
    ${FURTHER_PARTS} AS further_parts, ${depositOfPayment('c.payment_id')} AS deposit
  FROM contribution c
    JOIN payment p ON p.id = c.payment_id
    JOIN bundle b ON b.id = c.bundle_id
    JOIN app_user u ON u.id = c.created_by`;

/** The contribution, for Finance and auditors. */
export function viewOf(row: ContributionRow): ContributionView {
  return viewFor(row, undefined);
}

/** The contribution, for a processor, or for Finance and auditors if it is undefined. */
export function viewFor(row: ContributionRow, processorId: number | undefined): ContributionView {
  const amount = (stored: string): string => displayAmount(stored, row.currency);
  const reversals = reversalsOf(row);
  return {
    contributionId: row.id,
    peopleId: row.person_id,
    amount: amount(row.amount),
    currency: row.currency,
    date: row.given_at.toISOString(),
    day: row.day,
    fundId: row.fund_id,
    bundleId: row.bundle_id,
    bundleTypeId: row.bundle_type_id,
    contributionTypeId: row.contribution_type_id,
    status: row.status === REVERSED ? 'Reversed' : 'Recorded',
    source: row.source,
    transactionId: row.transaction_id,
    notes: row.notes,
    giver: row.giver,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    match:
      row.matched_by === null
        ? null
        : { by: row.matched_by, on: row.matched_on ?? [], otherCandidates: row.other_matches ?? [] },
    reverses: row.reverses_id,
    reversal: reversals.at(-1) ?? null,
    payment: paymentOf(row, processorId),
    reversedAmount: amount(row.reversed_amount),
    reversals,
    reason: row.reason,
    refundId: row.refund_id,
    reinstatedBy: row.reinstated_by,
    reinstates: row.reinstates_id,
    moves: row.moves_id,
  };
}

function paymentOf(row: ContributionRow, processorId: number | undefined): PaymentView {
  const amount = (stored: string | null): string | null => stored && displayAmount(stored, row.currency);
  return {
    paymentId: row.payment_id,
    amount: displayAmount(row.payment_amount, row.currency),
    fee: amount(row.fee),
    net: amount(row.net),
    method: row.method,
    checkNumber: row.check_number,
    payoutId: row.payout_id,
    parts: [row.payment_id, ...row.further_parts],
    deposit: visibleDeposit(row.deposit, processorId),
  };
}

function reversalsOf({ reversals, currency }: ContributionRow): ReversalView[] {
  return (reversals ?? []).map(({ contributionId, source, by, at, amount, ...rest }) => ({
    ...{ contributionId, source, by, at, amount: displayAmount(amount, currency) },
    ...rest,
  }));
}
