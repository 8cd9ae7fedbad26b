import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/index.js';
import { describeError, Transactions } from '../../database/index.js';
import { ExpectedError, expectedErrorOf } from '../../http/index.js';
import { ReadInChurchTimeError, RepeatedTransactionIdError, RowsNotToldApartError } from './errors.js';
import { type Columns, fieldsOfRow } from './files/columns.js';
import type { DerivedTransactionIds, ReadBefore, RowWithoutId } from './identity/derived-transaction-ids.js';
import { ImportError } from './import-error.js';
import type { Patience } from './patience.js';
import { ReadRow } from './files/read-row.js';
import { RecordedRows } from './identity/recorded-rows.js';
import type { RowResult } from './results/result-file.js';
import { RowKeys } from './identity/row-keys.js';
import { RowsBefore } from './identity/rows-before.js';
import { SeenIds } from './identity/seen-ids.js';
import { assertNotShortened } from './files/shortened-id.js';
import { normalizeText } from '../../values/index.js';
import {
  AddContribution,
  type AddContributionCommand,
  type AddContributionRequest,
  type AddedContribution,
  ContributionAlreadyReversedError,
  recordedTransaction,
  type ReviewOfGift,
  toCommand,
  TransactionIdReusedError,
} from '../gifts/index.js';

/** What the rows of an import have in common. */
export interface Booking {
  readonly columns: Columns;
  readonly user: Pick<Caller, 'userId' | 'username'>;
  readonly ids: DerivedTransactionIds;
  readonly seenIds: SeenIds;
  /** Of a dry run; undefined where the rows are recorded. */
  readonly before: RowsBefore | undefined;
  readonly patience: Patience;
}

/** Where a row stands. */
type Place = Pick<RowResult, 'row' | 'line'>;

/** A row that was read. */
interface RowToBook {
  /** Rows that share one have to be recorded in the order of the file. */
  readonly keys: readonly string[];
  /** @throws ImportError when the database stayed away; what else is wrong is in the result. */
  readonly book: () => Promise<RowResult>;
}

type Outcome = Omit<RowResult, 'row' | 'line' | 'transactionId'>;

/** A row that is to be recorded. */
interface NewRow {
  readonly row: number;
  readonly cells: readonly string[];
  readonly request: AddContributionRequest;
  readonly command: AddContributionCommand;
  /** Of a row that has no id of its own. */
  readonly derived: Extract<RowWithoutId, { kind: 'new' }> | undefined;
  /** Recorded gifts that a row without an id is in other readings of its date. */
  readonly readBefore: ReadBefore;
  readonly keys: readonly string[];
}

const NOTHING = {
  contributionId: null,
  peopleId: null,
  newPerson: null,
  multipleMatches: null,
  review: [],
  similarTo: null,
  code: null,
  error: null,
} as const;

/** Records a row as AddContribution records a body. */
@Injectable()
export class BookRow {
  constructor(
    private readonly readRow: ReadRow,
    private readonly addContribution: AddContribution,
    private readonly recordedRows: RecordedRows,
    private readonly transactions: Transactions,
    private readonly rowKeys: RowKeys,
  ) {}

  /** What is to be done for a row; to be called in the order of the file. Nothing is recorded before `book`. */
  read(booking: Booking, place: Place, cells: readonly string[]): RowToBook {
    try {
      assertIdIsItsOwn(booking, place, cells);
      const request = this.readRow.read(booking.columns, cells);
      const known = request.TransactionId === undefined ? booking.ids.of(place.row, request) : undefined;
      if (known?.kind === 'recorded') {
        const book = async (): Promise<RowResult> => ({
          ...place,
          ...(await this.recorded(booking, known.contributionId)),
        });
        return { keys: [], book };
      }
      const row = this.newRow(booking, place, cells, request, known);
      const { transactionId } = row.command;
      return { keys: row.keys, book: async () => ({ ...place, transactionId, ...(await this.book(booking, row)) }) };
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      const transactionId = sentId(booking.columns, cells) ?? null;
      return { keys: [], book: () => Promise.resolve({ ...place, transactionId, ...refused(error) }) };
    }
  }

  private newRow(
    booking: Booking,
    { row }: Place,
    cells: readonly string[],
    read: AddContributionRequest,
    derived: NewRow['derived'],
  ): NewRow {
    const { columns, ids } = booking;
    const request = derived === undefined ? read : this.readRow.readWithId(columns, cells, derived.transactionId);
    const readBefore = derived === undefined ? {} : ids.inReadings(this.readRow.otherReadings(columns, cells, read));
    const command = this.commandOf(booking, request, derived !== undefined, readBefore['in the other order']);
    return { row, cells, request, command, derived, readBefore, keys: this.rowKeys.of(command, derived?.alike) };
  }

