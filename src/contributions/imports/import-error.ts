import { ErrorInLines } from '../../command-line/index.js';

/** Why an import cannot be done, or not go on, for the person at the console: what is wrong and what to do. */
export class ImportError extends ErrorInLines {}

/** A name out of somebody's file, for a message: in quotes, and without what a terminal would obey. */
export function quoted(name: string): string {
  return `"${name.replace(/\p{Cc}/gu, '?')}"`;
}
