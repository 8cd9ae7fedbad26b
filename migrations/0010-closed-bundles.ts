import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a closed bundle holds cannot change, whoever tries: which gifts are in it, their amounts, funds, days and types.
 * A gift of it can still be reversed (its status changes, the reversing entry goes into an open bundle) and be given to
 * another person.
 */
export class ClosedBundles0010 implements MigrationInterface {
  readonly name = 'ClosedBundles1764288000010';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- Null on bundles that were closed before this migration.
      ALTER TABLE bundle
        ADD COLUMN closed_by text,
        ADD CONSTRAINT bundle_closed_by_when_closed CHECK (closed_by IS NULL OR status = 0);

      -- Refusals look like violations of a constraint, so that the code can tell them by its name.
      CREATE FUNCTION refuse_closed_bundle(id integer, what text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'bundle % is closed: %', id, what
          USING ERRCODE = 'check_violation', CONSTRAINT = 'bundle_closed_stays';
      END $$;

      -- FOR SHARE: a close that is under way is waited for, and one that comes waits for this.
      CREATE FUNCTION keep_closed_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        is_closed boolean;
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          SELECT status = 0 INTO is_closed FROM bundle WHERE id = OLD.bundle_id FOR SHARE;
          IF is_closed THEN PERFORM refuse_closed_bundle(OLD.bundle_id, 'what it holds cannot change'); END IF;
        END IF;
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        SELECT status = 0 INTO is_closed FROM bundle WHERE id = NEW.bundle_id FOR SHARE;
        IF is_closed THEN PERFORM refuse_closed_bundle(NEW.bundle_id, 'nothing can be added'); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER contribution_into_open_bundle BEFORE INSERT OR DELETE ON contribution
        FOR EACH ROW EXECUTE FUNCTION keep_closed_bundle();
      -- A reversal changes the status alone, and another giver the person: neither pays for this.
      CREATE TRIGGER contribution_in_closed_bundle
        BEFORE UPDATE OF bundle_id, amount, currency, given_at, day, fund_id, contribution_type_id, reverses_id
        ON contribution FOR EACH ROW
        WHEN ((OLD.bundle_id, OLD.amount, OLD.currency, OLD.given_at, OLD.day, OLD.fund_id, OLD.contribution_type_id,
               OLD.reverses_id)
          IS DISTINCT FROM
              (NEW.bundle_id, NEW.amount, NEW.currency, NEW.given_at, NEW.day, NEW.fund_id, NEW.contribution_type_id,
               NEW.reverses_id))
        EXECUTE FUNCTION keep_closed_bundle();

      CREATE FUNCTION keep_bundle_closed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM refuse_closed_bundle(OLD.id, 'it stays as it is');
        RETURN NULL;
      END $$;
      CREATE TRIGGER bundle_stays_closed BEFORE UPDATE OR DELETE ON bundle
        FOR EACH ROW WHEN (OLD.status = 0) EXECUTE FUNCTION keep_bundle_closed();

      CREATE FUNCTION keep_closed_bundles() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        closed integer := (SELECT min(id) FROM bundle WHERE status = 0);
      BEGIN
        IF closed IS NOT NULL THEN PERFORM refuse_closed_bundle(closed, 'what it holds cannot change'); END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER contribution_not_emptied BEFORE TRUNCATE ON contribution
        FOR EACH STATEMENT EXECUTE FUNCTION keep_closed_bundles();
      CREATE TRIGGER bundle_not_emptied BEFORE TRUNCATE ON bundle
        FOR EACH STATEMENT EXECUTE FUNCTION keep_closed_bundles();
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DROP TRIGGER bundle_not_emptied ON bundle;
      DROP TRIGGER bundle_stays_closed ON bundle;
      DROP TRIGGER contribution_not_emptied ON contribution;
      DROP TRIGGER contribution_in_closed_bundle ON contribution;
      DROP TRIGGER contribution_into_open_bundle ON contribution;
      DROP FUNCTION keep_closed_bundles, keep_bundle_closed, keep_closed_bundle, refuse_closed_bundle;
      ALTER TABLE bundle DROP COLUMN closed_by;
    `);
  }
}
