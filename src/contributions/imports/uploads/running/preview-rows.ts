import { Injectable } from '@nestjs/common';
import { Church } from '../../../../config/index.js';
import { ExpectedError } from '../../../../http/index.js';
import { churchToday, fromCents, isFault, readAmount, resolveGiftDate, toCents } from '../../../../values/index.js';
import { DatabaseClock } from '../../../../database/index.js';
import { type Columns, fieldsOfRow } from '../../files/columns.js';
import { type FileRow, fileRows } from '../../files/file-rows.js';
import type { InspectedFile } from '../../files/inspect-file.js';
import { ReadRow } from '../../files/read-row.js';
import type { RowResult } from '../../results/result-file.js';
import { storableText } from '../files/storable-text.js';
import { FIRST_ROWS, MAX_REFUSED, type PreviewedRow, type RunOutcome } from './run-outcome.js';

/** Longer texts are shortened. */
const MAX_TEXT = 200;

const IS_RECORDED: ReadonlySet<RowResult['status']> = new Set([
  ...(['recorded', 'would be recorded', 'recorded and reversed', 'would be recorded and reversed'] as const),
]);

/** Collects the results of a run, as far as people see them. */
export class SeenResults {
  readonly shown = new Map<number, RowResult>();
  private readonly recorded: Uint8Array;
  private readonly people = new Set<number>();
  private refused = 0;
  newPeople = 0;
  toReview = 0;

  constructor(private readonly file: InspectedFile) {
    this.recorded = new Uint8Array(file.rows + 1);
  }

  add(result: RowResult): void {
    const { row, status, peopleId, newPerson, review } = result;
    const isRefused = status === 'refused';
    if (isRefused) this.refused++;
    if (row <= FIRST_ROWS || (isRefused && this.refused <= MAX_REFUSED)) this.shown.set(row, result);
    if (peopleId !== null) this.people.add(peopleId);
    if (!IS_RECORDED.has(status)) return;
    this.recorded[row] = 1;
    // All rows of a payment have the result of the first one.
    if ((this.file.columns.payments?.firstRowOf(row) ?? row) !== row) return;
    if (newPerson === true) this.newPeople++;
    if (review.length > 0) this.toReview++;
  }

  isRecorded(row: number): boolean {
    return this.recorded[row] === 1;
  }

  /** @param most ids. */
  peopleSeen(most: number): Pick<RunOutcome, 'people' | 'peopleIds'> {
    return { people: this.people.size, peopleIds: [...this.people].slice(0, most) };
  }
}

/** Shows rows of a file as they would be recorded. */
@Injectable()
export class PreviewRows {
  constructor(
    private readonly readRow: ReadRow,
    private readonly church: Church,
    private readonly clock: DatabaseClock,
  ) {}

  /** Reads the file again. @returns the rows to show, refused ones first, and the sum of the recorded ones. */
  async of(
    file: InspectedFile,
    results: SeenResults,
  ): Promise<{ readonly rows: PreviewedRow[]; readonly total: string }> {
    const rows: PreviewedRow[] = [];
    let cents = 0n;
    const today = churchToday(this.clock.now(), this.church.timeZone);
    for await (const row of fileRows(file)) {
      if (results.isRecorded(row.row)) cents += this.centsOf(file.columns, row);
      const result = results.shown.get(row.row);
      if (result !== undefined) rows.push(this.shownRow(file.columns, row, result, today));
    }
    const isRefused = ({ result }: PreviewedRow): number => (result.status === 'refused' ? 0 : 1);
    return { rows: rows.sort((a, b) => isRefused(a) - isRefused(b) || a.row - b.row), total: fromCents(cents) };
  }

  private centsOf(columns: Columns, { cells }: FileRow): bigint {
    const amount = readAmount(fieldsOfRow(columns, cells)['Amount'], this.church.minorUnits);
    return isFault(amount) ? 0n : toCents(amount.value);
  }

  private shownRow(columns: Columns, { row, line, cells }: FileRow, result: RowResult, today: string): PreviewedRow {
    const fields = fieldsOfRow(columns, cells);
    const text = (name: string): string => {
      const value = fields[name];
      if (typeof value === 'string') return storableText(value, MAX_TEXT);
      // An amount in another notation: shown as it is in the file.
      if (typeof value === 'symbol') return storableText(cells[columns.fields.indexOf(name)] ?? '', MAX_TEXT);
      return typeof value === 'number' ? String(value) : '';
    };
    const amount = readAmount(fields['Amount'], this.church.minorUnits);
    const { status, contributionId, peopleId, newPerson, review, similarTo, code, error } = result;
    return {
      row,
      line,
      giver: [text('First'), text('Last')].filter((part) => part !== '').join(' '),
      day: this.dayOf(columns, cells, today) ?? text('Date'),
      amount: isFault(amount) ? text('Amount') : amount.value,
      fund: text('FundName') === '' ? text('FundId') : text('FundName'),
      method: text('Method'),
      result: {
        ...{ status, contributionId, peopleId, newPerson, review, similarTo, code },
        error: error === null ? null : storableText(error),
      },
    };
  }

  /** The day of the gift at the church; undefined if the row cannot be read. */
  private dayOf(columns: Columns, cells: readonly string[], today: string): string | undefined {
    try {
      const { Date: date } = this.readRow.read(columns, cells);
      return date === undefined ? today : resolveGiftDate(date, this.church.timeZone).day;
    } catch (error) {
      if (error instanceof ExpectedError) return undefined;
      throw error;
    }
  }
}
