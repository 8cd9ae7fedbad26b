import { Injectable } from '@nestjs/common';
import { type Caller, visibleGiftsOf } from '../../auth/index.js';
import { Transactions } from '../../database/index.js';
import { type ContributionRow, SELECT_CONTRIBUTIONS, viewOf } from './contribution-rows.js';
import type { ContributionView } from './contribution-view.js';
import { ContributionNotFoundError } from '../ledger/index.js';

/** Reads a contribution. */
@Injectable()
export class ReadContribution {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The contribution, for a caller who may see all contributions.
   * @throws ContributionNotFoundError
   */
  async byId(contributionId: number): Promise<ContributionView> {
    return this.find(contributionId, undefined);
  }

  /**
   * The contribution, if this caller may see it.
   * @throws ContributionNotFoundError, also when the caller may not see it.
   */
  async byIdFor(caller: Caller, contributionId: number): Promise<ContributionView> {
    return this.find(contributionId, visibleGiftsOf(caller));
  }

  private async find(contributionId: number, addedBy: number | undefined): Promise<ContributionView> {
    const rows = await this.transactions.query<ContributionRow>(SELECT_CONTRIBUTION, [contributionId, addedBy]);
    if (rows[0] === undefined) throw new ContributionNotFoundError(contributionId);
    return viewOf(rows[0]);
  }
}

/** $2: the user who must have added the gift, or null for all. */
const SELECT_CONTRIBUTION = `${SELECT_CONTRIBUTIONS} WHERE c.id = $1 AND ($2::integer IS NULL OR c.added_by = $2)`;
