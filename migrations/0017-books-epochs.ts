import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Epochs of the books. A restored backup, or a standby that takes over, puts the books back to an earlier state: ids and
 * positions in lists that were given out since then would mean something else a second time. The database therefore knows
 * where it is; when that has changed, a new epoch begins. It records up to which number the books are the same as before
 * (the fork), and moves all sequences above what may have been given out (ADR 25).
 */
export class BooksEpochs0017 implements MigrationInterface {
  readonly name = 'BooksEpochs1764288000017';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- The change number that the row had before. Without it, each change would look like a number that was lost.
      ALTER TABLE contribution ADD COLUMN former_change_no integer;

      CREATE TABLE books_epoch (
        number          integer NOT NULL,
        -- Part of the positions given out in this epoch; random, since one backup may be restored twice. The first epoch has
        -- none: its positions are those of the versions before.
        token           text,
        began_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
        reason          text NOT NULL,
        -- Contributions with these and lower numbers are those of the epoch before.
        fork_id         integer NOT NULL,
        fork_change_no  integer NOT NULL,
        -- When the books last changed before the epoch began.
        fork_at         timestamptz,
        -- The lowest numbers that the epoch may give out.
        first_id        integer NOT NULL,
        first_change_no integer NOT NULL,
        -- Where the books were last seen: database_identity(). Null until a service has looked.
        identity        jsonb,
        CONSTRAINT books_epoch_pkey PRIMARY KEY (number),
        CONSTRAINT books_epoch_token_key UNIQUE (token)
      );
      INSERT INTO books_epoch (number, reason, fork_id, fork_change_no, first_id, first_change_no)
      VALUES (1, 'The first epoch', 0, 0, 1, 1);
    `);
    for (const statement of [NUMBERING, IDENTITY, FORK, MARGIN, SEQUENCES, BEGIN, ENSURE])
      await database.query(statement);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DROP FUNCTION ensure_books_epoch, begin_books_epoch, move_sequences, books_targets, books_sequences, books_margin,
        books_fork, files_were_copied, why_new_epoch, restore_mark, database_identity;
      DROP TABLE books_epoch;
    `);
    await database.query(NUMBERING_BEFORE);
    await database.query('ALTER TABLE contribution DROP COLUMN former_change_no');
  }
}

function numbering(onUpdate: string): string {
  return `
  CREATE OR REPLACE FUNCTION number_contribution_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    NEW.updated_at := clock_timestamp();
    NEW.change_no := nextval('public.contribution_change_no_seq');
    IF TG_OP = 'UPDATE' THEN
      NEW.added_by := OLD.added_by;${onUpdate}
    ELSIF NEW.reverses_id IS NULL THEN
      NEW.added_by := NEW.created_by;
    ELSE
      -- Where that gift does not exist, the foreign key refuses the row in a moment.
      NEW.added_by := COALESCE((SELECT added_by FROM public.contribution WHERE id = NEW.reverses_id), NEW.created_by);
    END IF;
    RETURN NEW;
  END $$;
  `;
}

const NUMBERING_BEFORE = numbering('');
const NUMBERING = numbering('\n      NEW.former_change_no := OLD.change_no;');

