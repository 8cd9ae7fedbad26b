import { Command } from 'commander';
import { confirm, print, withConfirmation, withJson } from '../command-line/index.js';
import { type Entity, resetTestDatabase, type WithDatabase } from '../database/index.js';

/**
 * `offertory test …`: the test system. The command runs without the application's modules.
 * @param actor for the audit trail
 * @param entities all entities, each of which says what a reset does with its rows
 */
export function testCommand(withDatabase: WithDatabase, actor: string, entities: readonly Entity[]): Command {
  return new Command('test')
    .description('manages a test system, on which developers of donation processors try their programs out')
    .addCommand(
      withConfirmation(withJson(new Command('reset')))
        .description('deletes all gifts and people of the test system; safe while its service is running')
        .addHelpText('after', HELP)
        .action((_options: object, command: Command) =>
          withDatabase(async ({ ownerConnection }, { mode }) => {
            // Elsewhere it is refused without a question.
            if (mode === 'test') await confirm(command, 'Delete all gifts and people of this test system?');
            const report = (what: string): void => void process.stderr.write(`${what} …\n`);
            print(command, await resetTestDatabase(ownerConnection, { actor, mode, entities, report }));
          }),
        ),
    );
}

const HELP = `
Deletes gifts, people, payments, bundles, deposits, reviews, imports, notices, deliveries of webhooks and stored answers
to an Idempotency-Key. Keeps users, tokens, sessions, funds, webhook endpoints and the audit trail, which gets an entry.
Ids continue, so that none is given out twice. Lists refuse positions from before.

Only a test system can be reset: OFFERTORY_MODE must be test, and the database must be recorded as that of a test system.
It needs the owner of the tables: MIGRATION_DATABASE_URL, if that is set apart from DATABASE_URL.
`;
