import './assert-node-version.js';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { AppModule } from './app.module.js';
import { auditCommand, processActor } from './audit/index.js';
import { userCommand } from './auth/index.js';
import { ErrorInLines, isClosedPipe, outliveClosedPipes, type RunWith } from './command-line/index.js';
import { type Configuration, loadConfiguration, VERSION } from './config/index.js';
import {
  bundleCommand,
  contributionCommand,
  fundCommand,
  importCommand,
  reviewCommand,
} from './contributions/index.js';
import { doctorCommand } from './doctor/index.js';
import { notificationCommand } from './notifications/index.js';
import { contactCommand, personCommand } from './people/index.js';
import {
  databaseCommand,
  defaultDataDir,
  migrateDatabase,
  migrationStatus,
  openDatabase,
  type OpenDatabase,
} from './database/index.js';

/** Who does what is asked here, for the audit trail. */
const OPERATOR = processActor('command line');

let loaded: Configuration | undefined;
const configured = (): Configuration => (loaded ??= loadConfiguration(defaultDataDir(process.cwd())));

const withDatabase = async (
  work: (database: OpenDatabase, configuration: Configuration) => Promise<void>,
): Promise<void> => {
  const configuration = configured();
  // What the database does on the way is not what was asked.
  const database = await openDatabase(
    configuration.database,
    () => undefined,
    (message) => process.stderr.write(`${message}\n`),
  );
  try {
    await work(database, configuration);
  } finally {
    await database.close();
  }
};

const run: RunWith = (service, work) =>
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
  if (applied.length === 0) await migrateDatabase(ownerConnection, OPERATOR, connection);
  else if (pending.length > 0) {
    throw new Error(`The database lacks ${pending.length} migrations. Run first: offertory database migrate`);
  }
}

Logger.overrideLogger(false);
outliveClosedPipes();
const program = new Command('offertory')
  .description('Offertory: the gift intake of a church-management database')
  .version(VERSION, '--version', 'prints the version')
  .showHelpAfterError('Add --help for help.')
  .addCommand(userCommand(run))
  .addCommand(personCommand(run))
  .addCommand(contactCommand(run))
  .addCommand(contributionCommand(run))
  .addCommand(fundCommand(run))
  .addCommand(bundleCommand(run))
  .addCommand(reviewCommand(run))
  .addCommand(importCommand(run, () => configured().church))
  .addCommand(notificationCommand(run))
  .addCommand(auditCommand(run))
  .addCommand(databaseCommand(withDatabase, OPERATOR))
  .addCommand(doctorCommand(run));

try {
  await program.parseAsync();
} catch (error) {
  if (!isClosedPipe(error)) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`error: ${error instanceof ErrorInLines ? message : message.replace(/\s*\n\s*/g, ' ')}\n`);
    process.exitCode = 1;
  }
}
