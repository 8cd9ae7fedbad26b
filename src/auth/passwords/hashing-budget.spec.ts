import { describe, expect, it } from '@jest/globals';
import { HashingBudget } from './hashing-budget.js';

const CORES = 2;

/** A budget with a clock that only the test moves. */
class Clock {
  milliseconds = 0;
  readonly budget = new HashingBudget(() => this.milliseconds, CORES);
}

describe('the budget of password checks', () => {
  it('allows thirty checks at once after an idle time of any length', () => {
    const clock = new Clock();
    clock.milliseconds = 3_600_000;
    for (let check = 0; check < 30; check++) {
      expect(clock.budget.waitMs()).toBe(0);
      clock.budget.spend(30);
    }
    clock.budget.spend(30);
    // One check of 30 ms beyond the budget, at a twentieth of two cores.
    expect(clock.budget.waitMs()).toBeCloseTo(300);
  });

  it.each([5, 30, 400])('allows a twentieth of the processor in the long run if a check takes %i ms', (cost) => {
    const clock = new Clock();
    let spent = 0;
    while (clock.milliseconds < 3_600_000) {
      clock.milliseconds += clock.budget.waitMs() + cost;
      clock.budget.spend(cost);
      spent += cost;
    }
    expect(spent / (CORES * clock.milliseconds)).toBeCloseTo(0.05, 2);
  });

  it('does not charge more for a check that had to share its core', () => {
    const [alone, shared] = [new Clock(), new Clock()];
    for (const { budget } of [alone, shared]) for (let check = 0; check < 40; check++) budget.spend(30);
    shared.budget.spend(300);
    alone.budget.spend(30);
    expect(shared.budget.waitMs()).toBe(alone.budget.waitMs());
  });

  it('admits as many checks as the budget allows within the time, and always at least one', () => {
    const clock = new Clock();
    expect(clock.budget.checksWithin(3_000)).toBe(40);
    for (let check = 0; check < 60; check++) clock.budget.spend(30);
    expect(clock.budget.checksWithin(3_000)).toBe(1);
    clock.milliseconds = 18_000;
    expect(clock.budget.checksWithin(3_000)).toBe(40);
  });
});
