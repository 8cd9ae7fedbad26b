import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { ContributionNotFoundError } from '../ledger/index.js';

/** Something that was done to a gift. */
export interface HistoryEvent {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly what: 'recorded' | 'reassigned' | 'merged' | 'reversed' | 'review accepted' | 'review closed';
  /** A user's name, or "command line". */
  readonly by: string;
  /** PeopleIds: of a reassignment, and of a merge of the gift's person into another one. */
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * Read from the books themselves, which are older than the audit trail and keep every reassignment. What one transaction
 * did has one time, and then the order of the steps.
 */
const SELECT = `
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

/** Tells what became of a gift. */
@Injectable()
export class ContributionHistory {
  constructor(private readonly transactions: Transactions) {}

  /**
   * What was done to a gift, the oldest first; by a reversing entry's id, to the gift that it takes back.
   * @throws ContributionNotFoundError
   */
  async of(contributionId: number): Promise<HistoryEvent[]> {
    const events = await this.transactions.query<HistoryEvent>(SELECT, [contributionId]);
    if (events.length === 0) throw new ContributionNotFoundError(contributionId);
    return events;
  }
}
