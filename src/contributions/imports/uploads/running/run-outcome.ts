import type { ImportCounts } from '../../results/import-audit.js';
import type { RowResult } from '../../results/result-file.js';

/** The first rows of a file that are shown. */
export const FIRST_ROWS = 20;
/** The most refused rows that are shown. The result file has all. */
export const MAX_REFUSED = 200;

/** The outcome of a dry run, or of an import that was done. */
export interface RunOutcome extends ImportCounts {
  /** The sum of the gifts that were recorded, or would be: decimal text in the church's currency. */
  readonly total: string;
  /** How many persons were created, or would be. */
  readonly newPeople: number;
  /** How many gifts are listed for review, or would be. */
  readonly toReview: number;
  /** How many persons the result names, and the ids of the first ones. */
  readonly people: number;
  readonly peopleIds: readonly number[];
}

/** A row as it would be recorded, for people. All texts are as the file has them, unless they could be read. */
export interface PreviewedRow {
  readonly row: number;
  readonly line: number;
  readonly giver: string;
  /** YYYY-MM-DD at the church, or the text of the file if it is no date. */
  readonly day: string;
  /** Decimal text, or the text of the file if it is no amount. */
  readonly amount: string;
  /** A name, or an id; empty for the default fund. */
  readonly fund: string;
  readonly method: string;
  readonly result: Pick<
    RowResult,
    'status' | 'contributionId' | 'peopleId' | 'newPerson' | 'review' | 'similarTo' | 'code' | 'error'
  >;
}
