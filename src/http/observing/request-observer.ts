import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AccessEntry } from './access-entry.js';
import { onceExchangeEnds } from './exchange-end.js';
import { RequestMetrics } from './request-metrics.js';
import { outcomeOf, type RequestOutcome } from './request-outcome.js';

/** Load balancers and container engines call these routes every few seconds, so they are logged as debug. */
const PROBES = '/health/';

/** Writes a log entry and updates the metrics at the end of each request. */
@Injectable()
export class RequestObserver {
  private readonly logger = new Logger('Access');

  constructor(private readonly metrics: RequestMetrics) {}

  /** Must be called once for each request, as early as possible. */
  watch(request: Request, response: Response): void {
    const begin = performance.now();
    onceExchangeEnds(request, response, () => {
      const outcome = outcomeOf(request, response, (performance.now() - begin) / 1_000);
      this.metrics.record(outcome);
      this.log(outcome);
    });
  }

  private log(outcome: RequestOutcome): void {
    const entry = new AccessEntry(outcome);
    if (outcome.route.startsWith(PROBES)) this.logger.debug(entry);
    else this.logger.log(entry);
  }
}
