import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';

/** The user did not confirm. */
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
 * Asks for confirmation of a step that cannot be undone, unless the command has `--yes` or standard input is not a
 * terminal, as in a script. @throws NotConfirmedError
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
