import { Command } from 'commander';
import { print, Progress, withJson } from '../command-line/index.js';
import { databaseUrl, VariableFault } from '../config/index.js';
import type { WithDatabase } from '../database/index.js';
import { type Moved, moveDatabase } from './move-database.js';

/** `offertory database move`: from the embedded database, or any other one, to a PostgreSQL of the church's own. */
export function moveCommand(withDatabase: WithDatabase, actor: string): Command {
  return withJson(new Command('move'))
    .description('moves all books, users and notices that wait into an empty PostgreSQL; stop the service first')
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
Moves from the database of this configuration: the embedded one under DATA_DIR, or that of DATABASE_URL. It is left as
it is. Cut off midway, the new database is as empty as before: run it again.

A password on the command line can be seen by others on this machine; leave it out of the URL and set PGPASSWORD.

Example:
  PGPASSWORD=… offertory database move postgres://offertory@db.example.org/offertory
`;

function whatNext({ to, marker }: Moved): string {
  const old =
    marker === null
      ? 'The old database is as it was. Nothing keeps a service from being started on it: see that none is.'
      : `The old database is as it was; ${marker} keeps a service from being started on it by mistake.`;
  return `All is there, compared row by row. Now set DATABASE_URL to ${to}, with its password, and start the service.\n${old}`;
}

/**
 * After the move it is to stand as DATABASE_URL. Not commander's to refuse: it would repeat the URL, password and all.
 * @throws Error when it could not stand there.
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
