import type { Made } from './entry.js';

/** A contribution as Finance reads it. */
export type View = Readonly<Record<string, unknown>>;

/** The entries that a call created, by id. The model takes from them what only the service can know. */
export class NewEntries {
  private taken = 0;

  /** The call ran between these two times, in milliseconds. */
  constructor(
    readonly views: readonly View[],
    private readonly began: number,
    private readonly ended: number,
  ) {}

  /** The ids and times of the next entries; undefined if the call did not create that many. */
  take(count: number): [Made, ...Made[]] | undefined {
    const [first, ...others] = this.views.slice(this.taken, this.taken + count).map((view) => this.madeOf(view));
    if (first === undefined || others.length < count - 1) return undefined;
    this.taken += count;
    return [first, ...others];
  }

  private madeOf(view: View): Made {
    const date = String(view['date']);
    const inTime = Date.parse(date) >= this.began && Date.parse(date) <= this.ended;
    return {
      id: Number(view['contributionId']),
      bundleId: Number(view['bundleId']),
      createdAt: String(view['createdAt']),
      date: inTime ? date : 'an instant during the call',
    };
  }
}
