import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../database/index.js';
import { ExpectedError } from '../../../http/index.js';
import {
  AddContributions,
  type BatchResult,
  ContributionAlreadyReversedError,
  type RecordedTransaction,
  recordedTransactions,
} from '../../gifts/index.js';
import { ImportError } from '../import-error.js';
import type { FileContext, RefundedGift, RowOfGift } from '../import-file-row.js';
import type { ImportContext, NewRow, RecordedRow } from '../import-row.js';
import type { RowResult } from '../results/result-file.js';
import { answerOf, EMPTY_OUTCOME, type Outcome, reviewOf } from '../results/row-outcome.js';
import { withResults } from './interrupted-rows.js';
import { refusalBefore, refusalOf } from './row-refusals.js';

/** A row that was to be recorded, with its result or the error. */
type Attempt = readonly [
  NewRow,
  { readonly result: Exclude<BatchResult, ExpectedError> } | { readonly error: unknown },
];

/** Records rows by the rules by which AddContributions records a batch. */
@Injectable()
export class RecordRows {
  constructor(
    private readonly addContributions: AddContributions,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Records rows in one transaction, in their order. Each is recorded or refused by itself. Of the rows without an id no two
   * may be alike or similar, because both is decided before the first of them is recorded.
   * @returns their results, in the same order.
   * @throws ImportError if the database remains unavailable. All other errors are in the results.
   */
  async record(context: FileContext, rows: readonly RowOfGift[]): Promise<RowResult[]> {
    const { paymentResults } = context;
    const results = new Map<RowOfGift, RowResult>();
    try {
      await this.recordInto(results, context, rows);
    } catch (error) {
      // What is recorded must be in the result, although the import stops.
      throw withResults(
        error,
        rows.flatMap((row) => results.get(row) ?? []),
      );
    }
    return rows.map((row) => {
      const result = row.kind === 'further' ? paymentResults.further(row.firstRow, row.position) : results.get(row);
      if (result === undefined) throw new Error(`Row ${row.position.row} has no result`);
      return paymentResults.keep(result);
    });
  }

  /** @param results receives the result of each row, apart from the further rows of payments. */
  private async recordInto(
    results: Map<RowOfGift, RowResult>,
    context: FileContext,
    rows: readonly RowOfGift[],
  ): Promise<void> {
    const toRecord: NewRow[] = [];
    const recorded = new Map<NewRow | RecordedRow, number>();
    for (const row of rows) {
      if (row.kind === 'recorded') recorded.set(row, row.contributionId);
      if (row.kind === 'decided') results.set(row, { ...row.position, ...row.outcome });
      if (row.kind !== 'new') continue;
      const refusal = refusalBefore(context, row);
      if (refusal === undefined) toRecord.push(row);
      else results.set(row, { ...identified(row), ...refusal });
    }
    await this.add(context, toRecord, ([row, attempt]) => {
      if ('result' in attempt) results.set(row, { ...identified(row), ...outcomeOf(attempt.result) });
      else if (attempt.error instanceof ContributionAlreadyReversedError)
        recorded.set(row, attempt.error.contributionId);
      else results.set(row, { ...identified(row), ...refusalOf(context, row, attempt.error) });
    });
    for (const [row, result] of await this.recordedRows(context, recorded)) results.set(row, result);
  }

  /** Records a gift, and takes back what was refunded of it. @throws ImportError as {@link record} does. */
  async recordRefunded(context: FileContext, { gift, takeBack }: RefundedGift): Promise<RowResult> {
    const [result] = await this.record(context, [gift]);
    if (result === undefined) throw new Error('A row has no result');
    try {
      return context.paymentResults.keep(await takeBack(result));
    } catch (error) {
      // The gift is recorded, and nothing was taken back yet.
      throw withResults(error, [result]);
    }
  }

  /** @param done receives each row as soon as it is recorded or refused. */
  private async add(context: ImportContext, rows: readonly NewRow[], done: (attempt: Attempt) => void): Promise<void> {
    if (rows.length === 0) return;
    try {
      const commands = rows.map(({ command }) => command);
      const results = await context.retry.whileUnavailable(() => this.addContributions.record(commands));
      rows.forEach((row, place) => {
        const result = results[place];
        done([row, result === undefined || result instanceof ExpectedError ? { error: result } : { result }]);
      });
    } catch (error) {
      if (error instanceof ImportError) throw error;
      const [first, ...others] = rows;
      if (first !== undefined && others.length === 0) {
        done([first, { error }]);
        return;
      }
      // The fault of one row must not refuse the others.
      for (const row of rows) await this.add(context, [row], done);
    }
  }

  /** The results of rows whose gifts are recorded already. @param recorded the ContributionIds by row. */
  private async recordedRows(
    { retry }: ImportContext,
    recorded: ReadonlyMap<NewRow | RecordedRow, number>,
  ): Promise<[RowOfGift, RowResult][]> {
    if (recorded.size === 0) return [];
    const gifts = await retry.whileUnavailable(() =>
      this.transactions.run((tx) => recordedTransactions(tx, [...recorded.values()])),
    );
    return [...recorded].flatMap(([row, contributionId]): [RowOfGift, RowResult][] => {
      const gift = gifts.get(contributionId);
      return gift === undefined ? [] : [[row, { ...row.position, ...resultOfRecorded(gift) }]];
    });
  }
}

function identified({ position, command }: NewRow): Pick<RowResult, 'row' | 'line' | 'transactionId'> {
  return { ...position, transactionId: command.transactionId };
}

function outcomeOf({ answer, replayed, ...review }: Exclude<BatchResult, ExpectedError>): Outcome {
  const status = replayed ? 'already recorded' : 'recorded';
  return { ...EMPTY_OUTCOME, ...answerOf(answer), ...reviewOf(review), status };
}

function resultOfRecorded(gift: RecordedTransaction): Omit<RowResult, 'row' | 'line'> {
  const status = gift.isReversed ? 'already recorded (reversed)' : 'already recorded';
  return { ...EMPTY_OUTCOME, transactionId: gift.transactionId, ...answerOf(gift), status };
}
