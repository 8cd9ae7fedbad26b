import { DynamicModule, Module } from '@nestjs/common';
import { JobsModule } from '../../src/jobs/index.js';
import { ChatListener } from './chat.listener.js';
import { CHAT_WEBHOOK_URL, ChatWorker } from './chat.worker.js';

/** Tells a chat room of every reversal. One line in the map (src/app.module.ts), and no other module knows of it. */
@Module({})
export class ChatWebhookModule {
  /** @param url the room's incoming webhook, which is a secret: it comes from the environment. */
  static forRoot(url: string): DynamicModule {
    return {
      module: ChatWebhookModule,
      imports: [JobsModule],
      providers: [ChatListener, ChatWorker, { provide: CHAT_WEBHOOK_URL, useValue: url }],
    };
  }
}
