const REDRAW_MS = 100;
const PLAIN_LINE_MS = 10_000;
const BAR_WIDTH = 30;

/** Where progress is shown: standard error, or a replacement in tests. */
export interface Display {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows the progress of a long task: a bar on a terminal, otherwise a line every ten seconds. */
export class Progress {
  private readonly begin = performance.now();
  private shown = this.begin;
  private done = 0;
  private what = '';

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
    const rate = this.done / Math.max(0.001, (now - this.begin) / 1_000);
    const left = rate > 0 ? Math.ceil((this.total - this.done) / rate) : undefined;
    return (
      `${this.display.isTTY === true ? bar : ''}${Math.floor(share * 100)} %, ${this.done} of ${this.total} rows, ` +
      `${Math.round(rate)} a second${left === undefined ? '' : `, ${duration(left)} left`}` +
      (this.what === '' ? '' : `: ${this.what}`)
    );
  }
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
