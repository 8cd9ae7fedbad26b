import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a gift may have come twice, as part of the statement that writes it: the rule needs a lock and then a look at
 * what was committed meanwhile, which by statements of the program would be two more of them for every gift.
 */
export class PossibleDuplicates0015 implements MigrationInterface {
  readonly name = 'PossibleDuplicates1764288000015';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- A gift that came from somewhere else as well, or from the same place within ten minutes without a key. Equal
      -- gifts of one person and day that arrive together would not see each other: the second waits here for the first
      -- to commit, and no other gift does. VOLATILE: only so does the second statement see what that has committed.
      CREATE FUNCTION possible_duplicate(gift contribution) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(
          hashtextextended(concat_ws(' ', 'equal gifts', gift.person_id, gift.amount, gift.day), 0));
        RETURN EXISTS (
          SELECT 1 FROM contribution other
          WHERE other.person_id = gift.person_id AND other.day = gift.day AND other.amount = gift.amount
            AND other.id <> gift.id AND other.status = 0
            AND (other.source IS DISTINCT FROM gift.source
              OR NOT gift.has_key AND other.created_at > now() - interval '10 minutes'));
      END $$;
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP FUNCTION possible_duplicate');
  }
}
