import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobsModule } from '../../src/jobs/index.js';
import { ChatMessage } from './chat-message.entity.js';
import { ChatListener } from './chat.listener.js';
import { CHAT_WEBHOOK_URL, ChatWorker } from './chat.worker.js';

/** Posts every reversal to a chat room. No other module knows of it but src/app.module.ts, which lists it. */
@Module({})
export class ChatWebhookModule {
  /** @param url the room's incoming webhook, which is a secret: it comes from the environment. */
  static forRoot(url: string): DynamicModule {
    return {
      module: ChatWebhookModule,
      imports: [JobsModule, TypeOrmModule.forFeature([ChatMessage])],
      providers: [ChatListener, ChatWorker, { provide: CHAT_WEBHOOK_URL, useValue: url }],
    };
  }
}
