export { type Connection, CONNECTION, servicePoolConfig } from './connection.js';
export { UNHURRIED } from './database-time.js';
export { dryRun } from './dry-run.js';
export { databaseCommand } from './database.command.js';
export { DATABASE_TIME, DatabaseClock } from './database-clock.js';
export { DatabaseModule } from './database.module.js';
export { defaultDataDir } from './embedded/index.js';
export { DatabaseReadiness } from './database-readiness.js';
export { describeError, stackFrames } from './describe-error.js';
export { migrateDatabase, migrationStatus } from './migrate.js';
export { openDatabase, type OpenDatabase } from './open-database.js';
export { prepared } from './prepared-statement.js';
export { SequenceUse } from './sequence-use.js';
export { lastSqlRows, sqlRow, sqlRows } from './sql.js';
export {
  isDatabaseUnavailable,
  isLockTimeout,
  untranslatableCharacter,
  violatesForeignKey,
  violatesNotNull,
  violatesUnique,
} from './sqlstate.js';
export { IN_TRANSACTION, TransactionalEvents } from './transactional-events.js';
export { Transactions } from './transactions.js';
