import { userInfo } from 'node:os';

/** The name that some tables contain for actions without an API user. No user may have this name. */
export const COMMAND_LINE = 'command line';

/** Injection token of the {@link processActor}. */
export const PROCESS_ACTOR = Symbol('ProcessActor');

/**
 * The actor of actions without an API user: the program and the operating system's account that runs it, such as
 * "command line: root". It contains a colon, so no user can have this name.
 */
export function processActor(program: 'command line' | 'service'): string {
  return `${program}: ${account()}`;
}

/** Whether a {@link processActor} is a command. */
export function isAtCommandLine(actor: string): boolean {
  return actor.startsWith('command line: ');
}

function account(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
