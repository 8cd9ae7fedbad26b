import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds equal gifts by their person, however many gifts a day has. */
export class EqualGiftsByPerson0033 implements MigrationInterface {
  readonly name = 'EqualGiftsByPerson1764288000033';

  async up(database: QueryRunner): Promise<void> {
    await database.query(equalGifts('other.day + 0 = gift.day'));
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(equalGifts('other.day = gift.day'));
  }
}

/**
 * As in 0029. "+ 0" keeps the planner from using the index on days: its statistics do not know how many gifts today has, so
 * each gift of a busy day would read all earlier ones. The index on persons has the amount as well.
 */
function equalGifts(sameDay: string): string {
  return `
  CREATE OR REPLACE FUNCTION equal_gifts(gift contribution) RETURNS integer[] LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(
      hashtextextended(concat_ws(' ', 'equal gifts', gift.person_id, gift.amount, gift.day), 0));
    RETURN ARRAY(
      SELECT other.id FROM contribution other
      WHERE other.person_id = gift.person_id AND ${sameDay} AND other.amount = gift.amount
        AND other.id <> gift.id AND other.status = 0
        AND other.payment_id <> gift.payment_id AND other.moves_id IS NULL
        AND (other.source IS DISTINCT FROM gift.source OR other.created_at > now() - interval '10 minutes')
      LIMIT 10);
  END $$;
  `;
}
