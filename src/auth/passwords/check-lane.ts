import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { HashingBudget } from './hashing-budget.js';

/** A check keeps a core busy for about 30 ms. One core is left for callers whose password is already verified. */
const MAX_CONCURRENT = Math.max(1, Math.min(availableParallelism() - 1, 3));
/** A check that would wait longer is refused; in milliseconds. */
const MAX_WAIT_MS = 2_000;

/** The lane cannot run the check in time. */
export class LaneFullError extends Error {}

/** Runs checks of passwords, few at a time and within a budget of its own. */
export class CheckLane {
  private readonly limit = pLimit(MAX_CONCURRENT);
  private readonly budget = new HashingBudget();
  /** How many checks wait or run, by network. */
  private readonly underWay = new Map<string, number>();

  /** How many checks wait. */
  get waiting(): number {
    return this.limit.pendingCount;
  }

  /** @throws LaneFullError when too many checks wait already, or half as many from this network. */
  assertCapacity(network: string): void {
    const capacity = this.budget.checksWithin(MAX_WAIT_MS);
    const waiting = this.limit.pendingCount + this.limit.activeCount;
    const ofNetwork = this.underWay.get(network) ?? 0;
    if (waiting >= capacity || ofNetwork >= Math.ceil(capacity / 2)) throw new LaneFullError();
  }

  /**
   * Runs a check when its turn comes, and charges the budget for the milliseconds that the check reports.
   * @throws LaneFullError
   */
  async run<T>(network: string, check: () => Promise<{ result: T; milliseconds: number }>): Promise<T> {
    this.assertCapacity(network);
    this.underWay.set(network, (this.underWay.get(network) ?? 0) + 1);
    const latest = performance.now() + MAX_WAIT_MS;
    try {
      return await this.limit(async () => {
        const wait = this.budget.waitMs();
        // Earlier checks took longer than expected.
        if (performance.now() + wait > latest) throw new LaneFullError();
        if (wait > 0) await pause(wait);
        const { result, milliseconds } = await check();
        this.budget.spend(milliseconds);
        return result;
      });
    } finally {
      this.leave(network);
    }
  }

  private leave(network: string): void {
    const left = (this.underWay.get(network) ?? 1) - 1;
    if (left > 0) this.underWay.set(network, left);
    else this.underWay.delete(network);
  }
}
