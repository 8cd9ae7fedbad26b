import { Command } from 'commander';
import type { RunWith } from '../../../command-line/index.js';
import { fillingCommands } from './filling-commands.js';
import { settlingCommands } from './settling-commands.js';
import { showingCommands } from './showing-commands.js';

/** `offertory deposit …`: what processors pay out, compared with the bank. */
export function depositCommand(run: RunWith): Command {
  const command = new Command('deposit').description(
    'deposits: what processors pay out, without fees and what was taken back',
  );
  for (const one of [...showingCommands(run), ...fillingCommands(run), ...settlingCommands(run)])
    command.addCommand(one);
  return command;
}
