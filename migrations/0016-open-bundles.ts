import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The bundle that a contribution goes into, found or made by the statement that writes the contribution: one statement,
 * after which nothing can be left to do, so that COMMIT can go along with it.
 */
export class OpenBundles0016 implements MigrationInterface {
  readonly name = 'OpenBundles1764288000016';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- The open bundle of a type, a user and a day in church time; made where there is none. Locked, so that it cannot
      -- be closed before the transaction ends: a close that is under way is waited for, and then another bundle is made.
      -- Of several transactions that make the same one, one does; the others wait for it and find it by their next look.
      CREATE FUNCTION open_bundle(of_type integer, of_user integer, on_day date) RETURNS integer
      LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        found_id integer;
      BEGIN
        LOOP
          SELECT id INTO found_id FROM bundle
          WHERE bundle_type_id = of_type AND user_id = of_user AND day = on_day AND status = 1 FOR SHARE;
          EXIT WHEN FOUND;
          INSERT INTO bundle (bundle_type_id, user_id, day) VALUES (of_type, of_user, on_day)
          ON CONFLICT (bundle_type_id, user_id, day) WHERE status = 1 DO NOTHING
          RETURNING id INTO found_id;
          EXIT WHEN FOUND;
        END LOOP;
        RETURN found_id;
      END $$;
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP FUNCTION open_bundle');
  }
}