/** They run as the owner, so that every role gets the same answer. */
const IDENTITY = `
  -- Where this database is. A restore into another database changes its oid, one with --clean that of the table; another
  -- server has another system identifier; a standby that takes over, or a recovery to a point in time, begins another
  -- timeline; files that were unpacked or copied have another time of change. What the owner may not look up is left out.
  CREATE FUNCTION database_identity() RETURNS jsonb LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    server text;
    files text;
  BEGIN
    IF has_function_privilege('pg_control_system()', 'EXECUTE') THEN
      SELECT system_identifier INTO server FROM pg_control_system();
    END IF;
    IF has_function_privilege('pg_stat_file(text)', 'EXECUTE') THEN
      SELECT extract(epoch FROM coalesce(change, creation))::bigint INTO files FROM pg_stat_file('PG_VERSION');
    END IF;
    RETURN jsonb_strip_nulls(jsonb_build_object(
      'server', server,
      'database', (SELECT oid FROM pg_database WHERE datname = current_database())::text,
      'table', 'public.books_epoch'::regclass::oid::text,
      'timeline', left(pg_walfile_name(pg_current_wal_lsn()), 8),
      'files', files,
      'restored', (SELECT value FROM public.restore_mark('offertory.restored') AS value)));
  END $$;

  -- What scripts/restore.sh has noted at the database. From the catalog, not from the session, which anybody could set.
  CREATE FUNCTION restore_mark(of_setting text) RETURNS text LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT option_value
    FROM pg_db_role_setting, pg_options_to_table(setconfig)
    WHERE setrole = 0 AND option_name = of_setting
      AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
  $$;

  -- Why a new epoch has to begin, or null. Before the first look nothing is known but the mark of a restore.
  CREATE FUNCTION why_new_epoch(known jsonb, here jsonb) RETURNS text LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF here ->> 'restored' IS DISTINCT FROM known ->> 'restored' AND here ? 'restored' THEN
      RETURN 'A backup was restored';
    END IF;
    RETURN CASE
      WHEN known ->> 'server' <> here ->> 'server' OR known ->> 'database' <> here ->> 'database'
        OR known ->> 'table' <> here ->> 'table' THEN 'The books were restored into another database'
      WHEN known ->> 'timeline' <> here ->> 'timeline'
        THEN 'Another server took over, or the server was recovered to a point in time'
      WHEN known ->> 'files' <> here ->> 'files' THEN 'The files of the database were restored or copied'
    END;
  END $$;

  -- A copy keeps the time at which the file was written, and cannot keep that of its change.
  CREATE FUNCTION files_were_copied() RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF NOT has_function_privilege('pg_stat_file(text)', 'EXECUTE') THEN RETURN false; END IF;
    RETURN (SELECT change > modification + interval '1 minute' FROM pg_stat_file('PG_VERSION'));
  END $$;
`;

const FORK = `
  -- Up to which numbers the books are certainly those of before. Not simply the highest ones: below them a number may be
  -- missing that a transaction had taken and not yet committed in the state that the books went back to. It was
  -- committed afterwards, and read, and is lost. Such a transaction lasts seconds (docs/architecture.md), so that only
  -- numbers just below the latest rows can be of that kind.
  CREATE FUNCTION books_fork(last_commit timestamptz, OUT id integer, OUT change_no integer, OUT at timestamptz)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    since timestamptz;
    low_id integer;
    low_change_no integer;
  BEGIN
    SELECT max(c.updated_at) INTO at FROM public.contribution c;
    since := greatest(at, last_commit) - interval '15 seconds';

    WITH recent AS (
      SELECT c.id, c.change_no, c.created_at FROM public.contribution c
      WHERE c.updated_at >= since ORDER BY c.updated_at DESC LIMIT 100000)
    SELECT min(recent.id) FILTER (WHERE created_at >= since), min(recent.change_no) INTO low_id, low_change_no FROM recent;

    -- The row below them. Where nothing is recent, that is the highest one, and below it nothing is looked at.
    SELECT coalesce(max(c.id), 0) INTO low_id FROM public.contribution c WHERE c.id < coalesce(low_id, 2147483648);
    SELECT coalesce(max(c.change_no), 0) INTO low_change_no FROM public.contribution c
    WHERE c.change_no < coalesce(low_change_no, 2147483648);

    WITH known AS (SELECT low_id AS n UNION SELECT c.id FROM public.contribution c WHERE c.id > low_id),
      pairs AS (SELECT n, lead(n) OVER (ORDER BY n) AS next FROM known)
    SELECT min(n) INTO id FROM pairs
    WHERE next > n + 1 AND NOT EXISTS (SELECT FROM public.books_epoch e WHERE e.first_id = next);

    WITH changed AS (
      SELECT c.change_no, c.former_change_no FROM public.contribution c WHERE c.change_no > low_change_no),
      known AS (
        SELECT low_change_no AS n UNION SELECT changed.change_no FROM changed
        UNION SELECT former_change_no FROM changed WHERE former_change_no > low_change_no),
      pairs AS (SELECT n, lead(n) OVER (ORDER BY n) AS next FROM known)
    SELECT min(n) INTO change_no FROM pairs
    WHERE next > n + 1 AND NOT EXISTS (SELECT FROM public.books_epoch e WHERE e.first_change_no = next);

    id := coalesce(id, (SELECT max(c.id) FROM public.contribution c), 0);
    change_no := coalesce(change_no, (SELECT max(c.change_no) FROM public.contribution c), 0);
  END $$;
`;

