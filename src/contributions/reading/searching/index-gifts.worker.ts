import { Injectable, OnModuleInit } from '@nestjs/common';
import { inSteps, JobQueue } from '../../../jobs/index.js';
import { IndexGifts } from './index-gifts.service.js';

const INDEX_GIFTS = 'index-gifts';
/** A search indexes what is new itself. The job keeps that short, and indexes all gifts after an upgrade. */
const EVERY_SECONDS = 10;

/** Indexes new, changed and earlier gifts for the search. */
@Injectable()
export class IndexGiftsWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly gifts: IndexGifts,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, INDEX_GIFTS, (_data, { signal }) =>
      inSteps(signal, async () => (await this.gifts.indexNew()).more || (await this.gifts.indexEarlier())),
    );
  }
}
