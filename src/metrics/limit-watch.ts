import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Metrics } from './metrics.js';

/** The limits that refuse calls, by their label in the metrics, with what a log line says about the refusal. */
const LIMITS = {
  failed_logins: 'Too many failed logins',
  login_counts: 'Too many failed logins are to be counted',
  login_lookups: 'Too many callers with unknown credentials log in at the same time',
  password_checks: 'Too many passwords are to be checked',
  user_calls: 'Too many calls of one user wait for their turn',
  user_wait: 'A call waited too long for other calls of its user',
  reading_wait: 'A list, a read or a dry run waited too long for others',
} as const;

type LimitName = keyof typeof LIMITS;

/** How often the same line is logged, in milliseconds, so that a flood does not fill the log. */
const LOG_EVERY_MS = 60_000;
const MAX_LINES = 10_000;

/** Counts every call that a limit refuses, and logs each limit once a minute. */
@Injectable()
export class LimitWatch {
  private readonly logger = new Logger('Limits');
  private readonly logged = new LRUCache<string, true>({ max: MAX_LINES, ttl: LOG_EVERY_MS });
  private readonly refusals;

  constructor(metrics: Metrics) {
    this.refusals = metrics.counter('offertory_limit_refusals_total', 'Calls that a limit refused', ['limit']);
    for (const limit of Object.keys(LIMITS)) this.refusals.inc({ limit }, 0);
  }

  /** Counts a refusal that is logged elsewhere. */
  count(limit: LimitName): void {
    this.refusals.inc({ limit });
  }

  /**
   * Counts and logs that a limit refused a call.
   * @param from a known user or a valid network, if that says more. Never text that a caller made up.
   */
  refused(limit: LimitName, from?: string): void {
    this.count(limit);
    const line = `${LIMITS[limit]}${from === undefined ? '' : ` (${from})`}`;
    if (this.logged.has(line)) return;
    this.logged.set(line, true);
    this.logger.warn(`A limit refused calls: ${line}. More of them in the next minute are only counted.`);
  }
}
