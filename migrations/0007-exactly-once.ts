import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lets a call be repeated: keys with their first answers, and the sender's own ids of gifts. */
export class ExactlyOnce0007 implements MigrationInterface {
  readonly name = 'ExactlyOnce1764288000007';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- Written first in a call's transaction, where a twin of it waits; answer is filled in before that commits.
      -- request_digest: SHA-256 of the validated fields. Rows older than 30 days count as none, and are purged.
      CREATE TABLE idempotency_key (
        user_id        integer NOT NULL,
        operation      text NOT NULL,
        key            text NOT NULL,
        request_digest bytea NOT NULL,
        answer         jsonb,
        created_at     timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT idempotency_key_pkey PRIMARY KEY (user_id, operation, key),
        CONSTRAINT idempotency_key_user_fkey FOREIGN KEY (user_id) REFERENCES app_user (id)
      );
      CREATE INDEX idempotency_key_created_idx ON idempotency_key (created_at);

      -- has_key: sent with Idempotency-Key or TransactionId, so that an equal gift is no repetition of it.
      -- first_person_id: whose gift it was in the first answer, which a repeated call gets again after a merge, too.
      ALTER TABLE contribution
        ADD COLUMN has_key         boolean NOT NULL DEFAULT false,
        ADD COLUMN transaction_id  text,
        ADD COLUMN request_digest  bytea,
        ADD COLUMN first_person_id integer,
        ADD CONSTRAINT contribution_first_person_fkey FOREIGN KEY (first_person_id) REFERENCES person (id),
        ADD CONSTRAINT contribution_transaction_whole CHECK (
          num_nulls(transaction_id, request_digest, first_person_id) IN (0, 3)
          AND (transaction_id IS NULL OR (has_key AND source IS NOT NULL AND reverses_id IS NULL)));
      CREATE UNIQUE INDEX contribution_transaction_once ON contribution (created_by, source, transaction_id)
        WHERE transaction_id IS NOT NULL;

      SELECT pgboss.create_queue('purge-idempotency-keys', '{"policy": "standard"}'::json);
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      SELECT pgboss.delete_queue('purge-idempotency-keys');
      ALTER TABLE contribution
        DROP COLUMN first_person_id, DROP COLUMN request_digest, DROP COLUMN transaction_id, DROP COLUMN has_key;
      DROP TABLE idempotency_key;
    `);
  }
}
