import { availableParallelism } from 'node:os';

/** What all checks together may take of the processor in the long run; a flood of wrong passwords takes no more. */
const SHARE = 0.05;
/** Checks that are saved up while nobody logs in: so many are made without a wait, such as after a restart. */
const SAVINGS = 30;
/** What a check is taken to cost before one was made, in milliseconds: the parameters of password.ts on a common server. */
const COMMON_COST_MS = 30;

/** How many checks of passwords the processor can spare. The budget fills up by itself, to a bound. */
export class CheckBudget {
  private left = SAVINGS;
  /** The quickest there was, in milliseconds: one that took longer had to share its core, and cost no more. */
  private cost: number | undefined;
  private filledAt: number;

  /**
   * @param now the time in milliseconds, from whatever point.
   * @param cores of the machine.
   */
  constructor(
    private readonly now = (): number => performance.now(),
    private readonly cores = availableParallelism(),
  ) {
    this.filledAt = now();
  }

  /** How many checks can be paid within so many milliseconds from now; at least one, so that somebody always can. */
  checksWithin(milliseconds: number): number {
    this.fill();
    return Math.max(1, Math.floor(this.left + milliseconds * this.perMillisecond()));
  }

  /** How many milliseconds the next check has to wait: until those before it are paid. */
  wait(): number {
    this.fill();
    return Math.max(0, -this.left / this.perMillisecond());
  }

  /** Pays for a check that took so many milliseconds. */
  spend(milliseconds: number): void {
    this.fill();
    this.left -= 1;
    this.cost = Math.min(milliseconds, this.cost ?? milliseconds);
  }

  private perMillisecond(): number {
    return (SHARE * this.cores) / (this.cost ?? COMMON_COST_MS);
  }

  private fill(): void {
    const now = this.now();
    this.left = Math.min(SAVINGS, this.left + (now - this.filledAt) * this.perMillisecond());
    this.filledAt = now;
  }
}
