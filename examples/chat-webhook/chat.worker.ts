import { Inject, Injectable, OnModuleInit } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Transactions } from '../../src/database/index.js';
import { JobQueue, type RunningJob } from '../../src/jobs/index.js';
import { ChatMessage } from './chat-message.entity.js';

export const POST_TO_CHAT = 'post-to-chat';
export const CHAT_WEBHOOK_URL = Symbol('CHAT_WEBHOOK_URL');

export interface PostToChatJob {
  readonly eventId: string;
}

/** The time limit for the chat room's server. */
const TIME_LIMIT_MS = 10_000;

/** Posts messages to the chat room after the commit. If a handler throws, it runs again, with growing delays. */
@Injectable()
export class ChatWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    @Inject(CHAT_WEBHOOK_URL) private readonly url: string,
  ) {}

  onModuleInit(): void {
    this.queue.handle(POST_TO_CHAT, (data, job) => this.post(data as PostToChatJob, job));
  }

  private async post({ eventId }: PostToChatJob, job: RunningJob): Promise<void> {
    // This transaction ends here, so that no connection is held during the call to the chat room's server.
    const message = await this.transactions.run((tx) =>
      tx.getRepository(ChatMessage).findOneBy({ eventId, postedAt: IsNull() }),
    );
    if (message === null) return;
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: escapeMarkup(message.text) }),
      signal: AbortSignal.any([job.signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
    });
    if (!response.ok) throw new Error(`The chat room answered ${response.status}`);
    // One transaction. After a crash before it the message is posted again, and none is lost.
    await this.transactions.run(async (tx) => {
      await tx.getRepository(ChatMessage).update({ eventId }, { postedAt: () => 'now()' });
      await job.complete(tx);
    });
  }
}

/** Chat programs read these three as links and mentions: `<!channel>`. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