  private commandOf(
    { user }: Booking,
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

  /** A gift that was recorded before, as it stands now. */
  private async recorded(
    { patience }: Booking,
    contributionId: number,
  ): Promise<Outcome & Pick<RowResult, 'transactionId'>> {
    const gift = await patience.bear(() => this.transactions.run((tx) => recordedTransaction(tx, contributionId)));
    const status = gift.isReversed ? 'already recorded (reversed)' : 'already recorded';
    return { ...NOTHING, transactionId: gift.transactionId, ...answerOf(gift), status };
  }

  private async book(booking: Booking, row: NewRow): Promise<Outcome> {
    const { command, derived, request, readBefore } = row;
    const { patience, ids, before } = booking;
    if (derived !== undefined && ids.isUnclear(derived.alike, request)) return refused(new RowsNotToldApartError());
    const inChurchTime = readBefore['in church time'];
    if (inChurchTime !== undefined) return refused(new ReadInChurchTimeError(inChurchTime));
    try {
      return await patience.bear(() => (before === undefined ? this.add(command) : this.preview(booking, row, before)));
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (error instanceof ContributionAlreadyReversedError) return this.recorded(booking, error.contributionId);
      if (derived === undefined || !(error instanceof TransactionIdReusedError)) return refused(error);
      ids.foundTaken(derived.alike);
      return refused(new RowsNotToldApartError());
    }
  }

  private async add(command: AddContributionCommand): Promise<Outcome> {
    const { answer, replayed, ...review } = await this.addContribution.record(command);
    const status = replayed ? 'already recorded' : 'recorded';
    return { ...NOTHING, ...answerOf(answer), ...reviewOf(review), status };
  }

  private async preview(booking: Booking, { row, cells, ...read }: NewRow, before: RowsBefore): Promise<Outcome> {
    const { command, derived, keys } = read;
    const earlierRows = before.of(keys).map(({ cells, derivedId }) => {
      const request =
        derivedId === undefined
          ? this.readRow.read(booking.columns, cells)
          : this.readRow.readWithId(booking.columns, cells, derivedId);
      return this.commandOf(booking, request, derivedId !== undefined);
    });
    const { found, earlier, madeBefore, ...review } = await this.addContribution.preview(command, earlierRows);
    if (earlier !== undefined) return { ...NOTHING, ...answerOf(earlier), status: 'already recorded' };
    before.add({ row, cells, derivedId: derived?.transactionId, keys });
    const newPerson = found.by === 'created';
    const { reviewReasons, similarGift = 0 } = review;
    return {
      ...NOTHING,
      status: 'would be recorded',
      // A person or gift that only a dry run knows has no id yet.
      peopleId: newPerson || madeBefore.persons.has(found.peopleId) ? null : found.peopleId,
      newPerson,
      multipleMatches: found.otherMatches.length > 0,
      ...reviewOf({ reviewReasons, similarGift: madeBefore.gifts.has(similarGift) ? undefined : review.similarGift }),
    };
  }
}

/** @throws InvalidRequestError, RepeatedTransactionIdError */
function assertIdIsItsOwn({ columns, seenIds }: Booking, { line }: Place, cells: readonly string[]): void {
  const id = sentId(columns, cells);
  if (id === undefined) return;
  assertNotShortened(id);
  const { Source: source } = fieldsOfRow(columns, cells);
  const firstLine = seenIds.add(normalizeText(String(source)), id, line);
  if (firstLine !== undefined) throw new RepeatedTransactionIdError(id, firstLine);
}

/** The id that stands in the row. */
function sentId(columns: Columns, cells: readonly string[]): string | undefined {
  const { TransactionId: id } = fieldsOfRow(columns, cells);
  return typeof id === 'string' ? normalizeText(id) : undefined;
}

function answerOf(
  added: AddedContribution,
): Pick<Outcome, 'contributionId' | 'peopleId' | 'newPerson' | 'multipleMatches'> {
  const { contributionId, peopleId, newPerson, multipleMatches } = added;
  return { contributionId, peopleId, newPerson, multipleMatches };
}

function reviewOf({ reviewReasons, similarGift }: ReviewOfGift): Pick<Outcome, 'review' | 'similarTo'> {
  return { review: reviewReasons, similarTo: similarGift ?? null };
}

/** What the API would have answered. */
function refused(error: unknown): Outcome {
  const failure = expectedErrorOf(error);
  const told =
    failure !== undefined
      ? { code: failure.kind.code, error: failure.message }
      : { code: 'internal_error', error: `Something went wrong here; please report it: ${describeError(error)}` };
  return { ...NOTHING, status: 'refused', ...told };
}