const MARGIN = `
  -- How many numbers a new epoch leaves out: 100,000, or ten times what was recorded per day where that is more; besides,
  -- twice what would have been recorded since the latest row, one for each second since then, and up to a million at
  -- random, so that a backup that is restored again gives out other numbers. Days are those of the last 30; numbers left
  -- out by earlier epochs do not count.
  CREATE FUNCTION books_margin() RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    latest record;
    earliest record;
    left_out bigint;
    per_day numeric := 0;
    elapsed numeric;
  BEGIN
    SELECT c.updated_at, c.change_no INTO latest FROM public.contribution c ORDER BY c.updated_at DESC LIMIT 1;
    IF FOUND THEN
      SELECT c.updated_at, c.change_no INTO earliest FROM public.contribution c
      WHERE c.updated_at >= latest.updated_at - interval '30 days' ORDER BY c.updated_at LIMIT 1;
      SELECT coalesce(sum(first_change_no - 1 - fork_change_no), 0) INTO left_out FROM public.books_epoch
      WHERE first_change_no > earliest.change_no AND first_change_no <= latest.change_no;
      per_day := greatest(0, latest.change_no - earliest.change_no + 1 - left_out)
        / greatest(1, extract(epoch FROM latest.updated_at - earliest.updated_at) / 86400);
    END IF;
    SELECT greatest(0, extract(epoch FROM clock_timestamp() - coalesce(latest.updated_at, max(began_at)))) INTO elapsed
      FROM public.books_epoch;
    RETURN ceil(greatest(100000, 10 * per_day) + 2 * per_day * elapsed / 86400 + elapsed) + floor(random() * 1000000);
  END $$;
`;

const SEQUENCES = `
  -- The sequences of our own tables: others may keep theirs beside them, of receipts say. A test holds the list complete.
  CREATE FUNCTION books_sequences() RETURNS TABLE (name text, current bigint, highest bigint) LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT c.relname::text, coalesce(pg_sequence_last_value(c.oid), 0), s.seqmax
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
      JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
        AND d.refclassid = 'pg_class'::regclass
      JOIN pg_class t ON t.oid = d.refobjid
    WHERE t.relnamespace = 'public'::regnamespace AND t.relname IN ('app_user', 'audit_entry', 'bundle', 'contact',
      'contribution', 'delivery', 'fund', 'person', 'reassignment', 'review', 'role')
    ORDER BY c.relname
  $$;

  -- Where each sequence goes on, but for small ones (roles have names): above the margin, and above what is known to have
  -- been given out. That is ids_above for contributions, and in the mark of a restore a number for each sequence.
  -- What is known is enough where the margin has no room.
  CREATE FUNCTION books_targets(ids_above integer, recorded text) RETURNS jsonb LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    contributions bigint := (SELECT current FROM public.books_sequences() WHERE name = 'contribution_id_seq');
    margin bigint := public.books_margin();
    item record;
    given numeric;
    target numeric;
    targets jsonb := '{}';
  BEGIN
    IF ids_above <= contributions THEN ids_above := NULL; END IF;
    -- Each of those contributions may have brought a person along.
    margin := greatest(margin, ids_above - contributions);
    FOR item IN SELECT * FROM public.books_sequences() WHERE highest > 32767 LOOP
      given := substring(recorded FROM format('"%s" *: *([0-9]+)', item.name))::numeric;
      IF item.name = 'contribution_id_seq' THEN given := greatest(given, ids_above); END IF;
      IF given <= item.current THEN given := NULL; END IF;
      target := greatest(item.current + margin, given);
      -- Without room: what is known, or half of what is left, where an operator has named the highest contribution.
      IF target >= item.highest THEN
        target := coalesce(given, CASE WHEN ids_above IS NOT NULL THEN (item.current + item.highest) / 2 END);
      END IF;
      IF target IS NULL OR target >= item.highest THEN
        RAISE EXCEPTION 'The ids of % have no room for a new epoch: % of % are used, and % more are to be left out. Run: '
          'offertory database restored --ids-above N, where N is the highest id of a contribution that was ever given '
          'out, and higher than %',
          item.name, coalesce(given, item.current), item.highest, margin, contributions
          USING ERRCODE = 'sequence_generator_limit_exceeded';
      END IF;
      targets := targets || jsonb_build_object(item.name, target);
    END LOOP;
    RETURN targets;
  END $$;

  -- Not taken back by a rollback: to be the last of a transaction.
  CREATE FUNCTION move_sequences(targets jsonb) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    PERFORM setval(format('public.%I', key)::regclass, value::bigint) FROM jsonb_each_text(targets);
  END $$;
`;

