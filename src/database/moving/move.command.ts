import { Command, InvalidArgumentError } from 'commander';
import { print, Progress, withJson } from '../../command-line/index.js';
import type { DatabaseSettings } from '../../config/index.js';
import type { OpenDatabase } from '../open-database.js';
import { type Moved, moveDatabase } from './move-database.js';

/** Opens the database of the configuration for the time of one command, and hands over where it is kept. */
export type WithDatabase = (
  work: (opened: OpenDatabase, configuration: { readonly database: DatabaseSettings }) => Promise<void>,
) => Promise<void>;

/** `offertory database move`: from the embedded database, or any other one, to a PostgreSQL of the church's own. */
export function moveCommand(withDatabase: WithDatabase, actor: string): Command {
  return withJson(new Command('move'))
    .description('moves all books, users and notices that wait into an empty PostgreSQL; stop the service first')
    .argument('<url>', 'the new database: postgres://user:password@host:5432/database', postgresUrl)
    .addHelpText('after', HELP)
    .action((targetUrl: string, _options: object, command: Command) =>
      withDatabase(async ({ ownerConnection: source }, { database }) => {
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
      }),
    );
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

function postgresUrl(text: string): string {
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('It must be a URL such as postgres://user:password@host:5432/database.');
}
