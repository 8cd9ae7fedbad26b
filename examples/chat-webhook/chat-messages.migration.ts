import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In the product, this is a file in migrations/ with the next number, listed at the end of migrations/index.ts. */
export class ChatMessages9000 implements MigrationInterface {
  readonly name = 'ChatMessages1764288009000';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      CREATE TABLE chat_message (
        event_id   uuid NOT NULL,
        text       text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        posted_at  timestamptz,
        CONSTRAINT chat_message_pkey PRIMARY KEY (event_id)
      );
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DELETE FROM job WHERE queue = 'post-to-chat';
      DROP TABLE chat_message;
    `);
  }
}
