/** A stream of choices that is the same for the same seed, on every machine. */
export class Random {
  constructor(private state: number) {}

  /** A whole number from 0 to one below `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** True in so many of a hundred cases. */
  percent(chance: number): boolean {
    return this.below(100) < chance;
  }

  /** One of these. */
  pick<const T>(all: readonly [T, ...T[]]): T {
    return all[this.below(all.length)] ?? all[0];
  }

  /** One of these, or undefined where there is none. */
  some<T>(all: readonly T[]): T | undefined {
    return all[this.below(all.length)];
  }

  /** One of these, rather one of the last: what is long ago has its chance, but much happens to what is new. */
  recent<T>(all: readonly T[]): T | undefined {
    return this.percent(60) ? all[Math.max(0, all.length - 1 - this.below(20))] : this.some(all);
  }

  /** One of these, each as often as its weight says. */
  weighted<T>(all: readonly [readonly [weight: number, value: T], ...(readonly [number, T])[]]): T {
    let left = this.below(all.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of all) {
      if (left < weight) return value;
      left -= weight;
    }
    return all[0][1];
  }

  /** All of these in another order. */
  shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((value) => ({ value, place: this.fraction() }))
      .sort((a, b) => a.place - b.place)
      .map(({ value }) => value);
  }

  /** mulberry32: small, and good enough to choose by. */
  private fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
