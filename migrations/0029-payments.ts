import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments and their parts, partial reversals, moves to another fund, and reinstatements (ADR 46). The rows of a payment
 * are contributions. The database keeps the sums: parts add up to their payment, and a gift is not reversed beyond its
 * amount, whatever the code does.
 */
export class Payments0029 implements MigrationInterface {
  readonly name = 'Payments1764288000029';

  async up(database: QueryRunner): Promise<void> {
    for (const statement of [TABLES, NUMBERING, BACKFILL, CONSTRAINTS, SUMS, EQUAL_GIFTS, REVIEW_REASONS])
      await database.query(statement);
  }

  /** Fails, and changes nothing, if the books have what the schema before cannot hold. */
  async down(database: QueryRunner): Promise<void> {
    await database.query(REFUSE_TO_LOSE);
    await database.query(`
      DROP TRIGGER contribution_payment_keeps_sum ON contribution;
      DROP TRIGGER contribution_parts_keep_sum ON contribution;
      DROP TRIGGER contribution_change_counted ON contribution;
      DROP TRIGGER contribution_reversals_changed ON contribution;
      DROP TRIGGER contribution_moves_even ON contribution;
      DROP TRIGGER contribution_reinstates_reversal ON contribution;
      DROP TRIGGER payment_keeps_sum ON payment;
    `);
    await database.query(NUMBERING_BEFORE);
    await database.query(EQUAL_GIFTS_BEFORE);
    await database.query(`
      DROP FUNCTION check_payment_sum, keep_payment_sum, count_reversal, check_move, check_reinstatement;
      DELETE FROM review WHERE reasons = ARRAY['earlier_year'];
      UPDATE review SET reasons = array_remove(reasons, 'earlier_year') WHERE 'earlier_year' = ANY (reasons);
      ALTER TABLE review DROP CONSTRAINT review_reasons_known,
        ADD CONSTRAINT review_reasons_known CHECK (cardinality(reasons) > 0 AND reasons <@ ${REASONS_BEFORE});
      DROP INDEX contribution_transaction_once;
      ALTER TABLE contribution
        DROP CONSTRAINT contribution_giver_on_gifts,
        DROP CONSTRAINT contribution_negative_when_reversing,
        DROP COLUMN payment_id, DROP COLUMN reversed_amount, DROP COLUMN reason, DROP COLUMN refund_id,
        DROP COLUMN reversal_id, DROP COLUMN moves_id, DROP COLUMN reinstates_id;
      DROP INDEX contribution_reverses_idx;
      ALTER TABLE contribution
        ADD CONSTRAINT contribution_reversed_once UNIQUE (reverses_id),
        ADD CONSTRAINT contribution_negative_when_reversing CHECK ((amount < 0) = (reverses_id IS NOT NULL)),
        ADD CONSTRAINT contribution_giver_on_gifts CHECK (
          num_nulls(giver_first, giver_last, giver_email, giver_phone) = CASE WHEN reverses_id IS NULL THEN 0 ELSE 4 END);
      CREATE UNIQUE INDEX contribution_transaction_once ON contribution (created_by, source, transaction_id)
        WHERE transaction_id IS NOT NULL;
      DROP TABLE refund, payment;
    `);
  }
}

const REFUSE_TO_LOSE = `
  DO $$
  BEGIN
    IF EXISTS (SELECT FROM contribution WHERE payment_id <> COALESCE(reverses_id, id)
        OR moves_id IS NOT NULL OR reinstates_id IS NOT NULL OR reversed_amount NOT IN (0, amount))
      OR EXISTS (SELECT FROM contribution WHERE reverses_id IS NOT NULL GROUP BY reverses_id HAVING count(*) > 1)
      OR EXISTS (SELECT FROM payment WHERE num_nonnulls(fee, method, check_number, payout_id) > 0)
      OR EXISTS (SELECT FROM refund) THEN
      RAISE 'The books have split payments, details of payments, partial reversals, moves or reinstatements. The release before '
        'cannot hold them, so this migration cannot be taken back.';
    END IF;
  END $$;
`;

