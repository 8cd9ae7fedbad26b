import { Injectable } from '@nestjs/common';
import { sqlRows, Transactions } from '../../../database/index.js';
import { lockNewContributions, storeProgress } from '../new-contributions.js';
import { ADD_STEP } from './month-sums.js';

/** Contributions summed up in one transaction. */
const CONTRIBUTIONS_PER_STEP = 20_000;

/** Sums up contributions by fund and month. A gift itself writes no totals; this reads what came since the last step. */
@Injectable()
export class SumTotals {
  constructor(private readonly transactions: Transactions) {}

  /** Sums up a step of the new contributions. @returns whether there are more. */
  async sumNew(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const step = await lockNewContributions(tx, 'totals', CONTRIBUTIONS_PER_STEP);
      if (step.upTo > step.after) await sqlRows(tx, ADD_STEP, [step.after, step.upTo]);
      await storeProgress(tx, 'totals', step);
      return step.more;
    });
  }
}
