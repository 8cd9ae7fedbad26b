import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';

/** The user has thought better of it. */
export class NotConfirmedError extends Error {
  constructor() {
    super('Nothing was done.');
  }
}

/** Adds `--yes` to a command that cannot be undone. */
export function withConfirmation(command: Command): Command {
  return command.option('--yes', 'do not ask first');
}

/**
 * Asks before something is done that cannot be undone, unless the command was given `--yes`. Only somebody at a keyboard
 * is asked: a script has decided already. @throws NotConfirmedError
 */
export async function confirm(command: Command, question: string): Promise<void> {
  const { yes } = command.opts<{ yes?: boolean }>();
  if (yes === true || !process.stdin.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new NotConfirmedError();
  } finally {
    terminal.close();
  }
}
