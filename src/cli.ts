import './assert-node-version.js';
import { Command } from 'commander';
import { ErrorInLines, isClosedPipe, outliveClosedPipes, type RunWith } from './command-line/index.js';
import { VERSION } from './version.js';

/**
 * The commands, each in the module that it serves. Loading all modules takes longer than most commands, so each is loaded
 * when it is used.
 */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map(
  Object.entries({
    user: async () => (await import('./auth/index.js')).userCommand(await run()),
    person: async () => (await import('./people/index.js')).personCommand(await run()),
    contact: async () => (await import('./people/index.js')).contactCommand(await run()),
    contribution: async () => (await import('./contributions/index.js')).contributionCommand(await run()),
    fund: async () => (await import('./contributions/index.js')).fundCommand(await run()),
    bundle: async () => (await import('./contributions/index.js')).bundleCommand(await run()),
    review: async () => (await import('./contributions/index.js')).reviewCommand(await run()),
    import: async () => {
      const { configuration, runWith } = await import('./run-command.js');
      return (await import('./contributions/index.js')).importCommand(runWith, () => configuration().church);
    },
    notification: async () => (await import('./notifications/index.js')).notificationCommand(await run()),
    audit: async () => {
      const { AUDIT_ACTIONS } = await import('./parts.js');
      return (await import('./audit/index.js')).auditCommand(await run(), AUDIT_ACTIONS);
    },
    database: async () => {
      const { OPERATOR, withDatabase } = await import('./run-command.js');
      const { databaseCommand } = await import('./database/index.js');
      const { moveCommand } = await import('./database-move/index.js');
      const { ENTITIES } = await import('./parts.js');
      return databaseCommand(withDatabase, OPERATOR, ENTITIES).addCommand(moveCommand(withDatabase, OPERATOR));
    },
    doctor: async () => (await import('./doctor/index.js')).doctorCommand(await run()),
  }),
);

async function run(): Promise<RunWith> {
  return (await import('./run-command.js')).runWith;
}

/** The command that is used; all of them for the help, and where there is no such command. */
function loadCommands(): Promise<Command[]> {
  const [name = ''] = process.argv.slice(2);
  if (name === '--version') return Promise.resolve([]);
  const used = COMMANDS.get(name);
  const loaders = used === undefined ? [...COMMANDS.values()] : [used];
  return Promise.all(loaders.map((load) => load()));
}

outliveClosedPipes();
const program = new Command('offertory')
  .description('Offertory: the gift intake of a church-management database')
  .version(VERSION, '--version', 'prints the version')
  .showHelpAfterError('Add --help for help.');

try {
  for (const command of await loadCommands()) program.addCommand(command);
  await program.parseAsync();
} catch (error) {
  if (!isClosedPipe(error)) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`error: ${error instanceof ErrorInLines ? message : message.replace(/\s*\n\s*/g, ' ')}\n`);
    process.exitCode = 1;
  }
}
