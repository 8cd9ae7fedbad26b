import { userInfo } from 'node:os';

/** Who did it, as some tables keep it where nobody logged in; no user may be called so. */
export const AT_THE_CONSOLE = 'command line';

/** Injection token of the {@link processActor}. */
export const PROCESS_ACTOR = Symbol('ProcessActor');

/**
 * Who acts where no API user does: the program and the account of the machine under which it runs, "command line: root".
 * With a colon, which no user's name has.
 */
export function processActor(program: 'command line' | 'service'): string {
  return `${program}: ${account()}`;
}

function account(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that nobody has a name for.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
