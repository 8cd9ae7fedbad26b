import type { Answer } from './client.js';

/** Counts the answers that callers got. */
export class Tally {
  /** The number of answers by status and error code: "200", "503 database_unavailable"; "0" is no answer. */
  readonly seen = new Map<string, number>();
  /** The durations of all answered calls, in milliseconds. */
  readonly durations: number[] = [];
  /** The number of replayed answers: an earlier call with the same key had succeeded, and its answer was lost. */
  replayed = 0;
  /** The number of answers 429 and 503 without a Retry-After. */
  retryAfterMissing = 0;

  note(answer: Answer): Answer {
    const { status, body, headers, milliseconds } = answer;
    const what = typeof body['code'] === 'string' ? `${status} ${body['code']}` : String(status);
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
    if (status !== 0) this.durations.push(milliseconds);
    if (headers.has('idempotency-replayed')) this.replayed++;
    if ((status === 429 || status === 503) && !/^[1-9]\d*$/.test(headers.get('retry-after') ?? ''))
      this.retryAfterMissing++;
    return answer;
  }

  count(status: number): number {
    return [...this.seen].reduce((sum, [what, count]) => (Number.parseInt(what, 10) === status ? sum + count : sum), 0);
  }

  get calls(): number {
    return [...this.seen.values()].reduce((sum, count) => sum + count, 0);
  }

  get slowest(): number {
    return this.quantile(1);
  }

  /** The time within which this share of the calls was answered, in milliseconds. */
  quantile(share: number): number {
    const sorted = [...this.durations].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  }
}

/** Prints one line of the table in docs/reliability.md. */
export function printFigures(scenario: string, tally: Tally, remark = ''): void {
  const seen = [...tally.seen].sort(([a], [b]) => a.localeCompare(b)).map(([what, count]) => `${count} × ${what}`);
  if (tally.replayed > 0) seen.push(`of these ${tally.replayed} replayed`);
  const slowest = `${(tally.slowest / 1_000).toFixed(2)} s`;
  process.stdout.write(`| ${[scenario, tally.calls, seen.join(', '), slowest, remark].join(' | ')} |\n`);
}
