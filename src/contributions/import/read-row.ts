import { Injectable } from '@nestjs/common';
import { InvalidRequestError, RequestReader } from '../../http/index.js';
import { AddContributionRequest } from '../dto/add-contribution.request.js';
import { type Columns, fieldsOfRow } from './columns.js';
import { ImportError } from './import-error.js';

/** Reads rows as AddContribution reads bodies. */
@Injectable()
export class ReadRow {
  constructor(private readonly reader: RequestReader) {}

  /** @throws InvalidRequestError, also where there is neither a TransactionId nor a Date to tell gifts apart by. */
  read(columns: Columns, cells: readonly string[]): AddContributionRequest {
    const request = this.reader.read(AddContributionRequest, fieldsOfRow(columns, cells));
    if (request.TransactionId === undefined && request.Date === undefined) {
      const message = 'is required where there is no TransactionId';
      throw InvalidRequestError.ofFields([{ field: 'Date', message }]);
    }
    return request;
  }

  /** A row that brings no id, with the one that was made for it: read once more, since an id demands a Source. */
  readWithId(columns: Columns, cells: readonly string[], transactionId: string): AddContributionRequest {
    const fields = { ...fieldsOfRow(columns, cells), TransactionId: transactionId };
    return this.reader.read(AddContributionRequest, fields);
  }

  /** @throws ImportError when what every row without a value of its own would get is none that is accepted. */
  assertDefaults({ defaults }: Columns): void {
    try {
      this.reader.read(AddContributionRequest, defaults);
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      // That the other fields are missing is no fault here.
      const faults = error.faults.filter(({ field }) => field in defaults);
      if (faults.length === 0) return;
      throw new ImportError(faults.map(({ field, message }) => `The default of ${field} ${message}.`).join(' '));
    }
  }
}
