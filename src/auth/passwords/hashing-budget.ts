import { availableParallelism } from 'node:os';

/** The share of the processor that all checks together may use in the long run, even during a flood of passwords. */
const SHARE = 0.05;
/** The largest number of checks that the budget saves. So many need no wait, for example after a restart. */
const MAX_SAVED_CHECKS = 30;
/** The assumed cost before the first check, in milliseconds: the parameters of password.ts on a common server. */
const DEFAULT_COST_MS = 30;

/** A budget of processor time for password checks. It fills over time, up to a limit. */
export class HashingBudget {
  private left = MAX_SAVED_CHECKS;
  /** The time of the fastest check, in milliseconds. A slower one had to share its core, and did not cost more. */
  private cost: number | undefined;
  private filledAt: number;

  /** @param now the time in milliseconds, from any starting point. @param cores of the machine. */
  constructor(
    private readonly now = (): number => performance.now(),
    private readonly cores = availableParallelism(),
  ) {
    this.filledAt = now();
  }

  /** How many checks the budget allows in the next milliseconds; at least one, so that logins stay possible. */
  checksWithin(milliseconds: number): number {
    this.fill();
    return Math.max(1, Math.floor(this.left + milliseconds * this.perMillisecond()));
  }

  /** How many milliseconds the next check has to wait until the budget is positive again. */
  waitMs(): number {
    this.fill();
    return Math.max(0, -this.left / this.perMillisecond());
  }

  /** Charges the budget for a check that took so many milliseconds. */
  spend(milliseconds: number): void {
    this.fill();
    this.left -= 1;
    this.cost = Math.min(milliseconds, this.cost ?? milliseconds);
  }

  private perMillisecond(): number {
    return (SHARE * this.cores) / (this.cost ?? DEFAULT_COST_MS);
  }

  private fill(): void {
    const now = this.now();
    this.left = Math.min(MAX_SAVED_CHECKS, this.left + (now - this.filledAt) * this.perMillisecond());
    this.filledAt = now;
  }
}
