import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { InvalidRequestError } from '../../http/index.js';
import type { AddContributionRequest } from '../dto/add-contribution.request.js';
import { fieldsOfRow } from './columns.js';
import { csvRows } from './csv-rows.js';
import { type DerivedTransactionIds, idPrefix, PREFIX_LENGTH } from './derived-transaction-ids.js';
import { ImportError } from './import-error.js';
import type { Patience } from './patience.js';
import { ReadRow } from './read-row.js';
import { type BookedRow, RowNumbering } from './row-numbering.js';
import type { Survey } from './survey.js';

type WithoutId = readonly [row: number, request: AddContributionRequest];

/** Rows of which the books are asked at once. */
const ROWS_AT_ONCE = 500;

/** The digits are checked since a sender may make up ids of its own that begin alike. */
const SELECT_BOOKED = `
  SELECT transaction_id AS "transactionId", request_digest, request_version FROM contribution
  WHERE created_by = $1 AND transaction_id LIKE 'row-%' AND left(transaction_id, ${PREFIX_LENGTH}) = ANY ($2)
    AND substr(transaction_id, ${PREFIX_LENGTH + 1}) ~ '^[1-9][0-9]{0,8}$'`;

/** Reads the whole file before any of it is booked, and gives an id to each row that brings none. */
@Injectable()
export class NumberRows {
  constructor(
    private readonly readRow: ReadRow,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @param userId whose gifts these are.
   * @throws ImportError when the database is given up, or it was told to stop.
   */
  async run(file: Survey, userId: number, patience: Patience, signal: AbortSignal): Promise<DerivedTransactionIds> {
    const numbering = new RowNumbering(file.rows);
    const rows: WithoutId[] = [];
    const number = async (): Promise<void> => {
      await this.learn(numbering, userId, rows, patience);
      for (const [row, request] of rows.splice(0)) numbering.number(row, request);
    };
    let row = -1;
    for await (const { cells } of csvRows(file.path, file.delimiter)) {
      row++;
      // The columns' names.
      if (row === 0) continue;
      if (signal.aborted) throw new ImportError('it was told to stop');
      const request = this.withoutId(file, cells);
      if (request !== undefined) rows.push([row, request]);
      if (rows.length === ROWS_AT_ONCE) await number();
    }
    await number();
    return numbering.finish();
  }

  private withoutId({ columns }: Survey, cells: readonly string[]): AddContributionRequest | undefined {
    // Not read for nothing: most files have ids.
    if ('TransactionId' in fieldsOfRow(columns, cells)) return undefined;
    try {
      return this.readRow.read(columns, cells);
    } catch (error) {
      // It is refused when its turn comes.
      if (error instanceof InvalidRequestError) return undefined;
      throw error;
    }
  }

  private async learn(
    numbering: RowNumbering,
    userId: number,
    rows: readonly WithoutId[],
    patience: Patience,
  ): Promise<void> {
    const prefixes = [...new Set(rows.map(([, request]) => idPrefix(request)))];
    const unknown = prefixes.filter((prefix) => !numbering.knows(prefix));
    if (unknown.length === 0) return;
    const booked = await patience.bear(() => this.transactions.query<BookedRow>(SELECT_BOOKED, [userId, unknown]));
    numbering.learn(unknown, booked);
  }
}