const TABLES = `
  -- What was paid. Its id is that of its first part. The rows of a payment are contributions: its parts (gifts), and what
  -- reverses, moves or reinstates them. They share person, currency and source.
  CREATE TABLE payment (
    id           integer NOT NULL,
    -- Gross: what the processor keeps is in fee.
    amount       numeric(14,2) NOT NULL,
    fee          numeric(14,2),
    method       text,
    check_number text,
    payout_id    text,
    CONSTRAINT payment_pkey PRIMARY KEY (id),
    CONSTRAINT payment_amount_positive CHECK (amount > 0 AND amount <> 'NaN'),
    CONSTRAINT payment_fee_within_amount CHECK (fee BETWEEN 0 AND amount),
    CONSTRAINT payment_method_known CHECK (method IN ('card', 'ach', 'check', 'cash', 'wallet', 'other'))
  );
  CREATE INDEX payment_payout_idx ON payment (payout_id) WHERE payout_id IS NOT NULL;
  CREATE INDEX payment_check_number_idx ON payment (check_number) WHERE check_number IS NOT NULL;

  -- The senders' own ids of refunds. Written first in the call's transaction, where a concurrent call with the same id waits.
  CREATE TABLE refund (
    user_id         integer NOT NULL,
    source          text NOT NULL,
    refund_id       text NOT NULL,
    request_digest  bytea NOT NULL,
    request_version smallint NOT NULL,
    -- The first answer. Filled in before the transaction commits.
    answer          jsonb,
    created_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT refund_pkey PRIMARY KEY (user_id, source, refund_id),
    CONSTRAINT refund_user_fkey FOREIGN KEY (user_id) REFERENCES app_user (id)
  );

  ALTER TABLE contribution
    ADD COLUMN payment_id      integer,
    -- On a gift: how much of it is reversed. The trigger contribution_change_counted keeps it.
    ADD COLUMN reversed_amount numeric(14,2) NOT NULL DEFAULT 0,
    -- On a reversing entry: why.
    ADD COLUMN reason          text,
    ADD COLUMN refund_id       text,
    -- On a reversing entry: the first entry of the same call, which has one for each part of the payment.
    ADD COLUMN reversal_id     integer,
    -- On both entries of a move to another fund: the gift that moved.
    ADD COLUMN moves_id        integer,
    -- On a gift that reinstates a reversed one: the reversing entry that it undoes.
    ADD COLUMN reinstates_id   integer;
`;

/** SQL for whether a row is a gift, which can be reversed: a part of its payment as sent, or a reinstatement. */
const isGift = (row: string): string => `${row}reverses_id IS NULL AND ${row}moves_id IS NULL`;

/** SQL for whether a row is a part of its payment as sent. */
const isPart = (row: string): string => `${isGift(row)} AND ${row}reinstates_id IS NULL`;

/** Besides numbering, the trigger derives what follows from other columns. */
const NUMBERING = `
  CREATE OR REPLACE FUNCTION number_contribution_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    NEW.updated_at := clock_timestamp();
    NEW.change_no := CASE WHEN NEW.id < 0 THEN public.next_id('public.contribution_change_no_seq') ELSE nextval('public.contribution_change_no_seq') END;
    IF TG_OP = 'UPDATE' THEN
      NEW.added_by := OLD.added_by;
      NEW.former_change_no := OLD.change_no;
      -- Releases before partial reversals set the status themselves, before they add the reversing entry.
      IF ${isGift('NEW.')} THEN NEW.status := (NEW.reversed_amount = NEW.amount)::integer; END IF;
    ELSIF ${isPart('NEW.')} THEN
      NEW.added_by := NEW.created_by;
      NEW.reversed_amount := 0;
      -- Releases before payments write none: the gift is its only part.
      IF NEW.payment_id IS NULL THEN
        NEW.payment_id := NEW.id;
        INSERT INTO public.payment (id, amount) VALUES (NEW.id, NEW.amount);
      END IF;
    ELSE
      -- Where the other row does not exist, the foreign key refuses this one in a moment.
      SELECT added_by, payment_id, person_id, currency
      INTO NEW.added_by, NEW.payment_id, NEW.person_id, NEW.currency FROM public.contribution
      WHERE id = COALESCE(NEW.reverses_id, NEW.moves_id, NEW.reinstates_id);
      IF NOT FOUND THEN
        NEW.added_by := NEW.created_by;
        NEW.payment_id := 0;
        NEW.person_id := 0;
        NEW.currency := 'XXX';
      END IF;
      IF NEW.reverses_id IS NOT NULL AND NEW.reversal_id IS NULL THEN
        -- A release before payments knows neither the other parts of the payment nor the fund to which a gift was moved.
        IF EXISTS (SELECT FROM public.contribution other
          WHERE other.payment_id = NEW.payment_id AND other.payment_id <> other.id AND other.reverses_id IS NULL) THEN
          RAISE 'contribution % was split, moved or reinstated: a release that knows payments has to reverse it', NEW.reverses_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'contribution_reversed_as_payment';
        END IF;
        NEW.reversal_id := NEW.id;
      END IF;
    END IF;
    RETURN NEW;
  END $$;
`;