const BEGIN = `
  -- Begins a new epoch. With the rights of whoever calls it: the owner, or ensure_books_epoch() in the owner's name.
  CREATE FUNCTION begin_books_epoch(why text, ids_above integer, actor text) RETURNS SETOF books_epoch LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    known jsonb;
    here jsonb;
    fork record;
    targets jsonb;
    entry_id integer;
    began public.books_epoch;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('offertory.books_epoch', 0));
    SELECT e.identity INTO known FROM public.books_epoch e ORDER BY e.number DESC LIMIT 1;
    here := public.database_identity();
    -- A server that was a standby until now knows when the last commit was that it got from the one before.
    SELECT * INTO fork FROM public.books_fork(CASE
      WHEN known ->> 'timeline' <> here ->> 'timeline' AND known ->> 'server' = here ->> 'server'
        AND known ->> 'database' = here ->> 'database' AND known ->> 'table' = here ->> 'table'
      THEN pg_last_xact_replay_timestamp() END);
    -- What scripts/restore.sh has recorded, once, whoever is the first to begin an epoch after it.
    targets := public.books_targets(ids_above, CASE
      WHEN here ->> 'restored' IS DISTINCT FROM known ->> 'restored' THEN public.restore_mark('offertory.ids_above') END);
    entry_id := (targets ->> 'audit_entry_id_seq')::integer + 1;
    INSERT INTO public.books_epoch
      (number, token, reason, fork_id, fork_change_no, fork_at, first_id, first_change_no, identity)
    SELECT (SELECT max(e.number) + 1 FROM public.books_epoch e), left(replace(gen_random_uuid()::text, '-', ''), 12), why,
      fork.id, fork.change_no, fork.at, (targets ->> 'contribution_id_seq')::integer + 1,
      (targets ->> 'contribution_change_no_seq')::integer + 1, here
    RETURNING * INTO began;
    INSERT INTO public.audit_entry (id, actor, action, subject, details) OVERRIDING SYSTEM VALUE
    VALUES (entry_id, actor, 'database.new-epoch', 'database', jsonb_build_object('epoch', began.number, 'reason', why,
      'lastId', began.fork_id, 'lastChange', began.fork_change_no, 'idsFrom', began.first_id,
      'changesFrom', began.first_change_no));
    PERFORM public.move_sequences(targets || jsonb_build_object('audit_entry_id_seq', entry_id));
    RETURN NEXT began;
  END $$;
`;

const ENSURE = `
  -- For every new connection of a service. Begins an epoch where the books are not where they were last seen; of several
  -- connections one does. The session notes which books it has seen, for next_id(). @returns why it began one, or null.
  CREATE FUNCTION ensure_books_epoch() RETURNS text LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    newest record;
    here jsonb := public.database_identity();
    why text;
  BEGIN
    PERFORM set_config('offertory.books', here ->> 'table', false);
    SELECT e.number, e.identity INTO newest FROM public.books_epoch e ORDER BY e.number DESC LIMIT 1;
    IF newest.identity @> here THEN RETURN NULL; END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('offertory.books_epoch', 0));
    SELECT e.number, e.identity INTO newest FROM public.books_epoch e ORDER BY e.number DESC LIMIT 1;
    why := public.why_new_epoch(newest.identity, here);
    IF why IS NOT NULL THEN
      PERFORM public.begin_books_epoch(why, NULL, 'service');
    ELSIF NOT coalesce(newest.identity @> here, false) THEN
      UPDATE public.books_epoch e SET identity = coalesce(e.identity, '{}') || here WHERE e.number = newest.number;
      -- Files of a version before epochs, maybe a backup. The positions stay as they are, which programs of that version
      -- understand: they may still run beside this one.
      IF newest.identity IS NULL AND public.files_were_copied() THEN
        PERFORM public.move_sequences(public.books_targets(NULL, NULL));
      END IF;
    END IF;
    RETURN why;
  END $$;
`;
