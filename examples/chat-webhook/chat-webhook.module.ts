import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobsModule } from '../../src/jobs/index.js';
import { ChatMessage } from './chat-message.entity.js';
import { ChatListener } from './chat.listener.js';
import { CHAT_WEBHOOK_URL, ChatWorker } from './chat.worker.js';

/** Posts every reversal to a chat room. Only src/app.module.ts refers to this module. */
@Module({})
export class ChatWebhookModule {
  /** @param url the incoming webhook of the room. It is a secret and comes from the environment. */
  static forRoot(url: string): DynamicModule {
    return {
      module: ChatWebhookModule,
      imports: [JobsModule, TypeOrmModule.forFeature([ChatMessage])],
      providers: [ChatListener, ChatWorker, { provide: CHAT_WEBHOOK_URL, useValue: url }],
    };
  }
}
