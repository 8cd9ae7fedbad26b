import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { processActor } from './audit/index.js';
import type { RunWith } from './command-line/index.js';
import { type Configuration, loadConfiguration, type Mode } from './config/index.js';
import { assertModeOf, migrateDatabase, migrationStatus, type DatabaseHandle } from './database/index.js';
import { defaultDataDir, openConfiguredDatabase } from './embedded-postgres/index.js';
import { ENTITIES } from './parts.js';

/** The actor of commands in the audit trail. */
export const OPERATOR = processActor('command line');

// A command prints only its result.
Logger.overrideLogger(false);

let loaded: Configuration | undefined;

/** The configuration of this process, read once. @throws InvalidConfigurationError */
export function configuration(): Configuration {
  return (loaded ??= loadConfiguration(defaultDataDir(process.cwd())));
}

/**
 * Opens the configured database while `work` runs. Prints warnings of the database, but not its other messages.
 * @throws OtherModeError if the database is not used in the configured mode.
 */
export async function withDatabase(
  work: (database: DatabaseHandle, configuration: Configuration) => Promise<void>,
): Promise<void> {
  const database = await openConfiguredDatabase(
    configuration().database,
    () => undefined,
    (message) => process.stderr.write(`${message}\n`),
  );
  try {
    await assertModeOf(database.ownerConnection, configuration().mode);
    await work(database, configuration());
  } finally {
    await database.close();
  }
}

/** @see RunWith */
export const runWith: RunWith = (service, work) =>
  withDatabase(async (database, configuration) => {
    await assertMigrated(database, configuration.mode);
    const module = AppModule.forRoot(configuration, database.connection, OPERATOR);
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    try {
      await work(app.get(service, { strict: false }));
    } finally {
      await app.close();
    }
  });

/** Migrates a new database. Never migrates a database in use, because a command must not change it as a side effect. */
async function assertMigrated({ connection, ownerConnection }: DatabaseHandle, mode: Mode): Promise<void> {
  const { applied, pending } = await migrationStatus(ownerConnection);
  if (applied.length === 0) {
    await migrateDatabase(ownerConnection, { actor: OPERATOR, mode, service: { connection, entities: ENTITIES } });
  } else if (pending.length > 0) {
    throw new Error(`The database lacks ${pending.length} migrations. Run first: offertory database migrate`);
  }
}
