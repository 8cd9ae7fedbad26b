/**
 * A kind of failure that callers can meet. Each part declares its kinds beside the errors that have them; routes list them
 * as `failures`, from which the API document collects them. The contract's table "Errors" has one row for each.
 */
export interface ErrorKind {
  /** For programs; it never changes once it is released. */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** When it occurs, for the API document. Markdown. */
  readonly when: string;
  /** A `detail` that callers can get with it, for the API document. */
  readonly example: string;
}

/**
 * A failure that is part of the contract. The message is the `detail` that the caller reads. It says what happened and,
 * where the caller can do something, what to do. It never holds SQL, paths or another person's data.
 */
export abstract class ExpectedError extends Error {
  abstract readonly kind: ErrorKind;
  /** Headers that the answer needs besides the usual ones. */
  readonly headers: Readonly<Record<string, string>> = {};
}
