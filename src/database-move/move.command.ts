import { Command } from 'commander';
import { print, Progress, withJson } from '../command-line/index.js';
import { databaseUrl, VariableFault } from '../config/index.js';
import type { WithDatabase } from '../database/index.js';
import { type Moved, moveDatabase } from './move-database.js';

/** `offertory database move`: moves from the embedded or any other database to another PostgreSQL. */
export function moveCommand(withDatabase: WithDatabase, actor: string): Command {
  return withJson(new Command('move'))
    .description('moves all books, users and waiting notices to an empty PostgreSQL; stop the service first')
    .argument('<url>', 'the new database: postgres://user:password@host:5432/database')
    .addHelpText('after', HELP)
    .action(async (url: string, _options: object, command: Command) => {
      const targetUrl = newDatabaseUrl(url);
      await withDatabase(async ({ ownerConnection: source }, { database }) => {
        const dataDir = database.url === undefined ? database.dataDir : undefined;
        let progress: Progress | undefined;
        try {
          const moved = await moveDatabase({ source, targetUrl, dataDir, actor }, (copied, total, table) => {
            progress ??= new Progress(process.stderr, total);
            progress.reach(copied, table);
          });
          progress?.end();
          print(command, moved);
          process.stderr.write(`\n${whatNext(moved)}\n`);
        } catch (error) {
          progress?.end();
          throw error;
        }
      });
    });
}

const HELP = `
Moves from the database of this configuration: the embedded one under DATA_DIR, or that of DATABASE_URL. The old database
does not change. After an interruption the new database is as empty as before, and you can run the command again.

Other users of this machine can see a password on the command line. Leave it out of the URL and set PGPASSWORD.

Example:
  PGPASSWORD=… offertory database move postgres://offertory@db.example.org/offertory
`;

function whatNext({ to, marker }: Moved): string {
  const old =
    marker === null
      ? 'The old database is unchanged. Nothing prevents a service from starting on it: make sure that none does.'
      : `The old database is unchanged. ${marker} prevents a service from starting on it by mistake.`;
  return `Everything was moved, and compared row by row. Now set DATABASE_URL to ${to}, with its password, and start the service.\n${old}`;
}

/**
 * Checks the URL, which becomes DATABASE_URL after the move. Not an argument parser of commander, whose message would
 * repeat the URL with its password. @throws Error when the URL is not valid for DATABASE_URL.
 */
function newDatabaseUrl(text: string): string {
  try {
    return databaseUrl(text.trim());
  } catch (error) {
    if (error instanceof VariableFault)
      throw new Error(`The URL of the new database ${error.message}.`, { cause: error });
    throw error;
  }
}
