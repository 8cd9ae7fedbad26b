import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../audit/index.js';
import { sqlRow, sqlRows, Transactions } from '../../../database/index.js';
import { FindGiver } from '../../../people/index.js';
import type { ReassignedContribution } from './reassigned-contribution.js';
import { reviewAgain } from '../review-reasons.js';
import { ContributionNotReassignableError } from '../errors.js';
import { ContributionNotFoundError } from '../../ledger/index.js';
import { REASSIGNING_ACTIONS } from '../audit-actions.js';

/** A gift, and the person that it belongs to. */
export interface ReassignContributionCommand {
  readonly contributionId: number;
  readonly peopleId: number;
  /** User name, or "command line". */
  readonly by: string;
}

/** Moves a gift from the wrong person to the right one. */
@Injectable()
export class ReassignContribution {
  constructor(
    private readonly transactions: Transactions,
    private readonly findGiver: FindGiver,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Moves the gift and its reversing entry to the person, or to the person's survivor. Records who did so, when and from
   * whom, and decides again whether the gift needs a review. Amount, fund, day and bundle do not change. It has no effect
   * if the gift already belongs to that person.
   * @throws ContributionNotFoundError, ContributionNotReassignableError, PersonNotFoundError
   */
  async reassign({ contributionId, peopleId, by }: ReassignContributionCommand): Promise<ReassignedContribution> {
    return this.transactions.run(async (tx) => {
      // The person is locked before the gift, as by a merge, to avoid deadlocks.
      const { peopleId: to, doubts } = await this.findGiver.survivingPerson(tx, peopleId);
      const gift = await sqlRow<{ person_id: number; reverses_id: number | null }>(
        tx,
        'SELECT person_id, reverses_id FROM contribution WHERE id = $1 FOR UPDATE',
        [contributionId],
      );
      if (gift === undefined) throw new ContributionNotFoundError(contributionId);
      if (gift.reverses_id !== null) {
        throw new ContributionNotReassignableError({ contributionId, reversesId: gift.reverses_id });
      }
      const done = { contributionId, fromPeopleId: gift.person_id, toPeopleId: to };
      if (gift.person_id === to) return done;
      await sqlRows(tx, 'UPDATE contribution SET person_id = $2 WHERE id = $1 OR reverses_id = $1', [
        contributionId,
        to,
      ]);
      await sqlRows(
        tx,
        'INSERT INTO reassignment (contribution_id, from_person_id, to_person_id, reassigned_by) VALUES ($1, $2, $3, $4)',
        [contributionId, gift.person_id, to, by],
      );
      await this.audit.record(tx, {
        action: REASSIGNING_ACTIONS.reassign,
        subject: `contribution ${contributionId}`,
        details: { from: gift.person_id, to },
        by,
      });
      await reviewAgain(tx, { contributionId, doubts, by });
      return done;
    });
  }
}
