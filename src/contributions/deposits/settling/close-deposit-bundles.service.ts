import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../audit/index.js';
import { Transactions } from '../../../database/index.js';
import { Bundles, CloseBundles, type ClosingResult } from '../../bundles/index.js';
import { readDeposit } from '../deposit-rows.js';
import { BundleNotCoveredError, DepositNotReconciledError } from '../errors.js';
import { bundlesOfDeposit, uncoveredEntries } from '../showing/deposit-bundles.js';

/** The bundles of a deposit, and what became of each, in the same order. */
export interface ClosedDepositBundles {
  readonly bundleIds: readonly number[];
  readonly results: readonly ClosingResult[];
}

/** Closes the bundles of a reconciled deposit. */
@Injectable()
export class CloseDepositBundles {
  constructor(
    private readonly transactions: Transactions,
    private readonly bundles: Bundles,
    private readonly closeBundles: CloseBundles,
  ) {}

  /**
   * Closes those bundles of a deposit of which everything is in reconciled deposits. The others stay open: a bundle has the
   * gifts of one day, and a payout often a part of them. A bundle that gets a gift meanwhile stays open as well.
   * @throws DepositNotFoundError, DepositNotReconciledError
   */
  async close(id: number, by: Actor): Promise<ClosedDepositBundles> {
    const bundleIds = await this.transactions.run(async (tx) => {
      const { status } = await readDeposit(tx, id);
      if (status !== 'Reconciled') throw new DepositNotReconciledError(id);
      return (await bundlesOfDeposit(tx, id)).map(({ bundleId }) => bundleId);
    });
    const results: ClosingResult[] = [];
    for (const bundleId of bundleIds) results.push(await this.closeOne(bundleId, by));
    return { bundleIds, results };
  }

  /** Reads the totals first: what is added to the bundle later is either counted as uncovered, or changes the totals. */
  private async closeOne(bundleId: number, by: Actor): Promise<ClosingResult> {
    const { status, totals } = await this.bundles.show(bundleId);
    const uncovered = await this.transactions.run((tx) => uncoveredEntries(tx, [bundleId]));
    const [entries = 0] = uncovered.values();
    if (status === 'Open' && entries > 0) return new BundleNotCoveredError({ bundleId, uncovered: entries });
    const isExpected = (now: typeof totals): boolean => isDeepStrictEqual(now, totals);
    const [result] = await this.closeBundles.close([{ bundleId, by, isExpected }]);
    if (result === undefined) throw new Error('Closing a bundle has a result');
    return result;
  }
}
