/** The faults of a text that contains personal data or secrets, in words. `secrets` are passwords and the like. */
export function leaksOf(text: string, secrets?: readonly string[]): string[];
/** The faults of a line of a log, which must also be a whole entry. */
export function faultsOf(line: string, secrets?: readonly string[]): string[];
/** The fault of a warning or error that docs/operating.md does not explain. */
export function unexplained(line: string): string[];
/** Makes a directory for the logs and jobs of a run. */
export function makeLogDirectory(): string;
/** Checks everything in the directory and removes it. Throws an error with the first lines at fault. */
export function checkLogs(directory: string): void;
