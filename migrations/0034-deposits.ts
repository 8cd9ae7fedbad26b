import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deposits: what a processor pays out, with its items and adjustments (ADR 53). The database keeps the sums of a deposit, one
 * deposit for each payment and for each reversal, and a reconciled deposit as it is, whatever the code does. No table of
 * gifts gets a trigger or an index: recording a gift costs what it did before.
 */
export class Deposits0034 implements MigrationInterface {
  readonly name = 'Deposits1764288000034';

  async up(database: QueryRunner): Promise<void> {
    for (const statement of [TABLES, SUMS, RECONCILED]) await database.query(statement);
  }

  /** Fails, and changes nothing, if there are deposits: they exist nowhere else. */
  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DO $$
      BEGIN
        IF EXISTS (SELECT FROM deposit) THEN
          RAISE 'The books have deposits. The release before cannot hold them, so this migration cannot be taken back.';
        END IF;
      END $$;
      DROP TABLE deposit_adjustment, deposit_item, deposit;
      DROP FUNCTION count_deposit_items_added, count_deposit_items_changed, count_deposit_items_deleted,
        count_deposit_adjustment, keep_deposit_adjustment, check_reconciled_deposit, keep_reconciled_deposit,
        keep_reconciled_deposits, refuse_reconciled_deposit;
    `);
  }
}

const TABLES = `
  CREATE TABLE deposit (
    id             integer GENERATED ALWAYS AS IDENTITY,
    -- The processor that sent it; null for a deposit that Finance has made.
    user_id        integer,
    source         text NOT NULL,
    -- The sender's own id, usually that of the payout.
    deposit_id     text NOT NULL,
    day            date NOT NULL,
    currency       text NOT NULL,
    -- What the processor says that it pays out. Negative if it takes money from the bank.
    amount         numeric(14,2),
    -- What the bank says.
    bank_day       date,
    bank_reference text,
    bank_amount    numeric(14,2),
    -- The sums of its items and adjustments. Triggers keep them.
    gross          numeric(18,2) NOT NULL DEFAULT 0,
    fees           numeric(18,2) NOT NULL DEFAULT 0,
    reversed       numeric(18,2) NOT NULL DEFAULT 0,
    adjusted       numeric(18,2) NOT NULL DEFAULT 0,
    item_count     integer NOT NULL DEFAULT 0,
    -- Items that are not in the books.
    unknown_count  integer NOT NULL DEFAULT 0,
    created_by     text NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    reconciled_by  text,
    reconciled_at  timestamptz,
    CONSTRAINT deposit_pkey PRIMARY KEY (id),
    CONSTRAINT deposit_user_fkey FOREIGN KEY (user_id) REFERENCES app_user (id),
    CONSTRAINT deposit_once UNIQUE NULLS NOT DISTINCT (user_id, source, deposit_id),
    CONSTRAINT deposit_currency_iso CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT deposit_amounts_numbers CHECK (
      amount <> 'NaN' AND bank_amount <> 'NaN' AND gross <> 'NaN' AND fees <> 'NaN' AND reversed <> 'NaN' AND adjusted <> 'NaN'),
    CONSTRAINT deposit_reconciled_by_somebody CHECK ((reconciled_at IS NULL) = (reconciled_by IS NULL)),
    CONSTRAINT deposit_reconciled_matches CHECK (
      reconciled_at IS NULL
      OR (unknown_count = 0 AND gross - fees - reversed + adjusted = COALESCE(bank_amount, amount)) IS TRUE)
  );
  CREATE INDEX deposit_unreconciled_idx ON deposit (id) WHERE reconciled_at IS NULL;
  CREATE INDEX deposit_source_idx ON deposit (source, deposit_id);

