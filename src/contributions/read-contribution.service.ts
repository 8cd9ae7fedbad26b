import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/index.js';
import { displayAmount, minorUnitsOf } from '../config/index.js';
import { Transactions } from '../database/index.js';
import type { ContributionView } from './contribution-view.js';
import { ContributionNotFoundError } from './errors.js';
import { REVERSED } from './reference-data.js';

interface ContributionRow {
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
  matched_by: 'id' | 'match' | 'created' | null;
  matched_on: string[] | null;
  other_matches: number[] | null;
  reverses_id: number | null;
  reversal_id: number | null;
  reversal_source: string | null;
  reversal_by: string | null;
  reversal_at: Date | null;
}

/** Reads contributions back. */
@Injectable()
export class ReadContribution {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The contribution, for somebody who may see every one.
   * @throws ContributionNotFoundError
   */
  async byId(contributionId: number): Promise<ContributionView> {
    return this.find(contributionId, undefined);
  }

  /**
   * The contribution, if this caller may see it: Finance sees all, others the gifts they added and their reversals.
   * @throws ContributionNotFoundError, for another's as for none.
   */
  async byIdFor(caller: Caller, contributionId: number): Promise<ContributionView> {
    return this.find(contributionId, caller.roles.has('Finance') ? undefined : caller.userId);
  }

  private async find(contributionId: number, addedBy: number | undefined): Promise<ContributionView> {
    const rows = await this.transactions.query<ContributionRow>(SELECT_CONTRIBUTION, [contributionId, addedBy]);
    if (rows[0] === undefined) throw new ContributionNotFoundError(contributionId);
    return view(rows[0]);
  }
}

/** $2: only what this user added, or null for all. A reversing entry is seen by who added its gift. */
const SELECT_CONTRIBUTION = `
  SELECT c.id, c.person_id, c.amount, c.currency, c.given_at, c.day::text AS day, c.fund_id, c.bundle_id,
    b.bundle_type_id, c.contribution_type_id, c.status, c.source, c.transaction_id, c.notes,
    CASE WHEN c.reverses_id IS NULL THEN json_build_object(
      'first', c.giver_first, 'last', c.giver_last, 'email', c.giver_email, 'phone', c.giver_phone,
      'address', c.giver_address, 'zip', c.giver_zip) END AS giver,
    u.username AS created_by, c.created_at, c.matched_by, c.matched_on, c.other_matches, c.reverses_id,
    r.id AS reversal_id, r.source AS reversal_source, ru.username AS reversal_by, r.created_at AS reversal_at
  FROM contribution c
    JOIN bundle b ON b.id = c.bundle_id
    JOIN app_user u ON u.id = c.created_by
    LEFT JOIN contribution gift ON gift.id = c.reverses_id
    LEFT JOIN contribution r ON r.reverses_id = c.id
    LEFT JOIN app_user ru ON ru.id = r.created_by
  WHERE c.id = $1 AND ($2::integer IS NULL OR COALESCE(gift.created_by, c.created_by) = $2)`;

function view(row: ContributionRow): ContributionView {
  return {
    contributionId: row.id,
    peopleId: row.person_id,
    amount: displayAmount(row.amount, minorUnitsOf(row.currency) ?? 2),
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
    match:
      row.matched_by === null
        ? null
        : { by: row.matched_by, on: row.matched_on ?? [], otherCandidates: row.other_matches ?? [] },
    reverses: row.reverses_id,
    reversal: reversal(row),
  };
}

function reversal(row: ContributionRow): ContributionView['reversal'] {
  if (row.reversal_id === null || row.reversal_by === null || row.reversal_at === null) return null;
  return {
    contributionId: row.reversal_id,
    source: row.reversal_source,
    by: row.reversal_by,
    at: row.reversal_at.toISOString(),
  };
}
