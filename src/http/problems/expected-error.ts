/**
 * A kind of failure that callers can get. Each part declares its kinds beside its errors. Routes list them as
 * `failures`, and the API document collects them from there. The contract's table "Errors" has one row for each kind.
 */
export interface ErrorKind {
  /** For programs; never changes after its release. */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** When it occurs; Markdown for the API document. */
  readonly when: string;
  /** An example of its `detail` for the API document. */
  readonly example: string;
}

/**
 * A failure that is part of the contract. The message is the `detail` of the answer. It says what happened and, if the
 * caller can do something, what to do. It never contains SQL, paths or another person's data.
 */
export abstract class ExpectedError extends Error {
  abstract readonly kind: ErrorKind;
  /** Headers that the answer needs besides the usual ones. */
  readonly headers: Readonly<Record<string, string>> = {};
  /** What the caller should look at before it tries again: `current` of the answer. */
  readonly current: object | undefined = undefined;
}