  CREATE TABLE deposit_item (
    id              integer GENERATED ALWAYS AS IDENTITY,
    deposit_id      integer NOT NULL,
    -- False: a payment, which adds to the deposit. True: a reversal, which takes from it.
    is_reversal     boolean NOT NULL,
    -- As it was named.
    contribution_id integer,
    source          text,
    transaction_id  text,
    refund_id       text,
    -- The payment; of a reversal, the one from which it took. Null while it is not in the books.
    payment_id      integer,
    -- The first entry of the reversal.
    reversal_id     integer,
    -- What was paid, or taken back. Null while it is not in the books.
    amount          numeric(14,2),
    -- What the processor keeps. If the deposit did not name it, that of the payment.
    fee             numeric(14,2),
    has_own_fee     boolean NOT NULL,
    added_by        text NOT NULL,
    added_at        timestamptz NOT NULL DEFAULT now(),
    removed_by      text,
    removed_at      timestamptz,
    removal_reason  text,
    CONSTRAINT deposit_item_pkey PRIMARY KEY (id),
    CONSTRAINT deposit_item_deposit_fkey FOREIGN KEY (deposit_id) REFERENCES deposit (id),
    CONSTRAINT deposit_item_contribution_fkey FOREIGN KEY (contribution_id) REFERENCES contribution (id),
    CONSTRAINT deposit_item_payment_fkey FOREIGN KEY (payment_id) REFERENCES payment (id),
    CONSTRAINT deposit_item_reversal_fkey FOREIGN KEY (reversal_id) REFERENCES contribution (id),
    CONSTRAINT deposit_item_named CHECK (num_nonnulls(contribution_id, transaction_id) = 1),
    CONSTRAINT deposit_item_source_of_transaction CHECK ((source IS NULL) = (transaction_id IS NULL)),
    CONSTRAINT deposit_item_reversal_of_payment CHECK (
      reversal_id IS NULL OR is_reversal AND payment_id IS NOT NULL),
    CONSTRAINT deposit_item_refund_of_reversal CHECK (refund_id IS NULL OR is_reversal),
    CONSTRAINT deposit_item_amount_when_known CHECK (
      (amount IS NULL) = (CASE WHEN is_reversal THEN reversal_id ELSE payment_id END IS NULL)),
    CONSTRAINT deposit_item_amount_positive CHECK (amount > 0 AND amount <> 'NaN'),
    CONSTRAINT deposit_item_fee_positive CHECK (fee >= 0 AND fee <> 'NaN'),
    CONSTRAINT deposit_item_own_fee CHECK (fee IS NOT NULL OR NOT has_own_fee),
    CONSTRAINT deposit_item_removed_with_reason CHECK (num_nulls(removed_at, removed_by, removal_reason) IN (0, 3))
  );
  -- Removed items stay as a record, and free their payment or reversal for another deposit.
  CREATE UNIQUE INDEX deposit_item_payment_once ON deposit_item (payment_id)
    WHERE payment_id IS NOT NULL AND NOT is_reversal AND removed_at IS NULL;
  CREATE UNIQUE INDEX deposit_item_reversal_once ON deposit_item (reversal_id)
    WHERE reversal_id IS NOT NULL AND removed_at IS NULL;
  CREATE INDEX deposit_item_deposit_idx ON deposit_item (deposit_id, id);
  CREATE INDEX deposit_item_unknown_idx ON deposit_item (deposit_id) WHERE amount IS NULL AND removed_at IS NULL;

  CREATE TABLE deposit_adjustment (
    id         integer GENERATED ALWAYS AS IDENTITY,
    deposit_id integer NOT NULL,
    amount     numeric(14,2) NOT NULL,
    reason     text NOT NULL,
    added_by   text NOT NULL,
    added_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT deposit_adjustment_pkey PRIMARY KEY (id),
    CONSTRAINT deposit_adjustment_deposit_fkey FOREIGN KEY (deposit_id) REFERENCES deposit (id),
    CONSTRAINT deposit_adjustment_not_zero CHECK (amount <> 0 AND amount <> 'NaN')
  );
  CREATE INDEX deposit_adjustment_deposit_idx ON deposit_adjustment (deposit_id, id);
`;

/**
 * A function that adds changed items to the sums of their deposits. It updates the deposit even if its sums stay the same: the
 * update waits for a reconciliation that is under way, and is then refused.
 * @param rows SQL for the changed rows, each with a sign: 1 adds it to the sums, -1 takes it out.
 */
function countItems(name: string, rows: string): string {
  return `
  CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    changed record;
  BEGIN
    FOR changed IN
      SELECT deposit_id,
        COALESCE(sum(sign * amount) FILTER (WHERE removed_at IS NULL AND NOT is_reversal), 0) AS gross,
        COALESCE(sum(sign * fee) FILTER (WHERE removed_at IS NULL AND amount IS NOT NULL), 0) AS fees,
        COALESCE(sum(sign * amount) FILTER (WHERE removed_at IS NULL AND is_reversal), 0) AS reversed,
        COALESCE(sum(sign) FILTER (WHERE removed_at IS NULL), 0) AS items,
        COALESCE(sum(sign) FILTER (WHERE removed_at IS NULL AND amount IS NULL), 0) AS unknown
      FROM (${rows}) item GROUP BY deposit_id ORDER BY deposit_id
    LOOP
      UPDATE public.deposit SET gross = gross + changed.gross, fees = fees + changed.fees,
        reversed = reversed + changed.reversed, item_count = item_count + changed.items,
        unknown_count = unknown_count + changed.unknown
      WHERE id = changed.deposit_id;
    END LOOP;
    RETURN NULL;
  END $$;
  `;
}

/** Once for each statement, so that a thousand items cost one update of their deposit. */
const SUMS = `
  ${countItems('count_deposit_items_added', 'SELECT 1 AS sign, * FROM added')}
  CREATE TRIGGER deposit_item_added AFTER INSERT ON deposit_item REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_deposit_items_added();
  ${countItems('count_deposit_items_changed', 'SELECT -1 AS sign, * FROM former UNION ALL SELECT 1, * FROM present')}
  CREATE TRIGGER deposit_item_changed AFTER UPDATE ON deposit_item REFERENCING OLD TABLE AS former NEW TABLE AS present
    FOR EACH STATEMENT EXECUTE FUNCTION count_deposit_items_changed();
  ${countItems('count_deposit_items_deleted', 'SELECT -1 AS sign, * FROM deleted')}
  CREATE TRIGGER deposit_item_deleted AFTER DELETE ON deposit_item REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION count_deposit_items_deleted();

