import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/index.js';
import { Transactions } from '../../database/index.js';
import { ReadInChurchTimeError, AmbiguousRowError } from './errors.js';
import type { Columns } from './files/columns.js';
import type { DerivedTransactionIds, EarlierReadings, RowWithoutId } from './identity/derived-transaction-ids.js';
import { ImportError } from './import-error.js';
import type { DatabaseRetry } from './database-retry.js';
import { ReadRow } from './files/read-row.js';
import { RecordedRows } from './identity/recorded-rows.js';
import type { RowResult } from './results/result-file.js';
import { RowKeys } from './identity/row-keys.js';
import { EarlierRows } from './identity/earlier-rows.js';
import { answerOf, EMPTY_OUTCOME, type Outcome, refusedOutcome, reviewOf } from './results/row-outcome.js';
import type { SeenIds } from './identity/seen-ids.js';
import { assertIdIsUnique } from './identity/sent-id.js';
import {
  AddContribution,
  type AddContributionCommand,
  type AddContributionRequest,
  ContributionAlreadyReversedError,
  recordedTransaction,
  toCommand,
  TransactionIdReusedError,
} from '../gifts/index.js';

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

/** A row that was read and can be imported. */
export interface RowToImport {
  /**
   * Values of the row that other rows may share, such as the giver's e-mail address ({@link RowKeys}). Rows that share
   * a key must be recorded in the order of the file. Other rows may be recorded at the same time.
   */
  readonly keys: readonly string[];
  /** Records the row. @throws ImportError if the database remains unavailable. All other errors are in the result. */
  readonly importRow: () => Promise<RowResult>;
}

/** A row to be recorded. */
interface NewRow {
  readonly row: number;
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
  /** As in {@link RowToImport}. */
  readonly keys: readonly string[];
}

/** Imports the row of a gift by the same rules by which AddContribution records a call. */
@Injectable()
export class ImportRow {
  constructor(
    private readonly readRow: ReadRow,
    private readonly addContribution: AddContribution,
    private readonly recordedRows: RecordedRows,
    private readonly transactions: Transactions,
    private readonly rowKeys: RowKeys,
  ) {}

  /**
   * Reads a gift, and records nothing: call `importRow` of the result to record it. The rows must be read in the order of
   * the file, so that a repeated TransactionId is refused on its second row.
   * @throws ExpectedError if the row would be refused.
   */
  read(context: ImportContext, position: RowPosition, cells: readonly string[]): RowToImport {
    assertIdIsUnique(context, position, cells);
    const request = this.readRow.read(context.columns, cells);
    const known = request.TransactionId === undefined ? context.ids.of(position.row, request) : undefined;
    if (known?.kind === 'recorded') {
      const { contributionId } = known;
      return {
        keys: [],
        importRow: async () => ({ ...position, ...(await this.recorded(context, contributionId)) }),
      };
    }
    const row = this.newRow(context, position, cells, request, known);
    const identified = { ...position, transactionId: row.command.transactionId };
    const importRow = async (): Promise<RowResult> => ({ ...identified, ...(await this.record(context, row)) });
    return { keys: row.keys, importRow };
  }

  private newRow(
    context: ImportContext,
    { row }: RowPosition,
    cells: readonly string[],
    read: AddContributionRequest,
    derived: NewRow['derived'],
  ): NewRow {
    const { columns, ids } = context;
    const request = derived === undefined ? read : this.readRow.readWithId(columns, cells, derived.transactionId);
    const earlierReadings =
      derived === undefined ? {} : ids.findInReadings(this.readRow.otherReadings(columns, cells, read));
    const command = this.commandOf(context, request, derived !== undefined, earlierReadings['in the other order']);
    const keys = this.rowKeys.of(command, derived?.alikeKey);
    return { row, cells, request, command, derived, earlierReadings, keys };
  }

  /**
   * @param isDerived whether the row's id was derived. If so, the gift is listed for review when a similar gift is
   * recorded: one that differs only in the e-mail or the phone, or only in the order of day and month.
   * @param similarGift the ContributionId of the similar gift, if it is known already; otherwise it is looked up.
   */
  private commandOf(
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

  /** The outcome of a row whose gift is already recorded. */
  private async recorded(
    { retry }: ImportContext,
    contributionId: number,
  ): Promise<Outcome & Pick<RowResult, 'transactionId'>> {
    const gift = await retry.whileUnavailable(() =>
      this.transactions.run((tx) => recordedTransaction(tx, contributionId)),
    );
    const status = gift.isReversed ? 'already recorded (reversed)' : 'already recorded';
    return { ...EMPTY_OUTCOME, transactionId: gift.transactionId, ...answerOf(gift), status };
  }

  private async record(context: ImportContext, row: NewRow): Promise<Outcome> {
    const { command, derived, request, earlierReadings } = row;
    const { retry, ids, earlierRows } = context;
    // This row may be a changed version of a row that is already recorded.
    if (derived !== undefined && ids.isAmbiguous(derived.alikeKey, request))
      return refusedOutcome(new AmbiguousRowError());
    // An earlier import, which named no time zone, has already recorded this row.
    const inChurchTime = earlierReadings['in church time'];
    if (inChurchTime !== undefined) return refusedOutcome(new ReadInChurchTimeError(inChurchTime));
    try {
      return await retry.whileUnavailable(() =>
        earlierRows === undefined ? this.add(command) : this.preview(context, row, earlierRows),
      );
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (error instanceof ContributionAlreadyReversedError) return this.recorded(context, error.contributionId);
      if (derived === undefined || !(error instanceof TransactionIdReusedError)) return refusedOutcome(error);
      // Meanwhile another import has recorded a gift with this row's derived id, but with other content. It may also
      // have recorded other rows with the same alike key, so these are refused from now on.
      ids.markTaken(derived.alikeKey);
      return refusedOutcome(new AmbiguousRowError());
    }
  }

  private async add(command: AddContributionCommand): Promise<Outcome> {
    const { answer, replayed, ...review } = await this.addContribution.record(command);
    const status = replayed ? 'already recorded' : 'recorded';
    return { ...EMPTY_OUTCOME, ...answerOf(answer), ...reviewOf(review), status };
  }

  private async preview(context: ImportContext, newRow: NewRow, earlierRows: EarlierRows): Promise<Outcome> {
    const { row, cells, command, derived, keys } = newRow;
    const before = earlierRows.relatedTo(keys).map(({ cells, derivedId }) => {
      const request =
        derivedId === undefined
          ? this.readRow.read(context.columns, cells)
          : this.readRow.readWithId(context.columns, cells, derivedId);
      return this.commandOf(context, request, derivedId !== undefined);
    });
    const { found, earlier, createdBefore, ...review } = await this.addContribution.preview(command, before);
    if (earlier !== undefined) return { ...EMPTY_OUTCOME, ...answerOf(earlier), status: 'already recorded' };
    earlierRows.add({ row, cells, derivedId: derived?.transactionId, keys });
    const newPerson = found.by === 'created';
    const { reviewReasons, similarGift = 0 } = review;
    return {
      ...EMPTY_OUTCOME,
      status: 'would be recorded',
      // Persons and gifts that only this dry run created have no id yet.
      peopleId: newPerson || createdBefore.persons.has(found.peopleId) ? null : found.peopleId,
      newPerson,
      multipleMatches: found.otherMatches.length > 0,
      ...reviewOf({
        reviewReasons,
        similarGift: createdBefore.gifts.has(similarGift) ? undefined : review.similarGift,
      }),
    };
  }
}
