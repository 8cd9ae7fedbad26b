import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AccessEntry } from './access-entry.js';
import { RequestMetrics } from './request-metrics.js';
import { outcomeOf, type RequestOutcome } from './request-outcome.js';

/** What balancers and container engines ask every few seconds; of interest only when something is wrong with it. */
const PROBES = '/health/';

/** Looks at every request from its begin to the end of its answer: a line in the log, and figures. */
@Injectable()
export class RequestObserver {
  private readonly logger = new Logger('Access');

  constructor(private readonly metrics: RequestMetrics) {}

  /** Called once for each request, as early as can be. */
  watch(request: Request, response: Response): void {
    const begin = performance.now();
    // Comes after every answer, and also when the caller has gone before it.
    response.once('close', () => {
      const outcome = outcomeOf(request, response, (performance.now() - begin) / 1_000);
      this.metrics.note(outcome);
      this.log(outcome);
    });
  }

  private log(outcome: RequestOutcome): void {
    const entry = new AccessEntry(outcome);
    if (outcome.route.startsWith(PROBES)) this.logger.debug(entry);
    else this.logger.log(entry);
  }
}