const NUMBERING_BEFORE = `
  CREATE OR REPLACE FUNCTION number_contribution_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    NEW.updated_at := clock_timestamp();
    NEW.change_no := CASE WHEN NEW.id < 0 THEN public.next_id('public.contribution_change_no_seq') ELSE nextval('public.contribution_change_no_seq') END;
    IF TG_OP = 'UPDATE' THEN
      NEW.added_by := OLD.added_by;
      NEW.former_change_no := OLD.change_no;
    ELSIF NEW.reverses_id IS NULL THEN
      NEW.added_by := NEW.created_by;
    ELSE
      -- Where that gift does not exist, the foreign key refuses the row in a moment.
      NEW.added_by := COALESCE((SELECT added_by FROM public.contribution WHERE id = NEW.reverses_id), NEW.created_by);
    END IF;
    RETURN NEW;
  END $$;
`;

/**
 * Without the triggers that number changes: readers of changes must not get the whole books again. By their names: others
 * also fire for replicas, and would lose that.
 */
const BACKFILL = `
  INSERT INTO payment (id, amount) SELECT id, amount FROM contribution WHERE reverses_id IS NULL;
  ALTER TABLE contribution DISABLE TRIGGER contribution_change_announced;
  ALTER TABLE contribution DISABLE TRIGGER contribution_change_numbered;
  UPDATE contribution SET payment_id = COALESCE(reverses_id, id), reversal_id = CASE WHEN reverses_id IS NOT NULL THEN id END,
    reversed_amount = CASE status WHEN 1 THEN amount ELSE 0 END;
  ALTER TABLE contribution ENABLE TRIGGER contribution_change_announced;
  ALTER TABLE contribution ENABLE TRIGGER contribution_change_numbered;

  -- Books that only the service wrote have none. Otherwise it is for a person to say what is right.
  DO $$
  DECLARE
    wrong integer[] := ARRAY(
      SELECT gift.id FROM contribution gift
        LEFT JOIN (SELECT reverses_id, -sum(amount) AS amount FROM contribution GROUP BY reverses_id) taken
          ON taken.reverses_id = gift.id
      WHERE gift.reverses_id IS NULL AND gift.reversed_amount <> COALESCE(taken.amount, 0)
      ORDER BY gift.id LIMIT 20);
  BEGIN
    IF cardinality(wrong) > 0 THEN
      RAISE 'The status of these contributions does not agree with their reversing entries: %. Correct them first.', wrong;
    END IF;
  END $$;
`;

