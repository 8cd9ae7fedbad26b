import './assert-node-version.js';
import { Command } from 'commander';
import { ErrorInLines, isClosedPipe, outliveClosedPipes } from './command-line/index.js';
import { COMMANDS } from './commands.js';
import { VERSION } from './version.js';

/** Loads the command that is used, or all commands for the help and for an unknown command. */
function loadCommands(): Promise<Command[]> {
  const [name = ''] = process.argv.slice(2);
  if (name === '--version') return Promise.resolve([]);
  const used = COMMANDS.get(name);
  const loaders = used === undefined ? [...COMMANDS.values()] : [used];
  return Promise.all(loaders.map((load) => load()));
}

/** Runs the command of this process. What it throws becomes a line on stderr and the exit code 1. */
async function runCommand(): Promise<void> {
  outliveClosedPipes();
  const program = new Command('offertory')
    .description('Offertory: the gift intake of a church-management database')
    .version(VERSION, '--version', 'prints the version')
    .showHelpAfterError('Add --help for help.');
  try {
    for (const command of await loadCommands()) program.addCommand(command);
    await program.parseAsync();
  } catch (error) {
    if (isClosedPipe(error)) return;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`error: ${error instanceof ErrorInLines ? message : message.replace(/\s*\n\s*/g, ' ')}\n`);
    process.exitCode = 1;
  }
}

let isDone = false;
// Node exits with 0 when nothing is left to wait for, even if a promise of the command never settles.
process.once('beforeExit', () => {
  if (isDone) return;
  process.stderr.write('error: the command stopped before it was done. Please report this.\n');
  process.exitCode = 13;
});
// Not awaited: the bundle is a script, which has no top-level await (ADR 39).
void runCommand().finally(() => (isDone = true));
