import type { FileHandle } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { partial } from '../../../command-line/index.js';
import { createFile, renameDurably } from '../../../durable-files/index.js';
import { ImportError, quoted } from '../import-error.js';
import type { ReviewReason } from '../../reviews/index.js';
import { SPREADSHEET_CSV } from '../../../values/index.js';

/** The result of a row. */
export interface RowResult {
  /** From 1, not counting the line with the names of the columns. */
  readonly row: number;
  readonly line: number;
  readonly transactionId: string | null;
  readonly status:
    | 'recorded'
    | 'already recorded'
    | 'already recorded (reversed)'
    | 'would be recorded'
    | 'recorded and reversed'
    | 'would be recorded and reversed'
    | 'reversed'
    | 'already reversed'
    | 'would be reversed'
    | 'left out'
    | 'refused';
  readonly contributionId: number | null;
  readonly peopleId: number | null;
  readonly newPerson: boolean | null;
  readonly multipleMatches: boolean | null;
  /** Why the gift is listed for review, or would be. */
  readonly review: readonly ReviewReason[];
  /** A recorded gift that differs from the row only in its contacts. */
  readonly similarTo: number | null;
  /** The `code` and the `detail` that the API would have answered. */
  readonly code: string | null;
  readonly error: string | null;
}

export const RESULT_COLUMNS = [
  'Row',
  'Line',
  'TransactionId',
  'Status',
  'ContributionId',
  'PeopleId',
  'NewPerson',
  'MultipleMatches',
  'Code',
  'Error',
  'Review',
  'SimilarTo',
];

const FLUSH_AT = 65_536;

/**
 * Writes the result of each row to a CSV file. It gets its name when it is complete. Until then its name ends in
 * `.partial`, and an earlier result is not replaced. Only this user may read it.
 */
export class ResultFile {
  private waiting = '';

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** @throws ImportError if the file cannot be written. */
  static async create(path: string): Promise<ResultFile> {
    const file = await createFile(partial(path)).catch((error: unknown) => {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw new ImportError(
        `The result file ${quoted(partial(path))} cannot be written: ${code}. Choose another one with --result.`,
      );
    });
    const result = new ResultFile(path, file);
    result.waiting = csvLine(RESULT_COLUMNS);
    return result;
  }

  async write(result: RowResult): Promise<void> {
    this.waiting += csvLine([
      result.row,
      result.line,
      result.transactionId,
      result.status,
      result.contributionId,
      result.peopleId,
      result.newPerson,
      result.multipleMatches,
      result.code,
      result.error,
      result.review.join(' '),
      result.similarTo,
    ]);
    if (this.waiting.length >= FLUSH_AT) await this.flush();
  }

  /** Completes the file after the last row. */
  async finish(): Promise<void> {
    await this.flush();
    await this.file.sync();
    await this.file.close();
    await renameDurably(partial(this.path), this.path);
  }

  /** Closes the incomplete file. @returns its path. */
  async abandon(): Promise<string> {
    // If the file cannot be written, this was already the reason for closing it.
    await this.flush().catch(() => undefined);
    await this.file.close();
    return partial(this.path);
  }

  private async flush(): Promise<void> {
    await this.file.appendFile(this.waiting);
    this.waiting = '';
  }
}

export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return stringify([[...cells]], SPREADSHEET_CSV);
}
