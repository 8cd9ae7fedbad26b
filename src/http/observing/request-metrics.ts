import { Injectable } from '@nestjs/common';
import { Metrics } from '../../metrics/index.js';
import type { RequestOutcome } from './request-outcome.js';

/** From a refusal in no time to the longest that a request may wait for the database, and beyond. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests, how long they took, and refusals. */
@Injectable()
export class RequestMetrics {
  private readonly seconds;
  private readonly refusals;
  private readonly faults;

  constructor(metrics: Metrics) {
    this.seconds = metrics.histogram(
      'offertory_http_request_seconds',
      'How long requests took, by route and status; status 0: the answer did not go out whole',
      { labelNames: ['method', 'route', 'status'], buckets: BUCKETS },
    );
    this.refusals = metrics.counter(
      'offertory_refusals_total',
      'Answers with a code of failure, by code and by user; no user: whom the guards did not let in',
      ['code', 'user'],
    );
    // By itself and without labels: it is 0 from the start, so that the first one is an increase.
    this.faults = metrics.counter('offertory_faults_total', 'Answers of a fault of ours, internal_error', []);
  }

  note({ method = 'any', route, status, code, user = '', seconds }: RequestOutcome): void {
    this.seconds.observe({ method, route, status }, seconds);
    if (code !== undefined) this.refusals.inc({ code, user });
    if (code === 'internal_error') this.faults.inc();
  }
}
