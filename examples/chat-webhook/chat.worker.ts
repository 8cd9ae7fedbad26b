import { Inject, Injectable, OnModuleInit } from '@nestjs/common';
import { sqlRow, sqlRows, Transactions } from '../../src/database/index.js';
import { JobQueue, type RunningJob } from '../../src/jobs/index.js';

export const POST_TO_CHAT = 'post-to-chat';
export const CHAT_WEBHOOK_URL = Symbol('CHAT_WEBHOOK_URL');

export interface PostToChatJob {
  readonly eventId: string;
}

/** How long the chat room's server may take. */
const TIME_LIMIT_MS = 10_000;

/** Posts what was kept to the chat room, after the commit. A handler that throws is tried again, a little later each time. */
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
    // Outside of any transaction: no connection to the database is held while another server is waited for.
    const message = await this.transactions.run((tx) =>
      sqlRow<{ text: string }>(tx, 'SELECT text FROM chat_message WHERE event_id = $1 AND posted_at IS NULL', [
        eventId,
      ]),
    );
    if (message === undefined) return;
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: escapeMarkup(message.text) }),
      signal: AbortSignal.any([job.signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
    });
    if (!response.ok) throw new Error(`The chat room answered ${response.status}`);
    // "Posted" and "done" in one transaction: a crash before it posts once more, and nothing is lost.
    await this.transactions.run(async (tx) => {
      await sqlRows(tx, 'UPDATE chat_message SET posted_at = now() WHERE event_id = $1', [eventId]);
      await job.complete(tx);
    });
  }
}

/** Chat programs read these three as links and mentions: `<!channel>`. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
