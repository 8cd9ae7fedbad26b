import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/index.js';
import { Transactions } from '../../database/index.js';
import { ExpectedError } from '../../http/index.js';
import { ReadInChurchTimeError, RepeatedTransactionIdError, AmbiguousRowError } from './errors.js';
import { type Columns, fieldsOfRow } from './files/columns.js';
import type { DerivedTransactionIds, EarlierReadings, RowWithoutId } from './identity/derived-transaction-ids.js';
import { ImportError } from './import-error.js';
import type { DatabaseRetry } from './database-retry.js';
import { ReadRow } from './files/read-row.js';
import { RecordedRows } from './identity/recorded-rows.js';
import type { RowResult } from './results/result-file.js';
import { RowKeys } from './identity/row-keys.js';
import { EarlierRows } from './identity/earlier-rows.js';
import { answerOf, EMPTY_OUTCOME, type Outcome, refusedOutcome, reviewOf } from './results/row-outcome.js';
import { SeenIds } from './identity/seen-ids.js';
import { assertNotShortened } from './files/shortened-id.js';
import { normalizeText } from '../../values/index.js';
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
  readonly ids: DerivedTransactionIds;
  readonly seenIds: SeenIds;
  /** For a dry run; undefined if the rows are recorded. */
  readonly earlierRows: EarlierRows | undefined;
  readonly retry: DatabaseRetry;
}

type RowPosition = Pick<RowResult, 'row' | 'line'>;

/** A row that was read and can be imported. */
interface RowToImport {
  /** Rows that share a key must be recorded in the order of the file. */
  readonly keys: readonly string[];
  /** @throws ImportError if the database remains unavailable. All other errors are in the result. */
  readonly importRow: () => Promise<RowResult>;
}

/** A row to be recorded. */
interface NewRow {
  readonly row: number;
  readonly cells: readonly string[];
  readonly request: AddContributionRequest;
  readonly command: AddContributionCommand;
  /** The id derived for a row without an id of its own. */
  readonly derived: Extract<RowWithoutId, { kind: 'new' }> | undefined;
  /** Recorded gifts that a row without an id equals if its date is read differently. */
  readonly earlierReadings: EarlierReadings;
  readonly keys: readonly string[];
}

/** Imports a row as AddContribution records a body. */
@Injectable()
export class ImportRow {
  constructor(
    private readonly readRow: ReadRow,
    private readonly addContribution: AddContribution,
    private readonly recordedRows: RecordedRows,
    private readonly transactions: Transactions,
    private readonly rowKeys: RowKeys,
  ) {}

  /** Reads a row. Call it in the order of the file. Only `importRow` of the result records anything. */
  read(context: ImportContext, position: RowPosition, cells: readonly string[]): RowToImport {
    try {
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
      return { keys: row.keys, importRow: async () => ({ ...identified, ...(await this.record(context, row)) }) };
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      const transactionId = sentId(context.columns, cells) ?? null;
      return { keys: [], importRow: () => Promise.resolve({ ...position, transactionId, ...refusedOutcome(error) }) };
    }
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

  private commandOf(
    { user }: ImportContext,
    request: AddContributionRequest,
    isDerived: boolean,
    similarGift?: number,
  ): AddContributionCommand {
    const command = toCommand(request, user, undefined);
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
    if (derived !== undefined && ids.isAmbiguous(derived.alikeKey, request))
      return refusedOutcome(new AmbiguousRowError());
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

/** @throws InvalidRequestError, RepeatedTransactionIdError */
function assertIdIsUnique({ columns, seenIds }: ImportContext, { line }: RowPosition, cells: readonly string[]): void {
  const id = sentId(columns, cells);
  if (id === undefined) return;
  assertNotShortened(id);
  const { Source: source } = fieldsOfRow(columns, cells);
  const firstLine = seenIds.add(normalizeText(String(source)), id, line);
  if (firstLine !== undefined) throw new RepeatedTransactionIdError(id, firstLine);
}

/** The id in the row. */
function sentId(columns: Columns, cells: readonly string[]): string | undefined {
  const { TransactionId: id } = fieldsOfRow(columns, cells);
  return typeof id === 'string' ? normalizeText(id) : undefined;
}
