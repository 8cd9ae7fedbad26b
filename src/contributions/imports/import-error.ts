import { ErrorInLines } from '../../command-line/index.js';

/** An import cannot begin or continue. The message tells the user what is wrong and what to do. */
export class ImportError extends ErrorInLines {}

/** A name from the user's file for a message: in quotes, and without control characters, which a terminal would obey. */
export function quoted(name: string): string {
  return `"${name.replace(/\p{Cc}/gu, '?')}"`;
}