const CONSTRAINTS = `
  ALTER TABLE contribution
    ALTER COLUMN payment_id SET NOT NULL,
    DROP CONSTRAINT contribution_reversed_once,
    DROP CONSTRAINT contribution_negative_when_reversing,
    DROP CONSTRAINT contribution_giver_on_gifts,
    ADD CONSTRAINT contribution_payment_fkey FOREIGN KEY (payment_id) REFERENCES payment (id),
    ADD CONSTRAINT contribution_moves_fkey FOREIGN KEY (moves_id) REFERENCES contribution (id),
    ADD CONSTRAINT contribution_reinstates_fkey FOREIGN KEY (reinstates_id) REFERENCES contribution (id),
    ADD CONSTRAINT contribution_one_origin CHECK (num_nonnulls(reverses_id, moves_id, reinstates_id) <= 1),
    ADD CONSTRAINT contribution_negative_when_reversing CHECK (
      CASE WHEN moves_id IS NULL THEN (amount < 0) = (reverses_id IS NOT NULL) ELSE true END),
    ADD CONSTRAINT contribution_giver_on_gifts CHECK (
      num_nulls(giver_first, giver_last, giver_email, giver_phone) = CASE WHEN ${isGift('')} THEN 0 ELSE 4 END),
    ADD CONSTRAINT contribution_reversed_within_amount CHECK (
      reversed_amount = 0 OR (${isGift('')} AND reversed_amount > 0 AND reversed_amount <= amount)),
    ADD CONSTRAINT contribution_reversed_when_nothing_left CHECK ((status = 1) = (reversed_amount = amount)),
    ADD CONSTRAINT contribution_reversal_fkey FOREIGN KEY (reversal_id) REFERENCES contribution (id),
    ADD CONSTRAINT contribution_reversal_of_entries CHECK ((reversal_id IS NULL) = (reverses_id IS NULL)),
    ADD CONSTRAINT contribution_reason_known CHECK (reason IN ('refund', 'returned', 'chargeback', 'duplicate', 'error')),
    ADD CONSTRAINT contribution_reason_of_reversal CHECK (
      reverses_id IS NOT NULL OR num_nonnulls(reason, refund_id) = 0);
  -- Partial: a gift alone in its payment is in none of them.
  CREATE INDEX contribution_reverses_idx ON contribution (reverses_id) WHERE reverses_id IS NOT NULL;
  CREATE INDEX contribution_moves_idx ON contribution (moves_id) WHERE moves_id IS NOT NULL;
  CREATE UNIQUE INDEX contribution_reinstated_once ON contribution (reinstates_id) WHERE reinstates_id IS NOT NULL;
  CREATE INDEX contribution_payment_idx ON contribution (payment_id) WHERE payment_id <> id;
  -- All parts of a payment have its TransactionId.
  DROP INDEX contribution_transaction_once;
  CREATE UNIQUE INDEX contribution_transaction_once ON contribution (created_by, source, transaction_id)
    WHERE transaction_id IS NOT NULL AND payment_id = id;
`;

