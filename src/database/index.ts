export { AuxiliaryQueries } from './auxiliary-queries.js';
export { type Connection, CONNECTION, openSession, servicePoolConfig } from './sessions/connection.js';
export { DatabaseTimeExceededError, NO_TIME_LIMIT } from './transactions/database-time.js';
export { dryRun } from './transactions/dry-run.js';
export { databaseCommand } from './database.command.js';
export { DATABASE_TIME, DatabaseClock } from './database-clock.js';
export { DatabaseModule } from './database.module.js';
export { DatabaseReadiness } from './database-readiness.js';
export { describeError, stackFrames } from './errors/describe-error.js';
export { type Entity, rightsByTable, ServiceRights, type TableRights } from './migrating/service-rights.js';
export { migrateDatabase, migrationStatus } from './migrating/migrate.js';
export type { DatabaseHandle, WithDatabase } from './database-handle.js';
export { DATABASE_ACTIONS, MEANING_OF_DATABASE_ACTIONS, recordDatabaseAction } from './record-database-action.js';
export { continueBooksEpoch } from './epochs/begin-books-epoch.js';
export { ensureBooksEpoch } from './epochs/ensure-books-epoch.js';
export { SessionNotKeptError } from './sessions/unsuitable-session.js';
export {
  arrayParameter,
  prepared,
  preparedWithNames,
  type PreparedStatement,
} from './transactions/prepared-statement.js';
export { SequenceUse } from './sequence-use.js';
export { isoInstant, sqlRow, sqlRows } from './transactions/sql.js';
export {
  driverError,
  INSUFFICIENT_PRIVILEGE,
  isDatabaseUnavailable,
  isLockTimeout,
  sqlState,
  untranslatableCharacter,
  violatesForeignKey,
  violatesNotNull,
  violatesUnique,
} from './errors/sqlstate.js';
export type { RowCount } from './transactions/row-count.js';
export { InTransactionOf, InTransactionOfWanted } from './transactions/in-transaction-of.js';
export { isWanted } from './transactions/wanted-events.js';
export { TransactionalEvents } from './transactions/transactional-events.js';
export { Transactions } from './transactions/transactions.js';
export { AfterTestReset } from './reset/after-test-reset.js';
export { resetTestDatabase } from './reset/reset-test-database.js';
export { assertModeOf } from './mode/database-mode.js';
export { DatabaseMode } from './mode/database-mode.entity.js';
export { BooksEpoch } from './epochs/books-epoch.entity.js';
