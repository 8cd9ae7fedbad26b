import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PGBOSS_SCHEMA } from './pgboss-schema.js';

/**
 * What Finance is to hear, and what became of it. A notice is written in its reversal's transaction; a delivery for
 * each recipient when it is sent. Both are kept for good: the queue's own tables are pruned and only do the timing.
 */
export class Notices0003 implements MigrationInterface {
  readonly name = 'Notices1764288000003';

  async up(database: QueryRunner): Promise<void> {
    const schema = (await database.query(`SELECT FROM pg_namespace WHERE nspname = 'pgboss'`)) as unknown[];
    if (schema.length === 0) await database.query(PGBOSS_SCHEMA);
    await database.query(`
      -- id: the event's. content: the ContributionReversed event as it was published.
      CREATE TABLE notice (
        id                        uuid NOT NULL,
        reversing_contribution_id integer NOT NULL,
        content                   jsonb NOT NULL,
        created_at                timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT notice_pkey PRIMARY KEY (id),
        CONSTRAINT notice_reversing_contribution_fkey
          FOREIGN KEY (reversing_contribution_id) REFERENCES contribution (id),
        CONSTRAINT notice_one_per_reversal UNIQUE (reversing_contribution_id)
      );

      -- recipient: lower-cased, so that an address in two spellings gets one message.
      CREATE TABLE delivery (
        id          integer GENERATED ALWAYS AS IDENTITY,
        notice_id   uuid NOT NULL,
        recipient   text NOT NULL,
        message_id  text NOT NULL,
        status      text NOT NULL DEFAULT 'pending',
        attempts    integer NOT NULL DEFAULT 0,
        last_error  text,
        next_try_at timestamptz,
        sent_at     timestamptz,
        created_at  timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT delivery_pkey PRIMARY KEY (id),
        CONSTRAINT delivery_notice_fkey FOREIGN KEY (notice_id) REFERENCES notice (id),
        CONSTRAINT delivery_one_per_recipient UNIQUE (notice_id, recipient),
        CONSTRAINT delivery_message_id_key UNIQUE (message_id),
        CONSTRAINT delivery_status_known CHECK (status IN ('pending', 'sent', 'failed')),
        CONSTRAINT delivery_attempts_counted CHECK (attempts >= 0),
        CONSTRAINT delivery_sent_at_when_sent CHECK ((status = 'sent') = (sent_at IS NOT NULL))
      );
      CREATE INDEX delivery_unsent_idx ON delivery (status, created_at) WHERE status <> 'sent';

      -- In pg-boss a queue is a table: making one is DDL.
      SELECT pgboss.create_queue('notify-finance', '{"policy": "standard"}'::json);
      SELECT pgboss.create_queue('send-delivery', '{"policy": "standard"}'::json);
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      SELECT pgboss.delete_queue('send-delivery');
      SELECT pgboss.delete_queue('notify-finance');
      DROP TABLE delivery, notice;
    `);
  }
}
