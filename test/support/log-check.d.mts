/** What this text tells and must not, in words. `secrets` are passwords and the like, which have no shape. */
export function leaksOf(text: string, secrets?: readonly string[]): string[];
/** The same of a line of a log, which must also be an entry by itself. */
export function faultsOf(line: string, secrets?: readonly string[]): string[];
/** Of an entry that somebody should act on: whether docs/operating.md says how. */
export function unexplained(line: string): string[];
/** A directory for what the services of a run leave behind. */
export function makeLogDirectory(): string;
/** Checks all that was kept, and clears it away. Throws an error with the first lines that tell what they must not. */
export function checkLogs(directory: string): void;
