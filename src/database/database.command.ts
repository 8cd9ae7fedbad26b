import { Command } from 'commander';
import { idArgument, print, withJson } from '../command-line/index.js';
import { beginBooksEpoch } from './epochs/begin-books-epoch.js';
import { migrateDatabase, migrationStatus } from './migrating/migrate.js';
import type { Entity } from './migrating/service-rights.js';
import type { WithDatabase } from './database-handle.js';

/**
 * `offertory database …`: the schema, and moving to another database. The commands run without the application's
 * modules, which need a migrated database.
 * @param actor for the audit trail
 * @param entities all entities, for the rights of the service's role
 */
export function databaseCommand(withDatabase: WithDatabase, actor: string, entities: readonly Entity[]): Command {
  return new Command('database')
    .description('manages the database: its schema, and moving to another one')
    .addCommand(
      withJson(new Command('migrate'))
        .description("updates the schema and the rights of the service's role; safe while a service is running")
        .action((_options: object, command: Command) =>
          withDatabase(async ({ connection, ownerConnection }, { mode }) => {
            print(command, await migrateDatabase(ownerConnection, { actor, mode, service: { connection, entities } }));
          }),
        ),
    )
    .addCommand(
      withJson(new Command('status'))
        .description('shows which migrations were applied and which are pending')
        .action((_options: object, command: Command) =>
          withDatabase(async ({ ownerConnection }) => {
            print(command, await migrationStatus(ownerConnection));
          }),
        ),
    )
    .addCommand(restoredCommand(withDatabase, actor));
}

/** `offertory database restored`: for a restore that the database cannot detect by itself. */
function restoredCommand(withDatabase: WithDatabase, actor: string): Command {
  return withJson(new Command('restored'))
    .description('begins a new epoch after a restore, so that no id is used twice; run it before the service starts')
    .option('--ids-above <id>', 'the highest id of a contribution before the restore, if it is known', idArgument)
    .addHelpText('after', RESTORED_HELP)
    .action(async ({ idsAbove }: { idsAbove?: number }, command: Command) =>
      withDatabase(async ({ ownerConnection }) => {
        const { pending } = await migrationStatus(ownerConnection);
        if (pending.length > 0) {
          throw new Error(`The database lacks ${pending.length} migrations. Run first: offertory database migrate`);
        }
        print(command, await beginBooksEpoch(ownerConnection, idsAbove, actor));
      }),
    );
}

const RESTORED_HELP = `
The service detects a restore into another database, a standby that takes over and a recovery to a point in time by
itself. This command is needed after a snapshot of a disk or of a virtual machine was restored. It never does harm.

Ids continue after a gap of at least 100,000, and lists refuse positions from after the restored state. Readers at an
earlier position can continue.
`;
