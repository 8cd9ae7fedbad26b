import { Command } from 'commander';
import { print, withJson } from '../command-line/index.js';
import { migrateDatabase, migrationStatus } from './migrate.js';
import { moveCommand, type WithDatabase } from './moving/move.command.js';

/**
 * `offertory database …`: the schema, and where it all is. These need no modules, and run where those could not.
 * @param actor who does it, for the audit trail
 */
export function databaseCommand(withDatabase: WithDatabase, actor: string): Command {
  return new Command('database')
    .description('the database: its schema, and moving to another one')
    .addCommand(
      withJson(new Command('migrate'))
        .description(
          "brings the schema up to date, and the rights of the service's role; safe beside a running service",
        )
        .action((_options: object, command: Command) =>
          withDatabase(async ({ connection, ownerConnection }) => {
            print(command, await migrateDatabase(ownerConnection, actor, connection));
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
    .addCommand(moveCommand(withDatabase, actor));
}
