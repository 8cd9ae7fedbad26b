import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { ContributionNotFoundError } from '../ledger/index.js';

/** A change of a gift. */
export interface HistoryEvent {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly what: 'recorded' | 'reassigned' | 'merged' | 'reversed' | 'review accepted' | 'review closed';
  /** A user's name, or "command line". */
  readonly by: string;
  /** The PeopleIds of a reassignment, or of a merge of the gift's person into another one; otherwise null. */
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * Reads the books instead of the audit trail, which is younger. The books keep every reassignment. All events of one
 * transaction have the same time, so they are then ordered by step.
 */
const SELECT_HISTORY = `
  WITH gift AS (
    SELECT COALESCE(reverses_id, id) AS id FROM contribution WHERE id = $1
  ), done AS (
    SELECT 1 AS step, c.created_at AS at, 'recorded' AS what, u.username AS by,
      NULL::integer AS "from", NULL::integer AS "to"
    FROM gift JOIN contribution c USING (id) JOIN app_user u ON u.id = c.created_by
    UNION ALL
    SELECT 2, m.reassigned_at, CASE WHEN m.through_merge THEN 'merged' ELSE 'reassigned' END, m.reassigned_by, m.from_person_id, m.to_person_id
    FROM gift JOIN reassignment m ON m.contribution_id = gift.id
    UNION ALL
    SELECT 3, c.created_at, 'reversed', u.username, NULL, NULL
    FROM gift JOIN contribution c ON c.reverses_id = gift.id JOIN app_user u ON u.id = c.created_by
    UNION ALL
    SELECT 4, r.accepted_at,
      CASE WHEN COALESCE(r.closed_through, 'accept') = 'accept' THEN 'review accepted' ELSE 'review closed' END,
      r.accepted_by, NULL, NULL
    FROM gift JOIN review r ON r.contribution_id = gift.id WHERE r.accepted_at IS NOT NULL
  )
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, what, by, "from", "to"
  FROM done ORDER BY done.at, step`;

/** Reads the history of a gift. */
@Injectable()
export class ContributionHistory {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The history of a gift, the oldest event first. The id of a reversing entry leads to its gift.
   * @throws ContributionNotFoundError
   */
  async of(contributionId: number): Promise<HistoryEvent[]> {
    const events = await this.transactions.query<HistoryEvent>(SELECT_HISTORY, [contributionId]);
    if (events.length === 0) throw new ContributionNotFoundError(contributionId);
    return events;
  }
}
