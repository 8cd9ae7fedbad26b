import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { processActor } from './audit/index.js';
import type { RunWith } from './command-line/index.js';
import { type Configuration, loadConfiguration } from './config/index.js';
import { migrateDatabase, migrationStatus, type OpenDatabase } from './database/index.js';
import { defaultDataDir, openDatabase } from './embedded-postgres/index.js';
import { ENTITIES } from './parts.js';

/** Who acts where a command does, for the audit trail. */
export const OPERATOR = processActor('command line');

// A command prints what it was asked for, and nothing else.
Logger.overrideLogger(false);

let loaded: Configuration | undefined;

/** The configuration of this process, read once. @throws VariableFault */
export function configuration(): Configuration {
  return (loaded ??= loadConfiguration(defaultDataDir(process.cwd())));
}

/** Opens the configured database for the time of `work`. What the database does on the way is not printed. */
export async function withDatabase(
  work: (database: OpenDatabase, configuration: Configuration) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(
    configuration().database,
    () => undefined,
    (message) => process.stderr.write(`${message}\n`),
  );
  try {
    await work(database, configuration());
  } finally {
    await database.close();
  }
}

/** @see RunWith */
export const runWith: RunWith = (service, work) =>
  withDatabase(async (database, configuration) => {
    await assertMigrated(database);
    const module = AppModule.forRoot(configuration, database.connection, OPERATOR);
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    try {
      await work(app.get(service, { strict: false }));
    } finally {
      await app.close();
    }
  });

/** A new database is prepared on the way; one that is in use is never changed by the way. */
async function assertMigrated({ connection, ownerConnection }: OpenDatabase): Promise<void> {
  const { applied, pending } = await migrationStatus(ownerConnection);
  if (applied.length === 0) {
    await migrateDatabase(ownerConnection, { actor: OPERATOR, service: { connection, entities: ENTITIES } });
  } else if (pending.length > 0) {
    throw new Error(`The database lacks ${pending.length} migrations. Run first: offertory database migrate`);
  }
}
