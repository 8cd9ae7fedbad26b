import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ContributionReversed } from '../../src/contributions/events/index.js';
import { InTransactionOf } from '../../src/database/index.js';
import { JobQueue } from '../../src/jobs/index.js';
import { ChatMessage } from './chat-message.entity.js';
import { POST_TO_CHAT, type PostToChatJob } from './chat.worker.js';

/** Writes the message and queues its job in the transaction of the reversal, so all are committed or none. */
@Injectable()
export class ChatListener {
  constructor(private readonly queue: JobQueue) {}

  @InTransactionOf(ContributionReversed)
  async onReversal(event: ContributionReversed, tx: EntityManager): Promise<void> {
    const { eventId } = event;
    await tx.getRepository(ChatMessage).insert({ eventId, text: textOf(event) });
    // Only ids: jobs must not contain personal details.
    const job: PostToChatJob = { eventId };
    await this.queue.enqueue(tx, POST_TO_CHAT, job);
  }
}

/** The text has no name, because more people may read the chat room than the mails to Finance. */
function textOf({ contributionId, amount, left, currency, fund, day, source, reason }: ContributionReversed): string {
  const why = reason === null ? '' : `, reason: ${reason}`;
  const who = source ?? 'Finance';
  return (
    `${currency} ${amount} of gift ${contributionId} to ${fund.name} (${day}) was taken back by ${who}${why}. ` +
    `Left: ${currency} ${left}.`
  );
}
