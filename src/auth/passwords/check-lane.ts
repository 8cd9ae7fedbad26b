import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { LaneFullError } from '../lane.js';
import { HashingBudget } from './hashing-budget.js';

/** A check keeps a core busy for about 30 ms. One core is left for callers whose password is already verified. */
const MAX_CONCURRENT = Math.max(1, Math.min(availableParallelism() - 1, 3));
/** A check that would wait longer is refused; in milliseconds. */
const MAX_WAIT_MS = 2_000;

/** Who wants a password checked. */
export interface CheckedCaller {
  readonly username: string;
  /** The caller's network (clientNetwork), or undefined if its address is invalid. */
  readonly network: string | undefined;
}

/** Runs checks of passwords, few at a time and within a budget of its own. */
export class CheckLane {
  private readonly limit = pLimit(MAX_CONCURRENT);
  private readonly budget = new HashingBudget();
  /** How many checks wait or run, by network and by user name. */
  private readonly underWay = new Map<string, number>();

  /** How many checks wait. */
  get waiting(): number {
    return this.limit.pendingCount;
  }

  /** @throws LaneFullError when too many checks wait already, or half as many from this network or for this user name. */
  assertCapacity(caller: CheckedCaller): void {
    const capacity = this.budget.checksWithin(MAX_WAIT_MS);
    const waiting = this.limit.pendingCount + this.limit.activeCount;
    const most = Math.max(...sharesOf(caller).map((share) => this.underWay.get(share) ?? 0));
    if (waiting >= capacity || most >= Math.ceil(capacity / 2)) throw new LaneFullError();
  }

  /**
   * Runs a check when its turn comes, and charges the budget for the milliseconds that the check reports.
   * @throws LaneFullError
   */
  async run<T>(caller: CheckedCaller, check: () => Promise<{ result: T; milliseconds: number }>): Promise<T> {
    this.assertCapacity(caller);
    this.count(caller, 1);
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
      this.count(caller, -1);
    }
  }

  private count(caller: CheckedCaller, change: 1 | -1): void {
    for (const share of sharesOf(caller)) {
      const count = (this.underWay.get(share) ?? 0) + change;
      if (count > 0) this.underWay.set(share, count);
      else this.underWay.delete(share);
    }
  }
}

/** What may take half of a lane at most. */
function sharesOf({ username, network = '' }: CheckedCaller): string[] {
  return [`network ${network}`, `user ${username}`];
}
