import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../audit/index.js';
import { Transactions } from '../../../database/index.js';
import { Bundles, type BundleView, CloseBundles, type ClosingResult, type IsExpected } from '../../bundles/index.js';
import { readDeposit } from '../deposit-rows.js';
import { BundleNotCoveredError, DepositNotReconciledError } from '../errors.js';
import { type HeldEntries, Unsettled } from '../showing/unsettled.service.js';
import { bundlesOfDeposit, paidBundles, uncoveredEntries } from '../showing/deposit-bundles.js';

/** The bundles of a deposit, and what became of each, in the same order. */
export interface ClosedDepositBundles {
  readonly bundleIds: readonly number[];
  readonly results: readonly ClosingResult[];
}

/** A bundle to close, and what the caller has seen of it. */
export interface PaidBundleCommand {
  readonly bundleId: number;
  readonly isExpected: IsExpected;
}

/** An open bundle of reconciled deposits. */
export interface OpenPaidBundle {
  readonly bundle: BundleView;
  /** Its entries that are in no reconciled deposit. While there are any, it stays open. */
  readonly uncovered: number;
  /** Where those are that are in a deposit which is not reconciled. The others are in no deposit. */
  readonly held: readonly HeldEntries[];
}

/** The most bundles in one list of those that may be closed. */
const OPEN_BUNDLES_PER_LIST = 100;

/** Closes the bundles of reconciled deposits. */
@Injectable()
export class CloseDepositBundles {
  constructor(
    private readonly transactions: Transactions,
    private readonly bundles: Bundles,
    private readonly unsettled: Unsettled,
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

  /** Closes bundles of any reconciled deposits that still hold what the caller has seen. @returns the results in the same order. */
  async closeSeen(bundles: readonly PaidBundleCommand[], by: Actor): Promise<readonly ClosingResult[]> {
    const results: ClosingResult[] = [];
    for (const { bundleId, isExpected } of bundles) results.push(await this.closeOne(bundleId, by, isExpected));
    return results;
  }

  /**
   * Open bundles with entries in reconciled deposits, by id: first those that can be closed; at most 100.
   * @param id only the bundles of this deposit.
   * @throws DepositNotFoundError, DepositNotReconciledError
   */
  async open(id?: number): Promise<readonly OpenPaidBundle[]> {
    const paid = await this.transactions.run(async (tx) => {
      if (id === undefined) return paidBundles(tx);
      if ((await readDeposit(tx, id)).status !== 'Reconciled') throw new DepositNotReconciledError(id);
      return (await bundlesOfDeposit(tx, id)).filter(({ status }) => status === 'Open');
    });
    const shown = paid
      .toSorted((one, other) => Number(one.uncovered > 0) - Number(other.uncovered > 0))
      .slice(0, OPEN_BUNDLES_PER_LIST);
    const bundles = await this.bundles.list({ ids: shown.map(({ bundleId }) => bundleId) });
    const staying = shown.filter(({ uncovered }) => uncovered > 0);
    const held = await this.unsettled.heldEntries(staying.map(({ bundleId }) => bundleId));
    return shown.flatMap(({ bundleId, uncovered }) => {
      const bundle = bundles.find((one) => one.bundleId === bundleId);
      if (bundle === undefined) return [];
      return [{ bundle, uncovered, held: held.filter((entries) => entries.bundleId === bundleId) }];
    });
  }

  /**
   * Reads the totals first: what is added to the bundle later is either counted as uncovered, or changes the totals.
   * @param isSeen default: any totals are.
   */
  private async closeOne(bundleId: number, by: Actor, isSeen: IsExpected = () => true): Promise<ClosingResult> {
    const { status, totals } = await this.bundles.show(bundleId);
    const uncovered = await this.transactions.run((tx) => uncoveredEntries(tx, [bundleId]));
    const [entries = 0] = uncovered.values();
    if (status === 'Open' && entries > 0) return new BundleNotCoveredError({ bundleId, uncovered: entries });
    const isExpected: IsExpected = (now) => isSeen(now) && isDeepStrictEqual(now, totals);
    const [result] = await this.closeBundles.close([{ bundleId, by, isExpected }]);
    if (result === undefined) throw new Error('Closing a bundle has a result');
    return result;
  }
}
