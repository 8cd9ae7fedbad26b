import type { Answer } from '../support/client.js';
import { Tally } from '../support/tally.js';

/** Counts all answers, and those since the last call of `begin` with the time of their 503s. */
export class Answers extends Tally {
  current = new Tally();
  /** When the last call since then was answered with 503. */
  lastUnavailable: number | undefined;

  begin(): void {
    this.current = new Tally();
    this.lastUnavailable = undefined;
  }

  override note(answer: Answer): Answer {
    if (answer.status === 503) this.lastUnavailable = performance.now();
    this.current.note(answer);
    return super.note(answer);
  }
}
