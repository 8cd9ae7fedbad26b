import type { ReversalReason } from '../events/index.js';
import { Injectable } from '@nestjs/common';
import { isoInstant, Transactions } from '../../database/index.js';
import { displayAmount } from '../../values/index.js';
import { ContributionNotFoundError, isGift, isOfPayment } from '../ledger/index.js';

/** A change of a payment. */
export interface HistoryEvent {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly what:
    | 'recorded'
    | 'reassigned'
    | 'merged'
    | 'reversed'
    | 'reinstated'
    | 'moved to another fund'
    | 'review accepted'
    | 'review closed';
  /** A user's name, or "command line". */
  readonly by: string;
  /** The PeopleIds of a reassignment, or of a merge of the gift's person into another one; otherwise null. */
  readonly from: number | null;
  readonly to: number | null;
  /** The gift that changed: a part of the payment as sent, or a reinstatement. */
  readonly contributionId: number;
  /** What was recorded, reversed, reinstated or moved, as decimal text; otherwise null. */
  readonly amount: string | null;
  /** Why it was reversed, if a reason was sent; otherwise null. */
  readonly reason: ReversalReason | null;
  /** What was written about a reversal or a move to another fund; otherwise null. */
  readonly note: string | null;
  /** The FundIds of a move to another fund; otherwise null. */
  readonly fromFund: number | null;
  readonly toFund: number | null;
}

type HistoryRow = HistoryEvent & { readonly currency: string };

/**
 * Reads the books instead of the audit trail, which is younger. The books keep every reassignment. All events of one
 * transaction have the same time, so they are then ordered by step. The two entries of a move have one time.
 */
const SELECT_HISTORY = `
  WITH entry AS (
    SELECT c.*, u.username AS added_by_name
    FROM contribution c JOIN app_user u ON u.id = c.created_by
    WHERE ${isOfPayment('c', '(SELECT payment_id FROM contribution WHERE id = $1)')}
  ), gift AS (
    SELECT * FROM entry WHERE ${isGift('entry')}
  ), done AS (
    SELECT CASE WHEN reinstates_id IS NULL THEN 1 ELSE 5 END AS step, id AS entry, created_at AS at,
      CASE WHEN reinstates_id IS NULL THEN 'recorded' ELSE 'reinstated' END AS what, added_by_name AS by,
      NULL::integer AS "from", NULL::integer AS "to", id AS "contributionId", amount, NULL AS reason,
      NULL AS note, NULL::integer AS "fromFund", NULL::integer AS "toFund"
    FROM gift
    UNION ALL
    SELECT 2, m.id, m.reassigned_at, CASE WHEN m.through_merge THEN 'merged' ELSE 'reassigned' END, m.reassigned_by,
      m.from_person_id, m.to_person_id, gift.id, NULL, NULL, NULL, NULL, NULL
    FROM gift JOIN reassignment m ON m.contribution_id = gift.id
    UNION ALL
    SELECT 3, id, created_at, 'reversed', added_by_name, NULL, NULL, reverses_id, -amount, reason, notes, NULL, NULL
    FROM entry WHERE reverses_id IS NOT NULL
    UNION ALL
    SELECT 4, added.id, added.created_at, 'moved to another fund', added.added_by_name, NULL, NULL, added.moves_id,
      added.amount, NULL, added.notes, taken.fund_id, added.fund_id
    FROM entry added JOIN entry taken
      ON taken.moves_id = added.moves_id AND taken.created_at = added.created_at AND taken.amount = -added.amount
    WHERE added.amount > 0
    UNION ALL
    SELECT 6, r.id, r.accepted_at,
      CASE WHEN COALESCE(r.closed_through, 'accept') = 'accept' THEN 'review accepted' ELSE 'review closed' END,
      r.accepted_by, NULL, NULL, gift.id, NULL, NULL, NULL, NULL, NULL
    FROM gift JOIN review r ON r.contribution_id = gift.id WHERE r.accepted_at IS NOT NULL
  )
  SELECT ${isoInstant('at')} AS at, what, by, "from", "to",
    "contributionId", amount, reason, note, "fromFund", "toFund", (SELECT currency FROM gift LIMIT 1) AS currency
  FROM done ORDER BY done.at, step, entry`;

/** Reads the history of a payment. */
@Injectable()
export class ContributionHistory {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The history of a payment with all its parts, the oldest event first. The id of any of its entries leads to it.
   * @throws ContributionNotFoundError
   */
  async of(contributionId: number): Promise<HistoryEvent[]> {
    const events = await this.transactions.query<HistoryRow>(SELECT_HISTORY, [contributionId]);
    if (events.length === 0) throw new ContributionNotFoundError(contributionId);
    return events.map(({ currency, ...event }) => ({
      ...event,
      amount: event.amount === null ? null : displayAmount(event.amount, currency),
    }));
  }
}
