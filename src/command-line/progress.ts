const REDRAW_MS = 100;
const PLAIN_LINE_MS = 5_000;
/** The rate is that of the last 10 to 20 seconds, because some parts of the work are faster than others. */
const RATE_MS = 10_000;
const BAR_WIDTH = 30;

/** Where progress is shown: standard error, or a replacement in tests. */
export interface Display {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** How much was done at a moment. */
interface Mark {
  readonly at: number;
  readonly done: number;
}

/** Shows the progress of a long task: a bar on a terminal, otherwise a line every five seconds. */
export class Progress {
  private readonly begin = performance.now();
  private shown = this.begin;
  private done = 0;
  private what = '';
  /** When how much was done: the rate is measured from the first of these, which the second one replaces later. */
  private marks: readonly [Mark, Mark] = [
    { at: this.begin, done: 0 },
    { at: this.begin, done: 0 },
  ];

  constructor(
    private readonly display: Display,
    private readonly total: number,
  ) {}

  step(): void {
    this.reach(this.done + 1);
  }

  /** @param what the current step in a word or two. Without a terminal, a new step is printed at once. */
  reach(done: number, what = ''): void {
    this.done = done;
    const isDue = what !== this.what && this.display.isTTY !== true;
    this.what = what;
    const now = performance.now();
    if (!isDue && now - this.shown < (this.display.isTTY === true ? REDRAW_MS : PLAIN_LINE_MS)) return;
    this.shown = now;
    this.show(this.line(now));
  }

  /** Prints a message that stays visible. */
  note(text: string): void {
    this.display.write(this.display.isTTY === true ? `\r\x1b[K${text}\n${this.line(performance.now())}` : `${text}\n`);
  }

  /** Clears the bar, so that the next output starts on an empty line. */
  end(): void {
    if (this.display.isTTY === true) this.display.write(`\r\x1b[K`);
  }

  private show(line: string): void {
    this.display.write(this.display.isTTY === true ? `\r\x1b[K${line}` : `${line}\n`);
  }

  private line(now: number): string {
    const share = this.total === 0 ? 1 : Math.min(1, this.done / this.total);
    const filled = Math.floor(share * BAR_WIDTH);
    const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] `;
    const rate = this.rate(now);
    const left = rate > 0 ? Math.ceil((this.total - this.done) / rate) : undefined;
    return (
      `${this.display.isTTY === true ? bar : ''}${Math.floor(share * 100)} %, ${this.done} of ${this.total} rows, ` +
      `${Math.round(rate)} a second${left === undefined ? '' : `, ${duration(left)} left`}` +
      (this.what === '' ? '' : `: ${this.what}`)
    );
  }

  /** Rows a second. */
  private rate(now: number): number {
    const [, next] = this.marks;
    if (now - next.at >= RATE_MS) this.marks = [next, { at: now, done: this.done }];
    const [from] = this.marks;
    return (this.done - from.done) / Math.max(0.001, (now - from.at) / 1_000);
  }
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
