import type { RequestOutcome } from './request-outcome.js';

/**
 * One request in the log. It is the only object whose fields the logger prints. Each field is an id, the name of a
 * user, a name from the code, or a number. Query, body and the rest of the path are missing, because they contain
 * givers' data.
 */
export class AccessEntry {
  constructor(private readonly outcome: RequestOutcome) {}

  /** The fields of the JSON entry; null for a missing value. */
  get fields(): Readonly<Record<string, string | number | null>> {
    const {
      requestId,
      user = null,
      tokenId: token = null,
      method = null,
      route,
      id = null,
      status,
      code = null,
      seconds,
    } = this.outcome;
    return { requestId, user, token, method, route, id, status, code, durationMs: Math.round(seconds * 10_000) / 10 };
  }

  toString(): string {
    const { method = 'any', route, status } = this.outcome;
    return `${method} ${route} ${status}`;
  }
}
