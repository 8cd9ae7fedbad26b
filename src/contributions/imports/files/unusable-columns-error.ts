import { ImportError } from '../import-error.js';

/** A column that can change the meaning of a row, and that the mapping does not mention. */
export interface UndecidedColumn {
  readonly name: string;
  /** What the column can mean: a sentence whose subject is its name. */
  readonly why: string;
  /** Lines for the mapping. Each of them decides about the column. */
  readonly lines: readonly string[];
}

/** What is wrong with the columns of a file. */
export interface ColumnFaults {
  /** Fields that no column has. */
  readonly missing: readonly string[];
  /** Everything else that cannot be used, in words. */
  readonly faults: readonly string[];
  readonly undecided: readonly UndecidedColumn[];
}

/** The columns of a file cannot be used, or the mapping must decide about some. The message is for the command line. */
export class UnusableColumnsError extends ImportError {
  constructor(
    message: string,
    readonly columns: ColumnFaults,
  ) {
    super(message);
  }
}
