import type { ContributionView } from './contribution-view.js';
import { displayAmount } from '../../values/index.js';
import { REVERSED } from '../ledger/index.js';

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
  reversal_id: number | null;
  reversal_source: string | null;
  reversal_by: string | null;
  reversal_at: Date | null;
}

/** Selects contributions as {@link ContributionRow}. Append a condition. */
export const SELECT_CONTRIBUTIONS = `
  SELECT c.id, c.person_id, c.amount, c.currency, c.given_at, c.day::text AS day, c.fund_id, c.bundle_id,
    b.bundle_type_id, c.contribution_type_id, c.status, c.source, c.transaction_id, c.notes,
    CASE WHEN c.reverses_id IS NULL THEN json_build_object(
      'first', c.giver_first, 'last', c.giver_last, 'email', c.giver_email, 'phone', c.giver_phone,
      'address', c.giver_address, 'zip', c.giver_zip) END AS giver,
    u.username AS created_by, c.created_at, c.updated_at, c.change_no, c.matched_by, c.matched_on, c.other_matches,
    c.reverses_id, r.id AS reversal_id, r.source AS reversal_source, ru.username AS reversal_by,
    r.created_at AS reversal_at
  FROM contribution c
    JOIN bundle b ON b.id = c.bundle_id
    JOIN app_user u ON u.id = c.created_by
    LEFT JOIN contribution r ON r.reverses_id = c.id
    LEFT JOIN app_user ru ON ru.id = r.created_by`;

export function viewOf(row: ContributionRow): ContributionView {
  return {
    contributionId: row.id,
    peopleId: row.person_id,
    amount: displayAmount(row.amount, row.currency),
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
    reversal: reversalOf(row),
  };
}

function reversalOf(row: ContributionRow): ContributionView['reversal'] {
  if (row.reversal_id === null || row.reversal_by === null || row.reversal_at === null) return null;
  return {
    contributionId: row.reversal_id,
    source: row.reversal_source,
    by: row.reversal_by,
    at: row.reversal_at.toISOString(),
  };
}
