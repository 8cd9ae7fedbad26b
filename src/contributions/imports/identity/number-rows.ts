import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../../http/index.js';
import { fieldsOfRow, kindOfRow } from '../files/columns.js';
import { fileRows } from '../files/file-rows.js';
import type { DerivedTransactionIds } from './derived-transaction-ids.js';
import { ImportError } from '../import-error.js';
import type { DatabaseRetry } from '../database-retry.js';
import { ReadRow } from '../files/read-row.js';
import { RecordedRows } from './recorded-rows.js';
import { RowIdentities } from './row-identity.js';
import { RowNumbering } from './row-numbering.js';
import type { InspectedFile } from '../files/inspect-file.js';
import type { AddContributionRequest } from '../../gifts/index.js';

interface WithoutId {
  readonly row: number;
  readonly request: AddContributionRequest;
  /** The row as earlier imports may have read it. */
  readonly others: readonly AddContributionRequest[];
}

/** Rows whose recorded gifts are looked up by one query. */
const ROWS_PER_QUERY = 500;

/** Reads the whole file before any row is recorded, and finds the recorded gift of each row without an id. */
@Injectable()
export class NumberRows {
  constructor(
    private readonly readRow: ReadRow,
    private readonly recordedRows: RecordedRows,
    private readonly identities: RowIdentities,
  ) {}

  /**
   * @param userId the user who adds the gifts.
   * @throws ImportError if the database remains unavailable, or the import is stopped.
   */
  async number(
    file: InspectedFile,
    userId: number,
    retry: DatabaseRetry,
    signal: AbortSignal,
  ): Promise<DerivedTransactionIds> {
    const numbering = new RowNumbering(this.identities, file.rows);
    const rows: WithoutId[] = [];
    const number = async (): Promise<void> => {
      await this.addRecorded(numbering, userId, rows, retry);
      for (const { row, request } of rows.splice(0)) numbering.number(row, request);
    };
    if (!file.hasRowsWithoutId) return numbering.finish();
    for await (const { row, cells } of fileRows(file)) {
      if (signal.aborted) throw new ImportError('it was stopped');
      const read = this.withoutId(file, cells);
      if (read !== undefined) rows.push({ row, ...read });
      if (rows.length === ROWS_PER_QUERY) await number();
    }
    await number();
    return numbering.finish();
  }

  private withoutId({ columns }: InspectedFile, cells: readonly string[]): Omit<WithoutId, 'row'> | undefined {
    // Rows with an id, which most files have, need not be read here.
    if (kindOfRow(columns, cells) !== 'gift' || 'TransactionId' in fieldsOfRow(columns, cells)) return undefined;
    try {
      const request = this.readRow.read(columns, cells);
      return { request, others: this.readRow.otherReadings(columns, cells, request).map(({ request }) => request) };
    } catch (error) {
      // The row is refused when it is imported.
      if (error instanceof InvalidRequestError) return undefined;
      throw error;
    }
  }

  private async addRecorded(
    numbering: RowNumbering,
    userId: number,
    rows: readonly WithoutId[],
    retry: DatabaseRetry,
  ): Promise<void> {
    const requests = rows.flatMap(({ request, others }) => [...others, request]);
    const query = numbering.queryFor(requests);
    if (query.prefixes.length + query.lookupKeys.length === 0) return;
    numbering.addRecorded(requests, query, await retry.whileUnavailable(() => this.recordedRows.find(userId, query)));
  }
}
