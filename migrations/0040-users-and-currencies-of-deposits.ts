import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An item of a deposit names the user who must have sent its gift (ADR 57). Items without a user are
 * those that Finance has added. A gift of any user can be such an item, also in the deposit of a processor. A payout with gifts in
 * two currencies has a deposit for each.
 */
export class UsersAndCurrenciesOfDeposits0040 implements MigrationInterface {
  readonly name = 'UsersAndCurrenciesOfDeposits1764288000040';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      ALTER TABLE deposit_item ADD COLUMN user_id integer;
      -- No sum changes, and items of reconciled deposits get the column, too.
      ALTER TABLE deposit_item DISABLE TRIGGER deposit_item_changed;
      UPDATE deposit_item i SET user_id = u.id
      FROM deposit d JOIN app_user u ON u.id = d.user_id
      WHERE d.id = i.deposit_id AND i.added_by = u.username;
      ALTER TABLE deposit_item ENABLE TRIGGER deposit_item_changed;
      ALTER TABLE deposit_item ADD CONSTRAINT deposit_item_user_fkey FOREIGN KEY (user_id) REFERENCES app_user (id);
      ALTER TABLE deposit DROP CONSTRAINT deposit_once,
        ADD CONSTRAINT deposit_once UNIQUE NULLS NOT DISTINCT (user_id, source, deposit_id, currency);
    `);
  }

  /** Fails, and changes nothing, if there are deposits with one name in two currencies. */
  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      ALTER TABLE deposit DROP CONSTRAINT deposit_once,
        ADD CONSTRAINT deposit_once UNIQUE NULLS NOT DISTINCT (user_id, source, deposit_id);
      ALTER TABLE deposit_item DROP COLUMN user_id;
    `);
  }
}