/** Violations look like those of a check constraint, so that code can tell them apart by its name. */
const SUMS = `
  CREATE FUNCTION check_payment_sum(of_payment integer) RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    paid numeric := (SELECT amount FROM public.payment WHERE id = of_payment);
    parts numeric := (SELECT sum(amount) FROM public.contribution
      WHERE (id = of_payment OR payment_id = of_payment AND payment_id <> id) AND payment_id = of_payment AND ${isPart('')});
  BEGIN
    IF paid <> parts THEN
      RAISE 'payment % is of %, its parts of %', of_payment, paid, parts
        USING ERRCODE = 'check_violation', CONSTRAINT = 'payment_is_sum_of_parts';
    END IF;
  END $$;

  CREATE FUNCTION keep_payment_sum() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF TG_TABLE_NAME = 'payment' THEN
      PERFORM public.check_payment_sum(NEW.id);
      RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN PERFORM public.check_payment_sum(OLD.payment_id); END IF;
    IF TG_OP <> 'DELETE' THEN PERFORM public.check_payment_sum(NEW.payment_id); END IF;
    RETURN NULL;
  END $$;
  -- At the end of the transaction, when all parts are there.
  CREATE CONSTRAINT TRIGGER contribution_payment_keeps_sum AFTER INSERT ON contribution DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (${isPart('NEW.')}) EXECUTE FUNCTION keep_payment_sum();
  CREATE TRIGGER contribution_parts_keep_sum AFTER UPDATE OF amount, payment_id, reverses_id, moves_id, reinstates_id
    ON contribution FOR EACH ROW EXECUTE FUNCTION keep_payment_sum();
  CREATE TRIGGER payment_keeps_sum AFTER UPDATE OF id, amount ON payment
    FOR EACH ROW EXECUTE FUNCTION keep_payment_sum();

  -- Adds to what is there instead of summing up the entries: the update waits for a concurrent one, and sees its result.
  CREATE FUNCTION count_reversal() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      UPDATE public.contribution SET reversed_amount = reversed_amount + OLD.amount WHERE id = OLD.reverses_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      UPDATE public.contribution SET reversed_amount = reversed_amount - NEW.amount WHERE id = NEW.reverses_id;
    END IF;
    RETURN NEW;
  END $$;
  -- By its name before contribution_change_numbered: in lists of changes, a gift comes before the entry that reverses it.
  CREATE TRIGGER contribution_change_counted BEFORE INSERT ON contribution
    FOR EACH ROW WHEN (NEW.reverses_id IS NOT NULL) EXECUTE FUNCTION count_reversal();
  CREATE TRIGGER contribution_reversals_changed AFTER UPDATE OF amount, reverses_id OR DELETE ON contribution
    FOR EACH ROW EXECUTE FUNCTION count_reversal();

  -- The two entries of a move cancel each other out.
  CREATE FUNCTION check_move() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF (SELECT sum(amount) FROM public.contribution WHERE moves_id = NEW.moves_id) <> 0 THEN
      RAISE 'the entries that move contribution % do not add up to 0', NEW.moves_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'contribution_moves_add_up_to_0';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER contribution_moves_even AFTER INSERT ON contribution
    FOR EACH ROW WHEN (NEW.moves_id IS NOT NULL) EXECUTE FUNCTION check_move();

  -- A reinstatement gives back exactly what its reversing entry took. That entry and its gift show it, so lists of changes
  -- have them again.
  CREATE FUNCTION check_reinstatement() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM public.contribution reversal
      WHERE reversal.id = NEW.reinstates_id AND reversal.reverses_id IS NOT NULL AND reversal.amount = -NEW.amount) THEN
      RAISE 'contribution % does not give back what % has taken', NEW.id, NEW.reinstates_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'contribution_reinstates_reversal';
    END IF;
    UPDATE public.contribution SET status = status
    WHERE id = NEW.reinstates_id OR id = (SELECT reverses_id FROM public.contribution WHERE id = NEW.reinstates_id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER contribution_reinstates_reversal AFTER INSERT ON contribution
    FOR EACH ROW WHEN (NEW.reinstates_id IS NOT NULL) EXECUTE FUNCTION check_reinstatement();
`;

function equalGifts(others: string): string {
  return `
  CREATE OR REPLACE FUNCTION equal_gifts(gift contribution) RETURNS integer[] LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(
      hashtextextended(concat_ws(' ', 'equal gifts', gift.person_id, gift.amount, gift.day), 0));
    RETURN ARRAY(
      SELECT other.id FROM contribution other
      WHERE other.person_id = gift.person_id AND other.day = gift.day AND other.amount = gift.amount
        AND other.id <> gift.id AND other.status = 0${others}
        AND (other.source IS DISTINCT FROM gift.source OR other.created_at > now() - interval '10 minutes')
      LIMIT 10);
  END $$;
  `;
}

/** As in 0020, but without the rows of the same payment, and without moves to another fund. */
const EQUAL_GIFTS = equalGifts('\n        AND other.payment_id <> gift.payment_id AND other.moves_id IS NULL');
const EQUAL_GIFTS_BEFORE = equalGifts('');

const reviewReasons = (...reasons: readonly string[]): string =>
  `ARRAY[${reasons.map((reason) => `'${reason}'`).join(', ')}]`;

/** Those of 0021. */
const KNOWN_REASONS = [
  'several_matches',
  'other_last_name',
  'deceased',
  'closed_fund',
  'similar_person',
  'possible_duplicate',
  'similar_spelling',
  'changed_last_name',
  'known_name',
  'other_contact',
  'shared_contact',
  'similar_row',
];
const REASONS_BEFORE = reviewReasons(...KNOWN_REASONS);

const REVIEW_REASONS = `
  ALTER TABLE review
    DROP CONSTRAINT review_reasons_known,
    ADD CONSTRAINT review_reasons_known
      CHECK (cardinality(reasons) > 0 AND reasons <@ ${reviewReasons(...KNOWN_REASONS, 'earlier_year')});
`;
