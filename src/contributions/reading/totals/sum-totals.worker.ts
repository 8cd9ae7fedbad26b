import { Injectable, OnModuleInit } from '@nestjs/common';
import { inSteps, JobQueue } from '../../../jobs/index.js';
import { SumTotals } from './sum-totals.service.js';

const SUM_TOTALS = 'sum-totals';
/** Totals are exact at any time: what is not summed up yet is added to the answer. */
const EVERY_SECONDS = 30;

/** Sums up new contributions by fund and month. */
@Injectable()
export class SumTotalsWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly totals: SumTotals,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, SUM_TOTALS, (_data, { signal }) =>
      inSteps(signal, () => this.totals.sumNew()),
    );
  }
}
