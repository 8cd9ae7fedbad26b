import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ContributionReversed } from '../contributions/events/index.js';
import { InTransactionOf, prepared, sqlRows } from '../database/index.js';
import { JobQueue } from '../jobs/index.js';
import { NOTIFY_FINANCE, type NotifyFinanceJob } from './queues.js';

const INSERT_NOTICE = prepared('INSERT INTO notice (id, reversing_contribution_id, content) VALUES ($1, $2, $3)');

/** Writes the notice of a reversal in the reversal's transaction, so that both are stored or neither. */
@Injectable()
export class ReversalListener {
  constructor(private readonly queue: JobQueue) {}

  @InTransactionOf(ContributionReversed)
  async onReversal(event: ContributionReversed, tx: EntityManager): Promise<void> {
    await sqlRows(tx, INSERT_NOTICE, [event.eventId, event.reversingContributionId, JSON.stringify(event)]);
    const job: NotifyFinanceJob = { noticeId: event.eventId, waits: 0 };
    await this.queue.enqueue(tx, NOTIFY_FINANCE, job);
  }
}
