import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/index.js';
import { describeError } from '../../database/index.js';
import { ExpectedError, expectedErrorOf } from '../../http/index.js';
import { FindGiver } from '../../people/index.js';
import { AddContribution, type AddContributionCommand } from '../add-contribution.service.js';
import type { AddedContribution } from '../added-contribution.js';
import type { AddContributionRequest } from '../dto/add-contribution.request.js';
import { toCommand } from '../dto/to-command.js';
import { RowsNotToldApartError, TransactionIdReusedError } from '../errors.js';
import { type Columns, fieldsOfRow } from './columns.js';
import type { DerivedId, DerivedTransactionIds } from './derived-transaction-ids.js';
import { ImportError } from './import-error.js';
import type { Patience } from './patience.js';
import { ReadRow } from './read-row.js';
import type { RowResult } from './result-file.js';

/** What the rows of an import have in common. */
export interface Booking {
  readonly columns: Columns;
  readonly user: Pick<Caller, 'userId' | 'username'>;
  readonly dryRun: boolean;
  readonly ids: DerivedTransactionIds;
  readonly patience: Patience;
}

/** Where a row stands. */
type Place = Pick<RowResult, 'row' | 'line'>;

/** A row that was read. */
interface RowToBook {
  /** Rows that share one have to be booked in the order of the file. */
  readonly keys: readonly string[];
  /** @throws ImportError when the database was given up; whatever else is wrong is told. */
  readonly book: () => Promise<RowResult>;
}

type Outcome = Omit<RowResult, 'row' | 'line' | 'transactionId'>;

const NOTHING = {
  contributionId: null,
  peopleId: null,
  newPerson: null,
  multipleMatches: null,
  code: null,
  error: null,
} as const;

/** Books a row as AddContribution books a body. */
@Injectable()
export class BookRow {
  constructor(
    private readonly readRow: ReadRow,
    private readonly addContribution: AddContribution,
    private readonly findGiver: FindGiver,
  ) {}

  /** What is to be done for a row; nothing of it is booked before `book`. */
  read(booking: Booking, place: Place, cells: readonly string[]): RowToBook {
    try {
      const { request, derived } = this.readRequest(booking, place, cells);
      const command = toCommand(request, booking.user, undefined);
      const { transactionId } = command;
      const id = JSON.stringify([command.source, derived?.prefix ?? transactionId]);
      return {
        keys: [...this.findGiver.contactsOf(command.giver), id],
        book: async () => ({ ...place, transactionId, ...(await this.book(booking, command, derived)) }),
      };
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      const sent = fieldsOfRow(booking.columns, cells)['TransactionId'];
      const transactionId = typeof sent === 'string' ? sent : null;
      return { keys: [], book: () => Promise.resolve({ ...place, transactionId, ...refused(error) }) };
    }
  }

  private readRequest(
    { columns, ids }: Booking,
    { row }: Place,
    cells: readonly string[],
  ): { request: AddContributionRequest; derived: DerivedId | undefined } {
    const request = this.readRow.read(columns, cells);
    if (request.TransactionId !== undefined) return { request, derived: undefined };
    const derived = ids.of(row, request);
    return { request: this.readRow.readWithId(columns, cells, derived.transactionId), derived };
  }

  /** @param derived the row's id, if it brings none; of those that are alike, one is booked after the other. */
  private async book(
    { dryRun, patience, ids }: Booking,
    command: AddContributionCommand,
    derived: DerivedId | undefined,
  ): Promise<Outcome> {
    if (derived !== undefined && ids.isUnclear(derived)) return refused(new RowsNotToldApartError());
    try {
      return await patience.bear(() => (dryRun ? this.preview(command) : this.add(command)));
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (derived === undefined || !(error instanceof TransactionIdReusedError)) return refused(error);
      ids.foundTaken(derived);
      return refused(new RowsNotToldApartError());
    }
  }

  private async add(command: AddContributionCommand): Promise<Outcome> {
    const { answer, replayed } = await this.addContribution.run(command);
    return { ...NOTHING, ...answerOf(answer), status: replayed ? 'already recorded' : 'recorded' };
  }

  private async preview(command: AddContributionCommand): Promise<Outcome> {
    const { found, earlier } = await this.addContribution.preview(command);
    if (earlier !== undefined) return { ...NOTHING, ...answerOf(earlier), status: 'already recorded' };
    const newPerson = found.by === 'created';
    const multipleMatches = found.otherMatches.length > 0;
    const peopleId = newPerson ? null : found.peopleId;
    return { ...NOTHING, status: 'would be recorded', peopleId, newPerson, multipleMatches };
  }
}

function answerOf(added: AddedContribution): Omit<Outcome, 'status' | 'code' | 'error'> {
  const { contributionId, peopleId, newPerson, multipleMatches } = added;
  return { contributionId, peopleId, newPerson, multipleMatches };
}

/** What the API would have answered. */
function refused(error: unknown): Outcome {
  const failure = expectedErrorOf(error);
  const told =
    failure !== undefined
      ? { code: failure.code, error: failure.message }
      : { code: 'internal_error', error: `Something went wrong here; please report it: ${describeError(error)}` };
  return { ...NOTHING, status: 'refused', ...told };
}
