import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';

/** One HTTP call. */
export interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A load on one program. */
export interface LoadOptions {
  readonly url: string;
  /** The number of persistent connections. Each sends its next call after the answer to the one before. */
  readonly connections: number;
  readonly seconds: number;
  /** Makes the next call. */
  readonly next: () => Call;
  /** The maximum of calls per second of all connections together. By default there is none. */
  readonly rate?: number;
}

/** The result of a load. Times are in milliseconds. */
export interface LoadFigures {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly answers: number;
  /** The number of answers with each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Calls without an answer: the connection was refused or closed, or 10 s passed. */
  readonly unanswered: number;
}

/** How often autocannon checks whether it should end, in milliseconds. Its default, a second, is too long here. */
const SAMPLE_MS = 100;

/**
 * Loads a program with autocannon. Times are recorded in microseconds in a Node histogram, because that of autocannon
 * has only whole milliseconds.
 */
export async function load({ url, connections, seconds, next, rate }: LoadOptions): Promise<LoadFigures> {
  const microseconds = createHistogram({ figures: 4 });
  const statuses: Record<string, number> = {};
  const begin = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections,
        duration: seconds,
        sampleInt: SAMPLE_MS,
        ...(rate !== undefined && { overallRate: rate }),
        requests: [
          {
            setupRequest: (request) => {
              const { path, headers, body } = next();
              // A copy, because autocannon adds the Content-Length to it.
              return { ...request, method: 'POST', path, headers: { ...headers }, body };
            },
          },
        ],
      },
      (error: unknown, ended) => {
        if (error === null || error === undefined) resolve(ended);
        else reject(error instanceof Error ? error : new Error('autocannon failed', { cause: error }));
      },
    );
    run.on('response', (_client, status, _bytes, milliseconds) => {
      microseconds.record(Math.max(1, Math.round(milliseconds * 1_000)));
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
  });
  const passed = (performance.now() - begin) / 1_000;
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const at = (percentile: number): number => microseconds.percentile(percentile) / 1_000;
  return {
    requestsPerSecond: answers / passed,
    p50: at(50),
    p99: at(99),
    p999: at(99.9),
    answers,
    statuses,
    unanswered: result.errors,
  };
}

/** @throws Error if a call got no answer or an unexpected status. */
export function assertStatuses({ statuses, unanswered }: LoadFigures, expected: readonly number[], what: string): void {
  const unexpected = Object.entries(statuses).filter(([status]) => !expected.includes(Number(status)));
  if (unanswered > 0) unexpected.push(['no answer', unanswered]);
  if (unexpected.length === 0) return;
  const seen = unexpected.map(([status, count]) => `${count} × ${status}`).join(', ');
  throw new Error(`${what}: expected ${expected.join(' or ')}, and there was ${seen}`);
}
