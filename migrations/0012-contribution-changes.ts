import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * In which order contributions were made and changed, for readers who fetch what is new. Ids and change numbers are
 * given away before their transactions end, so that a number that can be seen does not mean that all below it can;
 * every writer therefore says above which number its own will lie, and readers stop there (ADR 18). Besides, whose gift
 * it is, which decides who may read it: on a reversing entry that of its gift, whoever took it back.
 */
export class ContributionChanges0012 implements MigrationInterface {
  readonly name = 'ContributionChanges1764288000012';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      ALTER TABLE contribution ADD COLUMN change_no integer, ADD COLUMN updated_at timestamptz,
        ADD COLUMN added_by integer;
      CREATE SEQUENCE contribution_change_no_seq AS integer OWNED BY contribution.change_no;

      UPDATE contribution c SET change_no = known.position, updated_at = known.at, added_by = known.added_by
      FROM (
        SELECT e.id, COALESCE(r.created_at, e.created_at) AS at, COALESCE(gift.created_by, e.created_by) AS added_by,
          row_number() OVER (ORDER BY COALESCE(r.created_at, e.created_at), e.id) AS position
        FROM contribution e
          LEFT JOIN contribution r ON r.reverses_id = e.id
          LEFT JOIN contribution gift ON gift.id = e.reverses_id
      ) known
      WHERE known.id = c.id;
      SELECT setval('contribution_change_no_seq', max(change_no)) FROM contribution HAVING count(*) > 0;

      ALTER TABLE contribution
        ALTER COLUMN change_no SET NOT NULL,
        ALTER COLUMN updated_at SET NOT NULL,
        ALTER COLUMN added_by SET NOT NULL,
        ADD CONSTRAINT contribution_added_by_fkey FOREIGN KEY (added_by) REFERENCES app_user (id),
        ADD CONSTRAINT contribution_change_no_key UNIQUE (change_no);
      CREATE INDEX contribution_updated_idx ON contribution (updated_at, change_no);
      CREATE INDEX contribution_added_by_idx ON contribution (added_by, id);
      CREATE INDEX contribution_added_by_change_idx ON contribution (added_by, change_no);
      CREATE INDEX contribution_day_idx ON contribution (day);
    `);
    await database.query(FUNCTIONS);
    await database.query(`
      CREATE TRIGGER contribution_change_announced BEFORE INSERT OR UPDATE ON contribution
        FOR EACH STATEMENT EXECUTE FUNCTION announce_contribution_change();
      CREATE TRIGGER contribution_change_numbered BEFORE INSERT OR UPDATE ON contribution
        FOR EACH ROW EXECUTE FUNCTION number_contribution_change();
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DROP TRIGGER contribution_change_numbered ON contribution;
      DROP TRIGGER contribution_change_announced ON contribution;
      DROP FUNCTION settled_contributions, number_contribution_change, announce_contribution_change;
      ALTER TABLE contribution DROP COLUMN change_no, DROP COLUMN updated_at, DROP COLUMN added_by;
      DROP INDEX contribution_day_idx;
    `);
  }
}

/**
 * They run with the owner's rights: the service's role may give no numbers away by itself. A sequence's last number is
 * last_value, or none while is_called is false.
 */
const FUNCTIONS = `
  -- Before a transaction takes its first number: those that it will take lie above what is locked here. The locks are
  -- given up after the transaction's rows can be seen. Once in a transaction, or many statements of one would fill the
  -- server's table of locks; a setting that is local ends with it, and with a savepoint as its locks do.
  CREATE FUNCTION announce_contribution_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF current_setting('offertory.change_announced', true) = 'yes' THEN RETURN NULL; END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('contribution.id'), (last_value - (NOT is_called)::integer)::integer)
      FROM public.contribution_id_seq;
    PERFORM pg_advisory_xact_lock_shared(hashtext('contribution.change_no'), (last_value - (NOT is_called)::integer)::integer)
      FROM public.contribution_change_no_seq;
    PERFORM set_config('offertory.change_announced', 'yes', true);
    RETURN NULL;
  END $$;

  CREATE FUNCTION number_contribution_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    NEW.updated_at := clock_timestamp();
    NEW.change_no := nextval('public.contribution_change_no_seq');
    IF TG_OP = 'UPDATE' THEN
      NEW.added_by := OLD.added_by;
    ELSIF NEW.reverses_id IS NULL THEN
      NEW.added_by := NEW.created_by;
    ELSE
      -- Of no gift at all: the foreign key says so in a moment.
      NEW.added_by := COALESCE((SELECT added_by FROM public.contribution WHERE id = NEW.reverses_id), NEW.created_by);
    END IF;
    RETURN NEW;
  END $$;

  -- The last numbers that were given away, and up to where they are settled: a row that has one of these can be seen by
  -- the next statement, or never will be. The numbers are read before the locks: who locks later takes higher ones.
  CREATE FUNCTION settled_contributions(OUT last_id integer, OUT last_change_no integer, OUT id integer,
    OUT change_no integer) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    last_id := (SELECT last_value - (NOT is_called)::integer FROM public.contribution_id_seq);
    last_change_no := (SELECT last_value - (NOT is_called)::integer FROM public.contribution_change_no_seq);
    SELECT least(last_id, min(above) FILTER (WHERE kind = hashtext('contribution.id'))),
      least(last_change_no, min(above) FILTER (WHERE kind = hashtext('contribution.change_no')))
    INTO id, change_no
    FROM (
      -- pg_locks shows both halves of such a key as unsigned numbers.
      SELECT classid::bigint::bit(32)::integer AS kind, objid::bigint::bit(32)::integer AS above FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) announced;
  END $$;
`;
