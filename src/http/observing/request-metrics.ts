import { Injectable } from '@nestjs/common';
import { Metrics } from '../../metrics/index.js';
import type { RequestOutcome } from './request-outcome.js';

/** Seconds; from the fastest refusals to more than the longest wait for the database. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measures the duration of requests, and counts refusals and faults. */
@Injectable()
export class RequestMetrics {
  private readonly seconds;
  private readonly refusals;
  private readonly faults;

  constructor(metrics: Metrics) {
    this.seconds = metrics.histogram(
      'offertory_http_request_seconds',
      'Duration of requests, by route and status; status 0: the answer was cut off',
      { labelNames: ['method', 'route', 'status'], buckets: BUCKETS },
    );
    this.refusals = metrics.counter(
      'offertory_refusals_total',
      'Answers with an error code, by code and by user; the user is empty for callers that are not authenticated',
      ['code', 'user'],
    );
    // A separate counter without labels, because it is 0 from the start. So the first fault is an increase for alerts.
    this.faults = metrics.counter('offertory_faults_total', 'Answers with the code internal_error', []);
  }

  record({ method = 'any', route, status, code, user = '', seconds }: RequestOutcome): void {
    this.seconds.observe({ method, route, status }, seconds);
    if (code !== undefined) this.refusals.inc({ code, user });
    if (code === 'internal_error') this.faults.inc();
  }
}
