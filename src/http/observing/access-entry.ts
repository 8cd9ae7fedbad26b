import type { RequestOutcome } from './request-outcome.js';

/**
 * One request in the log. The only object that the logger prints with its fields: each is an id, a name of a user or of
 * ours, or a number; a path, which holds sources and ids, a query and a body are not among them.
 */
export class AccessEntry {
  constructor(private readonly outcome: RequestOutcome) {}

  /** As they stand in a line of JSON; null for what there was not. */
  get fields(): Readonly<Record<string, string | number | null>> {
    const { requestId, user = null, method = null, route, status, code = null, seconds } = this.outcome;
    return { requestId, user, method, route, status, code, durationMs: Math.round(seconds * 10_000) / 10 };
  }

  toString(): string {
    const { method = 'any', route, status } = this.outcome;
    return `${method} ${route} ${status}`;
  }
}
