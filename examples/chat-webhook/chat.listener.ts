import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ContributionReversed } from '../../src/contributions/events/index.js';
import { InTransactionOf, sqlRows } from '../../src/database/index.js';
import { JobQueue } from '../../src/jobs/index.js';
import { POST_TO_CHAT, type PostToChatJob } from './chat.worker.js';

/** Keeps what is to be said, and queues the saying of it, in the reversal's own transaction: all or none. */
@Injectable()
export class ChatListener {
  constructor(private readonly queue: JobQueue) {}

  @InTransactionOf(ContributionReversed)
  async onReversal(event: ContributionReversed, tx: EntityManager): Promise<void> {
    await sqlRows(tx, 'INSERT INTO chat_message (event_id, text) VALUES ($1, $2)', [event.eventId, textOf(event)]);
    // Ids only: the queue's tables are no place for anybody's details.
    const job: PostToChatJob = { eventId: event.eventId };
    await this.queue.enqueue(tx, POST_TO_CHAT, job);
  }
}

/** No name: a chat room may be read by more people than the mails to Finance. */
function textOf({ contributionId, amount, currency, fund, day, source }: ContributionReversed): string {
  return `Gift ${contributionId} of ${currency} ${amount} to ${fund.name} (${day}) was taken back by ${source}.`;
}
