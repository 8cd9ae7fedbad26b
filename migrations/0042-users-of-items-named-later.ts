import type { MigrationInterface } from 'typeorm';

/**
 * The service may store later whose gift an item of a deposit is. The right is declared with the table. An older program knows from
 * this migration that its own list of rights is outdated.
 */
export class UsersOfItemsNamedLater0042 implements MigrationInterface {
  readonly name = 'UsersOfItemsNamedLater1764288000042';

  up(): Promise<void> {
    return Promise.resolve();
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
