import type { QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { ChatMessages9000 } from './chat-messages.migration.js';

export type { TestDatabase };

/** A database with the table of this example. Its migration is not part of the product. */
export async function createExampleDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await new ChatMessages9000().up(database as unknown as QueryRunner);
  return database;
}
