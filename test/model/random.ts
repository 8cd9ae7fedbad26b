/** A stream of random choices, which is the same for the same seed on every machine. */
export class Random {
  constructor(private state: number) {}

  /** A whole number from 0 to one below `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** True with a probability of `chance` percent. */
  percent(chance: number): boolean {
    return this.below(100) < chance;
  }

  /** One of these. */
  pick<const T>(all: readonly [T, ...T[]]): T {
    return all[this.below(all.length)] ?? all[0];
  }

  /** One of these, or undefined if the list is empty. */
  some<T>(all: readonly T[]): T | undefined {
    return all[this.below(all.length)];
  }

  /** One of these, more often one of the last 20, so that much happens to new items. */
  recent<T>(all: readonly T[]): T | undefined {
    return this.percent(60) ? all[Math.max(0, all.length - 1 - this.below(20))] : this.some(all);
  }

  /** One of these, with a probability by weight. */
  weighted<T>(all: readonly [readonly [weight: number, value: T], ...(readonly [number, T])[]]): T {
    let left = this.below(all.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of all) {
      if (left < weight) return value;
      left -= weight;
    }
    return all[0][1];
  }

  /** All of these in random order. */
  shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((value) => ({ value, place: this.fraction() }))
      .sort((a, b) => a.place - b.place)
      .map(({ value }) => value);
  }

  /** mulberry32, which is small and good enough for these choices. */
  private fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
