import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/index.js';
import { describeError } from '../../database/index.js';
import { ExpectedError, InvalidRequestError, RequestReader } from '../../http/index.js';
import { FindGiver } from '../../people/index.js';
import { AddContribution, type AddContributionCommand } from '../add-contribution.service.js';
import type { AddedContribution } from '../added-contribution.js';
import { AddContributionRequest } from '../dto/add-contribution.request.js';
import { toCommand } from '../dto/to-command.js';
import { type Columns, fieldsOfRow } from './columns.js';
import type { DerivedTransactionIds } from './derived-transaction-ids.js';
import { ImportError } from './import-error.js';
import type { Patience } from './patience.js';
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
interface ReadRow {
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
    private readonly reader: RequestReader,
    private readonly addContribution: AddContribution,
    private readonly findGiver: FindGiver,
  ) {}

  /** To be called in the order of the file, for the ids of rows that bring none. */
  async read(booking: Booking, place: Place, cells: readonly string[]): Promise<ReadRow> {
    const fields = fieldsOfRow(booking.columns, cells);
    try {
      const request = await this.readRequest(fields, booking.ids);
      const command = toCommand(request, booking.user, undefined);
      const { transactionId } = command;
      return {
        keys: [...this.findGiver.contactsOf(command.giver), JSON.stringify([command.source, transactionId])],
        book: async () => ({ ...place, transactionId, ...(await this.book(booking, command)) }),
      };
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      const sent = fields['TransactionId'];
      const transactionId = typeof sent === 'string' ? sent : null;
      return { keys: [], book: () => Promise.resolve({ ...place, transactionId, ...refused(error) }) };
    }
  }

  /** @throws ImportError when what every row without a value of its own would get is none that is accepted. */
  async assertDefaults({ defaults }: Columns): Promise<void> {
    try {
      await this.reader.read(AddContributionRequest, defaults);
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      // That the other fields are missing is no fault here.
      const faults = error.faults.filter(({ field }) => field in defaults);
      if (faults.length === 0) return;
      throw new ImportError(faults.map(({ field, message }) => `The default of ${field} ${message}.`).join(' '));
    }
  }

  private async readRequest(
    fields: Readonly<Record<string, unknown>>,
    ids: DerivedTransactionIds,
  ): Promise<AddContributionRequest> {
    const request = await this.reader.read(AddContributionRequest, fields);
    if (request.TransactionId !== undefined) return request;
    if (request.Date === undefined) {
      const message = 'is required where there is no TransactionId';
      throw InvalidRequestError.ofFields([{ field: 'Date', message }]);
    }
    // Read once more, since an id demands a Source.
    return this.reader.read(AddContributionRequest, { ...fields, TransactionId: ids.next(request) });
  }

  private async book({ dryRun, patience }: Booking, command: AddContributionCommand): Promise<Outcome> {
    try {
      return await patience.bear(() => (dryRun ? this.preview(command) : this.add(command)));
    } catch (error) {
      if (error instanceof ImportError) throw error;
      return refused(error);
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
  const told =
    error instanceof ExpectedError
      ? { code: error.code, error: error.message }
      : { code: 'internal_error', error: `Something went wrong here; please report it: ${describeError(error)}` };
  return { ...NOTHING, status: 'refused', ...told };
}