  CREATE FUNCTION count_deposit_adjustment() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    UPDATE public.deposit SET adjusted = adjusted + NEW.amount WHERE id = NEW.deposit_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER deposit_adjustment_added AFTER INSERT ON deposit_adjustment
    FOR EACH ROW EXECUTE FUNCTION count_deposit_adjustment();

  -- Another adjustment corrects one.
  CREATE FUNCTION keep_deposit_adjustment() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'an adjustment of a deposit stays as it is'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_adjustment_stays';
  END $$;
  CREATE TRIGGER deposit_adjustment_stays BEFORE UPDATE OR DELETE ON deposit_adjustment
    FOR EACH ROW EXECUTE FUNCTION keep_deposit_adjustment();
`;

/** Refusals look like violations of a constraint, so that the code can tell them by its name. */
const RECONCILED = `
  CREATE FUNCTION refuse_reconciled_deposit(id integer) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'deposit % is reconciled: it stays as it is', id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_stays_reconciled';
  END $$;

  -- A change of its items or adjustments updates the deposit, and so comes here as well.
  CREATE FUNCTION keep_reconciled_deposit() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    PERFORM public.refuse_reconciled_deposit(OLD.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER deposit_stays_reconciled BEFORE UPDATE OR DELETE ON deposit
    FOR EACH ROW WHEN (OLD.reconciled_at IS NOT NULL) EXECUTE FUNCTION keep_reconciled_deposit();

  CREATE FUNCTION keep_reconciled_deposits() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    reconciled integer := (SELECT min(id) FROM public.deposit WHERE reconciled_at IS NOT NULL);
  BEGIN
    IF reconciled IS NOT NULL THEN PERFORM public.refuse_reconciled_deposit(reconciled); END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER deposit_not_emptied BEFORE TRUNCATE ON deposit
    FOR EACH STATEMENT EXECUTE FUNCTION keep_reconciled_deposits();
  CREATE TRIGGER deposit_item_not_emptied BEFORE TRUNCATE ON deposit_item
    FOR EACH STATEMENT EXECUTE FUNCTION keep_reconciled_deposits();
  CREATE TRIGGER deposit_adjustment_not_emptied BEFORE TRUNCATE ON deposit_adjustment
    FOR EACH STATEMENT EXECUTE FUNCTION keep_reconciled_deposits();

  -- Adds up what the books say, before it becomes final. The check constraint compares the result with the bank.
  CREATE FUNCTION check_reconciled_deposit() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF (NEW.gross, NEW.fees, NEW.reversed, NEW.adjusted) IS DISTINCT FROM (
      (SELECT COALESCE(sum(p.amount), 0) FROM public.deposit_item i JOIN public.payment p ON p.id = i.payment_id
       WHERE i.deposit_id = NEW.id AND i.removed_at IS NULL AND NOT i.is_reversal),
      (SELECT COALESCE(sum(fee), 0) FROM public.deposit_item WHERE deposit_id = NEW.id AND removed_at IS NULL),
      (SELECT COALESCE(-sum(c.amount), 0) FROM public.deposit_item i
         JOIN public.contribution c ON c.payment_id = i.payment_id AND c.payment_id <> c.id AND c.reversal_id = i.reversal_id
       WHERE i.deposit_id = NEW.id AND i.removed_at IS NULL AND i.is_reversal),
      (SELECT COALESCE(sum(amount), 0) FROM public.deposit_adjustment WHERE deposit_id = NEW.id))
    THEN
      RAISE EXCEPTION 'the sums of deposit % are not those of its items and adjustments', NEW.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_is_sum_of_items';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER deposit_reconciled_checked BEFORE UPDATE OF reconciled_at ON deposit
    FOR EACH ROW WHEN (NEW.reconciled_at IS NOT NULL) EXECUTE FUNCTION check_reconciled_deposit();
`;
