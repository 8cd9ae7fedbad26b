import { Injectable } from '@nestjs/common';
import { Church } from '../../config/index.js';
import { InvalidRequestError, RequestReader } from '../../http/index.js';
import { AddContributionRequest } from '../dto/add-contribution.request.js';
import { resolveGiftDate } from '../gift-date.js';
import { type Columns, fieldsOfRow } from './columns.js';
import { ImportError } from './import-error.js';

/** Reads rows as AddContribution reads bodies. */
@Injectable()
export class ReadRow {
  constructor(
    private readonly reader: RequestReader,
    private readonly church: Church,
  ) {}

  /** @throws InvalidRequestError, also where there is neither a TransactionId nor a Date to tell gifts apart by. */
  read(columns: Columns, cells: readonly string[]): AddContributionRequest {
    const request = this.readFields(columns, fieldsOfRow(columns, cells));
    if (request.TransactionId === undefined && request.Date === undefined) {
      const message = 'is required where there is no TransactionId';
      throw InvalidRequestError.ofFields([{ field: 'Date', message }]);
    }
    return request;
  }

  /** A row that has no id, with the one that was made for it: read once more, since an id demands a Source. */
  readWithId(columns: Columns, cells: readonly string[], transactionId: string): AddContributionRequest {
    return this.readFields(columns, { ...fieldsOfRow(columns, cells), TransactionId: transactionId });
  }

  /** @throws ImportError when the value of a default is not accepted: every row without its own would be refused. */
  assertDefaults(columns: Columns): void {
    try {
      this.readFields(columns, columns.defaults);
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      // That the other fields are missing is no fault here.
      const faults = error.faults.filter(({ field }) => field in columns.defaults);
      if (faults.length === 0) return;
      throw new ImportError(faults.map(({ field, message }) => `The default of ${field} ${message}.`).join(' '));
    }
  }

  private readFields({ file }: Columns, fields: Readonly<Record<string, unknown>>): AddContributionRequest {
    const slashDates = file.dates ?? this.church.slashDates;
    try {
      const request = this.reader.read(AddContributionRequest, fields, this.church.withSlashDates(slashDates));
      return file.timeZone === undefined ? request : inZone(request, file.timeZone);
    } catch (error) {
      if (!(error instanceof InvalidRequestError) || slashDates !== undefined) throw error;
      throw InvalidRequestError.ofFields(error.faults.map(withOrderOfFile));
    }
  }
}

/** A time without an offset is one of the time zone of the file. A day stays that day: no clock was read for it. */
function inZone(request: AddContributionRequest, timeZone: string): AddContributionRequest {
  const { Date: date } = request;
  if (date?.kind !== 'local') return request;
  const instant = resolveGiftDate(date, timeZone).instant.toISOString();
  return Object.assign(request, { Date: { kind: 'instant', instant } as const });
}

/** The API cannot name the second way of settling the order of a date. */
function withOrderOfFile(fault: { field: string; message: string }): { field: string; message: string } {
  if (!fault.message.includes('CHURCH_SLASH_DATES')) return fault;
  return {
    ...fault,
    message: `${fault.message}, nor has the mapping of this file: "file": {"dates": "D/M/Y"} or "M/D/Y"`,
  };
}
