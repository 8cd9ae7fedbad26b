import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail, COMMAND_LINE } from '../../audit/index.js';
import { actorOf, type Caller, visibleGiftsOf } from '../../auth/index.js';
import { Transactions } from '../../database/index.js';
import { type ContributionRow, SELECT_CONTRIBUTIONS, viewFor } from './contribution-rows.js';
import type { ContributionView } from './contribution-view.js';
import { ContributionNotFoundError } from '../ledger/index.js';
import { READING_ACTIONS } from './audit-actions.js';

/** Reads a contribution. */
@Injectable()
export class ReadContribution {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * The contribution, for somebody at the command line, who may see all contributions. The reading is recorded.
   * @throws ContributionNotFoundError
   */
  async byId(contributionId: number): Promise<ContributionView> {
    return this.findAny(contributionId, COMMAND_LINE);
  }

  /**
   * The contribution, if this caller may see it. The reading is recorded, unless the caller sees only gifts that it has
   * sent itself.
   * @throws ContributionNotFoundError, also when the caller may not see it.
   */
  async byIdFor(caller: Caller, contributionId: number): Promise<ContributionView> {
    const addedBy = visibleGiftsOf(caller);
    return addedBy === undefined ? this.findAny(contributionId, actorOf(caller)) : this.find(contributionId, addedBy);
  }

  private async findAny(contributionId: number, by: Actor): Promise<ContributionView> {
    const contribution = await this.find(contributionId, undefined);
    await this.audit.recordReading({
      action: READING_ACTIONS.read,
      subject: `contribution ${contributionId}`,
      peopleIds: [contribution.peopleId],
      by,
    });
    return contribution;
  }

  private async find(contributionId: number, addedBy: number | undefined): Promise<ContributionView> {
    const rows = await this.transactions.query<ContributionRow>(SELECT_CONTRIBUTION, [contributionId, addedBy]);
    if (rows[0] === undefined) throw new ContributionNotFoundError(contributionId);
    return viewFor(rows[0], addedBy);
  }
}

/** $2: the user who must have added the gift, or null for all. */
const SELECT_CONTRIBUTION = `${SELECT_CONTRIBUTIONS} WHERE c.id = $1 AND ($2::integer IS NULL OR c.added_by = $2)`;
