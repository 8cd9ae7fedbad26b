import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What gives a contribution its change number, in the trigger's function; whatever else that does stays as it is. */
const CHANGE_NUMBER = "nextval('public.contribution_change_no_seq')";
const CHANGE_NUMBER_OF =
  "CASE WHEN NEW.id < 0 THEN public.next_id('public.contribution_change_no_seq') ELSE nextval('public.contribution_change_no_seq') END";

/** What adds the contacts of new persons, likewise. */
const INSERT_CONTACTS = `INSERT INTO contact (person_id, kind, value, folded, confirmed, folded_by)
    SELECT p.id,`;
const INSERT_CONTACTS_WITH_ID = `INSERT INTO contact (id, person_id, kind, value, folded, confirmed, folded_by)
      OVERRIDING SYSTEM VALUE
    SELECT next_id('contact_id_seq'), p.id,`;

/**
 * A dry run uses up no ids: while it writes what it will roll back, its rows get negative ids that no sequence has given
 * away (ADR 27). Besides, how far each sequence is used up.
 */
export class DryRunIds0022 implements MigrationInterface {
  readonly name = 'DryRunIds1764288000022';

  async up(database: QueryRunner): Promise<void> {
    await database.query(DRY_RUNS);
    await database.query(NEXT_ID);
    await database.query(openBundle('(id, bundle_type_id, user_id, day) OVERRIDING SYSTEM VALUE', NEXT_BUNDLE_ID));
    await replaceInFunction(database, 'add_person_contacts()', INSERT_CONTACTS, INSERT_CONTACTS_WITH_ID);
    await replaceInFunction(database, 'number_contribution_change()', CHANGE_NUMBER, CHANGE_NUMBER_OF);
    await database.query(SEQUENCE_USE);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP FUNCTION sequence_use');
    await replaceInFunction(database, 'number_contribution_change()', CHANGE_NUMBER_OF, CHANGE_NUMBER);
    await replaceInFunction(database, 'add_person_contacts()', INSERT_CONTACTS_WITH_ID, INSERT_CONTACTS);
    await database.query(openBundle('(bundle_type_id, user_id, day)', ''));
    await database.query('DROP FUNCTION next_id; DROP TABLE dry_run; DROP FUNCTION refuse_dry_run');
  }
}

const NEXT_BUNDLE_ID = "next_id('bundle_id_seq'), ";

/** The function may have been replaced by a migration since it was made: this changes one expression of it. */
async function replaceInFunction(database: QueryRunner, name: string, from: string, to: string): Promise<void> {
  const [{ definition }] = (await database.query('SELECT pg_get_functiondef($1::regprocedure) AS definition', [
    name,
  ])) as [{ definition: string }];
  if (!definition.includes(from)) throw new Error(`${name} is not as the migrations before this one have left it`);
  await database.query(definition.replace(from, to));
}

/**
 * A table of its own: triggers on the tables of gifts would need locks on all of them, which a migration beside a running
 * service would take in another order than gifts do.
 */
const DRY_RUNS = `
  -- Has a row from the first id that a dry run makes to its rollback; it is always empty for everybody else.
  CREATE UNLOGGED TABLE dry_run (began_at timestamptz NOT NULL DEFAULT now());
  CREATE FUNCTION refuse_dry_run() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE 'a dry run never commits';
  END $$;
  CREATE CONSTRAINT TRIGGER dry_run_never_commits AFTER INSERT ON dry_run DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION refuse_dry_run();
`;

const NEXT_ID = `
  -- The next id of a sequence. In a dry run, whose setting counts the ids that it has made: a negative one that no other
  -- transaction under way can make, since each has a process of its own; a sequence that is used up fails all the same.
  -- With the owner's rights, as an identity column has them: the service's role has none of its own on sequences, and is
  -- granted this function instead. A session that has looked at other books than these, which a restore has replaced
  -- since, gets none: it has not begun their epoch (ADR 25).
  CREATE FUNCTION next_id(of_sequence regclass) RETURNS integer LANGUAGE plpgsql VOLATILE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    made text := current_setting('offertory.dry_run', true);
  BEGIN
    IF of_sequence <> ALL (ARRAY['public.contribution_id_seq'::regclass, 'public.contribution_change_no_seq'::regclass,
      'public.person_id_seq'::regclass, 'public.contact_id_seq'::regclass, 'public.bundle_id_seq'::regclass,
      'public.review_id_seq'::regclass]) THEN
      RAISE 'next_id() gives out no ids of %', of_sequence USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF nullif(current_setting('offertory.books', true), '') <> 'public.books_epoch'::regclass::oid::text THEN
      RAISE 'the books were replaced under this session' USING ERRCODE = 'OF001';
    END IF;
    IF made IS NULL OR made = '' THEN RETURN nextval(of_sequence); END IF;
    IF pg_sequence_last_value(of_sequence) >= (SELECT seqmax FROM pg_sequence WHERE seqrelid = of_sequence) THEN
      RAISE 'the sequence % has no further id', of_sequence USING ERRCODE = 'sequence_generator_limit_exceeded';
    END IF;
    IF made::integer > 1023 THEN RAISE 'a dry run makes at most 1024 ids'; END IF;
    IF made = '0' THEN INSERT INTO public.dry_run DEFAULT VALUES; END IF;
    PERFORM set_config('offertory.dry_run', (made::integer + 1)::text, true);
    RETURN -(1024::bigint * (pg_backend_pid() % 2097152) + made::integer + 1);
  END $$;
  REVOKE EXECUTE ON FUNCTION next_id FROM PUBLIC;
`;

/** As in 0016, but for the id. */
function openBundle(columns: string, id: string): string {
  return `
    CREATE OR REPLACE FUNCTION open_bundle(of_type integer, of_user integer, on_day date) RETURNS integer
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      found_id integer;
    BEGIN
      LOOP
        SELECT id INTO found_id FROM bundle
        WHERE bundle_type_id = of_type AND user_id = of_user AND day = on_day AND status = 1 FOR SHARE;
        EXIT WHEN FOUND;
        INSERT INTO bundle ${columns} VALUES (${id}of_type, of_user, on_day)
        ON CONFLICT (bundle_type_id, user_id, day) WHERE status = 1 DO NOTHING
        RETURNING id INTO found_id;
        EXIT WHEN FOUND;
      END LOOP;
      RETURN found_id;
    END $$;
  `;
}

const SEQUENCE_USE = `
  -- How far each sequence of ours and of the queue is used up. With the owner's rights, since the service's role may not
  -- look at sequences.
  CREATE FUNCTION sequence_use() RETURNS TABLE (sequence text, used bigint, available bigint) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT name, current, highest FROM public.books_sequences()
    UNION ALL
    SELECT 'pgboss.' || relname, COALESCE(pg_sequence_last_value(c.oid), 0), seqmax
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE nspname = 'pgboss' AND seqincrement > 0 AND NOT seqcycle
    ORDER BY 1
  $$;
`;
