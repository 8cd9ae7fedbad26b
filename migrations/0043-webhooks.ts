import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks: the endpoints to which events are sent, and a row for each event of an endpoint (ADR 59). */
export class Webhooks0043 implements MigrationInterface {
  readonly name = 'Webhooks1764288000043';

  async up(database: QueryRunner): Promise<void> {
    for (const statement of [TABLES, IS_EVENT_WANTED]) await database.query(statement);
    await database.query(booksSequences(['webhook_delivery', 'webhook_endpoint', ...EARLIER_TABLES]));
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(booksSequences(EARLIER_TABLES));
    await database.query(`
      DELETE FROM job WHERE queue IN ('find-due-webhooks', 'deliver-webhooks', 'purge-webhook-deliveries');
      DROP FUNCTION is_event_wanted;
      DROP TABLE webhook_delivery, webhook_endpoint;
    `);
  }
}

const TABLES = `
  CREATE TABLE webhook_endpoint (
    id                  integer GENERATED ALWAYS AS IDENTITY,
    url                 text NOT NULL,
    events              text[] NOT NULL,
    -- The user of whose gifts, bundles and deposits it is told; null: of all.
    user_id             integer,
    -- Not a hash: each message is signed with it.
    secret              text NOT NULL,
    -- How often it was rotated, plus one: nobody rotates what somebody else has just rotated.
    secret_version      integer NOT NULL DEFAULT 1,
    -- Signs, too, until then.
    former_secret       text,
    former_secret_until timestamptz,
    created_by          text NOT NULL,
    created_at          timestamptz NOT NULL DEFAULT now(),
    disabled_at         timestamptz,
    -- Null if the receiver has answered that it is gone.
    disabled_by         text,
    CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_endpoint_user_fkey FOREIGN KEY (user_id) REFERENCES app_user (id),
    CONSTRAINT webhook_endpoint_has_events CHECK (cardinality(events) > 0),
    CONSTRAINT webhook_endpoint_former_secret_ends CHECK ((former_secret IS NULL) = (former_secret_until IS NULL)),
    CONSTRAINT webhook_endpoint_disabled_check CHECK (disabled_at IS NOT NULL OR disabled_by IS NULL)
  );
  -- Nobody makes the same endpoint twice by sending a form again.
  CREATE UNIQUE INDEX webhook_endpoint_once ON webhook_endpoint (url, user_id) NULLS NOT DISTINCT
    WHERE disabled_at IS NULL;

  CREATE TABLE webhook_delivery (
    id              integer GENERATED ALWAYS AS IDENTITY,
    endpoint_id     integer NOT NULL,
    -- The same for all attempts, so that the receiver can tell a repeated one.
    message_id      uuid NOT NULL,
    type            text NOT NULL,
    -- Ids only.
    data            jsonb NOT NULL,
    occurred_at     timestamptz NOT NULL DEFAULT now(),
    status          text NOT NULL DEFAULT 'pending',
    attempts        integer NOT NULL DEFAULT 0,
    -- The attempts before somebody has last replayed it.
    attempts_before integer NOT NULL DEFAULT 0,
    next_try_at     timestamptz,
    last_try_at     timestamptz,
    -- What the last attempt was answered; null if there was no answer.
    last_status     integer,
    last_error      text,
    -- When it was delivered or given up.
    settled_at      timestamptz,
    replayed_at     timestamptz,
    CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_delivery_endpoint_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint (id),
    CONSTRAINT webhook_delivery_status_known CHECK (status IN ('pending', 'delivered', 'failed')),
    CONSTRAINT webhook_delivery_pending_is_due CHECK ((status = 'pending') = (next_try_at IS NOT NULL)),
    CONSTRAINT webhook_delivery_settled_otherwise CHECK ((status = 'pending') = (settled_at IS NULL))
  );
  CREATE INDEX webhook_delivery_endpoint_idx ON webhook_delivery (endpoint_id, id);
  CREATE INDEX webhook_delivery_due_idx ON webhook_delivery (endpoint_id, next_try_at) WHERE status = 'pending';
  CREATE INDEX webhook_delivery_failed_idx ON webhook_delivery (endpoint_id, id) WHERE status = 'failed';
  CREATE INDEX webhook_delivery_settled_idx ON webhook_delivery (settled_at) WHERE settled_at IS NOT NULL;
`;

const IS_EVENT_WANTED = `
  -- Whether listeners of wanted events have something to do. Statements of gifts call it, so it has to be quick.
  CREATE FUNCTION is_event_wanted(event text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN EXISTS (SELECT FROM public.webhook_endpoint WHERE disabled_at IS NULL AND event = ANY (events));
  END $$;
`;

const EARLIER_TABLES = [
  ...['api_token', 'app_user', 'audit_entry', 'bundle', 'contact', 'contribution', 'delivery', 'deposit'],
  ...[
    'deposit_adjustment',
    'deposit_item',
    'fund',
    'import_file',
    'person',
    'reassignment',
    'review',
    'role',
    'session',
  ],
];

/** As in 0031. */
function booksSequences(tables: readonly string[]): string {
  return `
    CREATE OR REPLACE FUNCTION books_sequences() RETURNS TABLE (name text, current bigint, highest bigint) LANGUAGE sql
      STABLE SET search_path = pg_catalog, pg_temp AS $$
      SELECT c.relname::text, coalesce(pg_sequence_last_value(c.oid), 0), s.seqmax
      FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
        JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
          AND d.refclassid = 'pg_class'::regclass
        JOIN pg_class t ON t.oid = d.refobjid
      WHERE t.relnamespace = 'public'::regnamespace AND t.relname IN (${tables.map((name) => `'${name}'`).join(', ')})
      ORDER BY c.relname
    $$;`;
}
