import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../../http/index.js';
import { fieldsOfRow } from '../files/columns.js';
import { csvRows } from '../files/csv-rows.js';
import type { DerivedTransactionIds } from './derived-transaction-ids.js';
import { ImportError } from '../import-error.js';
import type { Patience } from '../patience.js';
import { ReadRow } from '../files/read-row.js';
import { RecordedRows } from './recorded-rows.js';
import { RowIdentities } from './row-identity.js';
import { RowNumbering } from './row-numbering.js';
import type { Survey } from '../files/survey.js';
import type { AddContributionRequest } from '../../gifts/index.js';

interface WithoutId {
  readonly row: number;
  readonly request: AddContributionRequest;
  /** As earlier imports may have read it. */
  readonly others: readonly AddContributionRequest[];
}

/** Rows whose recorded gifts are looked up at once. */
const ROWS_AT_ONCE = 500;

/** Reads the whole file before any of it is recorded, and finds out which gift each row is that has no id. */
@Injectable()
export class NumberRows {
  constructor(
    private readonly readRow: ReadRow,
    private readonly recordedRows: RecordedRows,
    private readonly identities: RowIdentities,
  ) {}

  /**
   * @param userId whose gifts these are.
   * @throws ImportError when the database stays away, or it was told to stop.
   */
  async number(file: Survey, userId: number, patience: Patience, signal: AbortSignal): Promise<DerivedTransactionIds> {
    const numbering = new RowNumbering(this.identities, file.rows);
    const rows: WithoutId[] = [];
    const number = async (): Promise<void> => {
      await this.learn(numbering, userId, rows, patience);
      for (const { row, request } of rows.splice(0)) numbering.number(row, request);
    };
    let row = -1;
    for await (const { cells } of csvRows(file.path, file.delimiter)) {
      row++;
      // The names of the columns.
      if (row === 0) continue;
      if (signal.aborted) throw new ImportError('it was told to stop');
      const read = this.withoutId(file, cells);
      if (read !== undefined) rows.push({ row, ...read });
      if (rows.length === ROWS_AT_ONCE) await number();
    }
    await number();
    return numbering.finish();
  }

  private withoutId({ columns }: Survey, cells: readonly string[]): Omit<WithoutId, 'row'> | undefined {
    // Most files have ids: their rows need not be read here.
    if ('TransactionId' in fieldsOfRow(columns, cells)) return undefined;
    try {
      const request = this.readRow.read(columns, cells);
      return { request, others: this.readRow.otherReadings(columns, cells, request).map(({ request }) => request) };
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
    const requests = rows.flatMap(({ request, others }) => [...others, request]);
    const unknown = numbering.unknownOf(requests);
    if (unknown.prefixes.length + unknown.places.length === 0) return;
    numbering.learn(requests, unknown, await patience.bear(() => this.recordedRows.find(userId, unknown)));
  }
}
