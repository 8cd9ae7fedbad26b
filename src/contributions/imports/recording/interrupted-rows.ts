import { ImportError } from '../import-error.js';
import type { RowResult } from '../results/result-file.js';

/** The import cannot go on, but some of the rows that it was recording have their results. */
export class InterruptedRowsError extends ImportError {
  constructor(
    readonly results: readonly RowResult[],
    override readonly cause: ImportError,
  ) {
    super(cause.message, { cause });
  }
}

/** Adds the results of rows to the error that stops the import. Any other error is returned unchanged. */
export function withResults(error: unknown, results: readonly RowResult[]): unknown {
  if (!(error instanceof ImportError)) return error;
  return results.length === 0 ? error : new InterruptedRowsError(results, error);
}

/** The results of rows that were recorded before an error. */
export function resultsIn(error: unknown): readonly RowResult[] {
  return error instanceof InterruptedRowsError ? error.results : [];
}
