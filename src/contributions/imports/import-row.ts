import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/index.js';
import type { Columns } from './files/columns.js';
import type { DerivedTransactionIds, EarlierReadings, RowWithoutId } from './identity/derived-transaction-ids.js';
import type { DatabaseRetry } from './database-retry.js';
import { ReadRow } from './files/read-row.js';
import { RecordedRows } from './identity/recorded-rows.js';
import type { RowResult } from './results/result-file.js';
import type { EarlierRows } from './identity/earlier-rows.js';
import type { SeenIds } from './identity/seen-ids.js';
import { assertIdIsUnique } from './identity/sent-id.js';
import { type AddContributionCommand, type AddContributionRequest, toCommand } from '../gifts/index.js';

/** The data that all rows of an import share. */
export interface ImportContext {
  readonly columns: Columns;
  readonly user: Pick<Caller, 'userId' | 'username'>;
  /** What is known about the rows without a TransactionId: their recorded gifts, or ids derived from their content. */
  readonly ids: DerivedTransactionIds;
  /** The TransactionIds of the rows read so far. */
  readonly seenIds: SeenIds;
  /** The rows that a dry run would have recorded so far; undefined if the rows are recorded. */
  readonly earlierRows: EarlierRows | undefined;
  readonly retry: DatabaseRetry;
}

export type RowPosition = Pick<RowResult, 'row' | 'line'>;

/** A row without an id whose gift is recorded. */
export interface RecordedRow {
  readonly kind: 'recorded';
  readonly position: RowPosition;
  readonly contributionId: number;
}

/** A row whose gift is to be recorded. */
export interface NewRow {
  readonly kind: 'new';
  readonly position: RowPosition;
  readonly cells: readonly string[];
  readonly request: AddContributionRequest;
  readonly command: AddContributionCommand;
  /**
   * The id derived from the content of a row without a TransactionId; undefined if the row has one. Its `alikeKey` is
   * equal for all rows with the same name, e-mail, time, amount and Source.
   */
  readonly derived: Extract<RowWithoutId, { kind: 'new' }> | undefined;
  /**
   * Gifts that an earlier import recorded from this row while it read the row's date differently: in church time, or
   * with day and month swapped. Empty for a row with an id.
   */
  readonly earlierReadings: EarlierReadings;
}

/** Reads rows as AddContribution reads a call, and finds out which gift each row is. */
@Injectable()
export class ImportRow {
  constructor(
    private readonly readRow: ReadRow,
    private readonly recordedRows: RecordedRows,
  ) {}

  /**
   * Reads a gift, and records nothing. The rows must be read in the order of the file, so that a repeated TransactionId is
   * refused on its second row.
   * @throws ExpectedError if the row is refused, whatever is recorded.
   */
  read(context: ImportContext, position: RowPosition, cells: readonly string[]): RecordedRow | NewRow {
    assertIdIsUnique(context, position, cells);
    const request = this.readRow.read(context.columns, cells);
    const known = request.TransactionId === undefined ? context.ids.of(position.row, request) : undefined;
    if (known?.kind === 'recorded') return { kind: 'recorded', position, contributionId: known.contributionId };
    return this.newRow(context, position, cells, request, known);
  }

  private newRow(
    context: ImportContext,
    position: RowPosition,
    cells: readonly string[],
    read: AddContributionRequest,
    derived: NewRow['derived'],
  ): NewRow {
    const { columns, ids } = context;
    const request = derived === undefined ? read : this.readRow.readWithId(columns, cells, derived.transactionId);
    const earlierReadings =
      derived === undefined ? {} : ids.findInReadings(this.readRow.otherReadings(columns, cells, read));
    const command = this.commandOf(context, request, derived !== undefined, earlierReadings['in the other order']);
    return { kind: 'new', position, cells, request, command, derived, earlierReadings };
  }

  /**
   * @param isDerived whether the row's id was derived. If so, the gift is listed for review when a similar gift is
   * recorded: one that differs only in the e-mail or the phone, or only in the order of day and month.
   * @param similarGift the ContributionId of the similar gift, if it is known already; otherwise it is looked up.
   */
  commandOf(
    { user }: ImportContext,
    request: AddContributionRequest,
    isDerived: boolean,
    similarGift?: number,
  ): AddContributionCommand {
    const command = { ...toCommand(request, user, undefined), acceptEarlierYear: true };
    if (!isDerived) return command;
    const findSimilarGift = async (tx: EntityManager): Promise<number | undefined> =>
      similarGift ?? this.recordedRows.similar(tx, user.userId, request);
    return { ...command, findSimilarGift };
  }
}
