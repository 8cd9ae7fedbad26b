import { Injectable } from '@nestjs/common';
import { Church } from '../../../config/index.js';
import type { SlashDates } from '../../../values/index.js';
import { InvalidRequestError, RequestReader } from '../../../http/index.js';
import { type Columns, fieldsOfRow } from './columns.js';
import { ImportError } from '../import-error.js';
import type { FileFormat } from './mapping.js';
import { type GiftDate, isFault, readGiftDate, resolveGiftDate } from '../../../values/index.js';
import { AddContributionRequest } from '../../gifts/index.js';

/** A row as an earlier import may have read it: in church time, or with day and month swapped. */
export interface OtherReading {
  readonly kind: 'in church time' | 'in the other order';
  readonly request: AddContributionRequest;
}

/** Reads rows with the rules of AddContribution. */
@Injectable()
export class ReadRow {
  constructor(
    private readonly reader: RequestReader,
    private readonly church: Church,
  ) {}

  /** @throws InvalidRequestError, also if the row has neither TransactionId nor Date: equal gifts would be the same. */
  read(columns: Columns, cells: readonly string[]): AddContributionRequest {
    const request = this.readFields(columns, fieldsOfRow(columns, cells));
    if (request.TransactionId === undefined && request.Date === undefined) {
      const message = 'is required where there is no TransactionId';
      throw InvalidRequestError.ofFields([{ field: 'Date', message }]);
    }
    return request;
  }

  /** Reads a row without an id again, with its derived id. The whole row is read, because an id requires a Source. */
  readWithId(columns: Columns, cells: readonly string[], transactionId: string): AddContributionRequest {
    return this.readFields(columns, { ...fieldsOfRow(columns, cells), TransactionId: transactionId });
  }

  /** The other ways in which earlier imports may have read the row. @param request the result of {@link read}. */
  otherReadings(columns: Columns, cells: readonly string[], request: AddContributionRequest): OtherReading[] {
    const { file } = columns;
    const text = fieldsOfRow(columns, cells)['Date'];
    const order = file.dates ?? this.church.slashDates;
    const read = readDate(text, order);
    const swapped = order === undefined ? undefined : readDate(text, order === 'M/D/Y' ? 'D/M/Y' : 'M/D/Y');
    const dates = [
      ['in church time', read],
      ['in the other order', swapped],
      ['in the other order', swapped && this.inZoneOf(file, swapped)],
    ] as const;
    const known = new Set([JSON.stringify(request.Date)]);
    return dates.flatMap(([kind, date]) => {
      if (date === undefined || known.has(JSON.stringify(date))) return [];
      known.add(JSON.stringify(date));
      return [{ kind, request: Object.assign(new AddContributionRequest(), request, { Date: date }) }];
    });
  }

  /** @throws ImportError if a default is invalid: every row that uses it would be refused. */
  assertDefaults(columns: Columns): void {
    try {
      this.readFields(columns, columns.defaults);
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      // Faults about missing fields do not matter here.
      const faults = error.faults.filter(({ field }) => field in columns.defaults);
      if (faults.length === 0) return;
      throw new ImportError(faults.map(({ field, message }) => `The default of ${field} ${message}.`).join(' '));
    }
  }

  /** Applies the time zone of the file to a time without an offset. A date without a time remains that day. */
  private inZoneOf({ timeZone }: FileFormat, date: GiftDate): GiftDate {
    if (date.kind !== 'local' || timeZone === undefined) return date;
    const instant = resolveGiftDate(date, timeZone).instant.toISOString();
    // If church time gives the same instant, the date remains as sent, as recorded by an import without a time zone.
    const isChurchTime = instant === resolveGiftDate(date, this.church.timeZone).instant.toISOString();
    return isChurchTime ? date : { kind: 'instant', instant };
  }

  private readFields({ file }: Columns, fields: Readonly<Record<string, unknown>>): AddContributionRequest {
    const slashDates = file.dates ?? this.church.slashDates;
    try {
      const request = this.reader.read(AddContributionRequest, fields, this.church.withSlashDates(slashDates));
      return request.Date === undefined ? request : Object.assign(request, { Date: this.inZoneOf(file, request.Date) });
    } catch (error) {
      if (!(error instanceof InvalidRequestError) || slashDates !== undefined) throw error;
      throw InvalidRequestError.ofFields(error.faults.map(withOrderOfFile));
    }
  }
}

function readDate(text: unknown, order: SlashDates | undefined): GiftDate | undefined {
  const reading = readGiftDate(text, order);
  return isFault(reading) ? undefined : reading.value;
}

/** Adds the second way to set the order of dates, which the message of the API does not mention. */
function withOrderOfFile(fault: { field: string; message: string }): { field: string; message: string } {
  if (!fault.message.includes('CHURCH_SLASH_DATES')) return fault;
  return {
    ...fault,
    message: `${fault.message}, nor has the mapping of this file: "file": {"dates": "D/M/Y"} or "M/D/Y"`,
  };
}
