import { Injectable } from '@nestjs/common';
import { Church } from '../../../config/index.js';
import { InvalidRequestError, RequestReader } from '../../../http/index.js';
import {
  type GiftDate,
  isAbsent,
  isFault,
  readGiftDate,
  resolveGiftDate,
  type SlashDates,
} from '../../../values/index.js';
import { AddContributionRequest } from '../../gifts/index.js';
import { readCellDate, slashOrder } from '../../notations/index.js';
import { ImportError } from '../import-error.js';
import { type Columns, fieldsOfRow } from './columns.js';
import type { FileFormat } from './file-format.js';

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

  /**
   * Reads a row, or the whole payment of which it is the first row.
   * @throws InvalidRequestError, also if the row has neither TransactionId nor Date: equal gifts would be the same.
   */
  read(columns: Columns, cells: readonly string[]): AddContributionRequest {
    const request = this.readFields(columns, this.fieldsOf(columns, cells));
    if (request.TransactionId === undefined && request.Date === undefined) {
      const message = 'is required where there is no TransactionId';
      throw InvalidRequestError.ofFields([{ field: 'Date', message }]);
    }
    return request;
  }

  /** The fields of a row, or of the whole payment of which it is the first row. @throws InvalidRequestError */
  fieldsOf(columns: Columns, cells: readonly string[]): Readonly<Record<string, unknown>> {
    const fields = fieldsOfRow(columns, cells);
    return fields['TransactionId'] === undefined ? fields : (columns.payments?.wholeOf(fields) ?? fields);
  }

  /** Reads a row without an id again, with its derived id. The whole row is read, because an id requires a Source. */
  readWithId(columns: Columns, cells: readonly string[], transactionId: string): AddContributionRequest {
    return this.readFields(columns, { ...fieldsOfRow(columns, cells), TransactionId: transactionId });
  }

  /** The other ways in which earlier imports may have read the row. @param request the result of {@link read}. */
  otherReadings(columns: Columns, cells: readonly string[], request: AddContributionRequest): OtherReading[] {
    const { file } = columns;
    const text = fieldsOfRow(columns, cells)['Date'];
    const order = slashOrder(file.dates ?? this.church.slashDates);
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

  /**
   * The day at the church (YYYY-MM-DD) that a date means, read as those of gifts are.
   * @param date as {@link fieldsOfRow} returns it.
   * @throws InvalidRequestError
   */
  dayOf({ file }: Columns, date: string): string {
    const order = slashOrder(file.dates ?? this.church.slashDates);
    const reading = readGiftDate(date, order);
    if (isFault(reading))
      throw InvalidRequestError.ofFields([inWordsOfFile({ field: 'Date', message: reading.fault }, file, order)]);
    return resolveGiftDate(this.inZoneOf(file, reading.value), this.church.timeZone).day;
  }

  /**
   * The day that the date of an earlier file means, in any notation and order of dates; undefined if it is no date.
   */
  dayOfEarlierFile(columns: Columns, date: string): string | undefined {
    const { file } = columns;
    for (const order of [file.dates ?? this.church.slashDates, 'M/D/Y', 'D/M/Y', 'Y-M-D'] as const) {
      const read = readDate(readCellDate({ date }, order, true), slashOrder(order));
      if (read !== undefined) return resolveGiftDate(this.inZoneOf(file, read), this.church.timeZone).day;
    }
    return undefined;
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

  private readFields(columns: Columns, fields: Readonly<Record<string, unknown>>): AddContributionRequest {
    const { file } = columns;
    const slashDates = slashOrder(file.dates ?? this.church.slashDates);
    const lacking = contactsLacking(columns, fields);
    const complete = { ...fields, ...Object.fromEntries(lacking.map((contact) => [contact, ANY_CONTACT[contact]])) };
    try {
      const request = this.reader.read(AddContributionRequest, complete, this.church.withSlashDates(slashDates));
      for (const contact of lacking) request[contact] = '';
      return request.Date === undefined ? request : Object.assign(request, { Date: this.inZoneOf(file, request.Date) });
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      throw InvalidRequestError.ofFields(error.faults.map((fault) => inWordsOfFile(fault, file, slashDates)));
    }
  }
}

function readDate(text: unknown, order: SlashDates | undefined): GiftDate | undefined {
  const reading = readGiftDate(text, order);
  return isFault(reading) ? undefined : reading.value;
}

type Contact = 'Email' | 'Phone';

/** Valid contacts, in place of those that a row may lack. */
const ANY_CONTACT: Readonly<Record<Contact, string>> = { Email: 'nobody@example.org', Phone: '0' };

/** The contacts that the row lacks and may lack. Without --without-contacts it needs one of the two. */
function contactsLacking(
  { mayLack, withoutContacts }: Columns,
  fields: Readonly<Record<string, unknown>>,
): readonly Contact[] {
  const absent = (['Email', 'Phone'] as const).filter((contact) => isAbsent(fields[contact]));
  return absent.length === 2 && !withoutContacts ? [] : absent.filter((contact) => mayLack.has(contact));
}

interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** Names the key of the mapping that helps, which the message of the API does not mention. */
function inWordsOfFile(
  fault: FieldFault,
  { amounts, dates }: FileFormat,
  slashDates: SlashDates | undefined,
): FieldFault {
  const { message } = fault;
  if (amounts !== undefined && message.startsWith('must be digits')) {
    const text = message.replace(/, such as .*$|: the currency .*$/, '');
    return { ...fault, message: `${text}, written like ${amounts}` };
  }
  if (slashDates !== undefined || dates !== undefined || !message.includes('CHURCH_SLASH_DATES')) return fault;
  return {
    ...fault,
    message: `${message}, nor has the mapping of this file: "file": {"dates": "D/M/Y"} or "M/D/Y"`,
  };
}
