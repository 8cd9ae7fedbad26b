import { type FileHandle, open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { partial } from '../../../command-line/index.js';
import { renameDurably } from '../../../durable-files/index.js';
import { ImportError, quoted } from '../import-error.js';
import type { ReviewReason } from '../../reviews/index.js';
import { SPREADSHEET_CSV } from '../../../values/index.js';

/** What became of a row. */
export interface RowResult {
  /** From 1, without the line that names the columns. */
  readonly row: number;
  readonly line: number;
  readonly transactionId: string | null;
  readonly status: 'recorded' | 'already recorded' | 'already recorded (reversed)' | 'would be recorded' | 'refused';
  readonly contributionId: number | null;
  readonly peopleId: number | null;
  readonly newPerson: boolean | null;
  readonly multipleMatches: boolean | null;
  /** Why the gift is listed for review, or would be. */
  readonly review: readonly ReviewReason[];
  /** The recorded gift from which the row differs in its contacts alone. */
  readonly similarTo: number | null;
  /** The code and the detail that the API would have answered. */
  readonly code: string | null;
  readonly error: string | null;
}

/** The names of the columns. */
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
 * Says in a CSV file what became of each row. It bears its name only once it is whole: until then `.partial` is added,
 * and an earlier result stays as it is.
 */
export class ResultFile {
  private waiting = '';

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** @throws ImportError when it cannot be written. */
  static async create(path: string): Promise<ResultFile> {
    const file = await open(partial(path), 'w').catch((error: unknown) => {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw new ImportError(
        `The result file ${quoted(partial(path))} cannot be written: ${code}. Choose it by --result.`,
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

  /** All rows are told. */
  async finish(): Promise<void> {
    await this.flush();
    await this.file.sync();
    await this.file.close();
    await renameDurably(partial(this.path), this.path);
  }

  /** No more rows will be told. @returns where those are that were. */
  async abandon(): Promise<string> {
    // Where it cannot be written, that is why it is abandoned.
    await this.flush().catch(() => undefined);
    await this.file.close();
    return partial(this.path);
  }

  private async flush(): Promise<void> {
    await this.file.appendFile(this.waiting);
    this.waiting = '';
  }
}

/** A line of the file. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return stringify([[...cells]], SPREADSHEET_CSV);
}
