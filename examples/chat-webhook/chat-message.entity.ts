import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../src/database/index.js';

/** A message to the chat room, and when it was posted. */
@Entity({ name: 'chat_message' })
@ServiceRights({ insert: true, update: ['posted_at'] })
@AfterTestReset('emptied')
export class ChatMessage {
  /** The event that the message reports. */
  @PrimaryColumn({ type: 'uuid' })
  eventId!: string;

  @Column({ type: 'text' })
  text!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  postedAt!: Date | null;
}
