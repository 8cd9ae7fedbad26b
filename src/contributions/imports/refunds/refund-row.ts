import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../auth/index.js';
import { ExpectedError, InvalidRequestError, RequestReader } from '../../../http/index.js';
import { SentRequest } from '../../../idempotency/index.js';
import { normalizeText } from '../../../values/index.js';
import { ContributionAlreadyReversedError } from '../../gifts/index.js';
import { CONTRIBUTION_NOT_FOUND } from '../../ledger/index.js';
import { ReverseContribution, type ReverseContributionCommand } from '../../reversals/index.js';
import type { DatabaseRetry } from '../database-retry.js';
import { type Columns, fieldsOfRow } from '../files/columns.js';
import type { EarlierRows } from '../identity/earlier-rows.js';
import { idKeyOf } from '../identity/row-keys.js';
import { giftOfRefund } from '../payments/relate-rows.js';
import { ImportError } from '../import-error.js';
import { EMPTY_OUTCOME, type Outcome, refusedOutcome } from '../results/row-outcome.js';
import type { RefundIds } from './refund-ids.js';
import { RefundRowRequest } from './refund-row.request.js';

interface RefundContext {
  readonly columns: Columns;
  readonly user: Pick<Caller, 'userId' | 'username'>;
  readonly refundIds: RefundIds;
  /** Of a dry run; undefined if rows are recorded. */
  readonly earlierRows: EarlierRows | undefined;
  readonly retry: DatabaseRetry;
}

/** A refund that was read and can be recorded. */
interface RefundToImport {
  readonly transactionId: string;
  /** Orders the row after that of its gift. */
  readonly keys: readonly string[];
  /** @throws ImportError if the database remains unavailable. All other errors are in the outcome. */
  readonly importRow: () => Promise<Outcome>;
}

/** Takes back the gift that a row names by its TransactionId, by the rules of ReverseTransaction. */
@Injectable()
export class RefundRow {
  constructor(
    private readonly reader: RequestReader,
    private readonly reverseContribution: ReverseContribution,
  ) {}

  /** Reads a row, and records nothing. Rows must be read in the order of the file. @throws InvalidRequestError */
  read(context: RefundContext, cells: readonly string[]): RefundToImport {
    const fields = giftOfRefund(fieldsOfRow(context.columns, cells));
    const request = this.reader.read(RefundRowRequest, fields);
    assertOwnCurrency(fields, context.columns.church.currency);
    const { Source: source, TransactionId: transactionId, Amount: amount } = request;
    const command: ReverseContributionCommand = {
      payment: { source, transactionId },
      source,
      amount,
      refundId: context.refundIds.next(request),
      user: context.user,
      operation: 'ReverseTransaction',
      key: undefined,
      sent: new SentRequest(request),
    };
    const keys = [idKeyOf(source, transactionId)];
    return { transactionId, keys, importRow: () => this.record(context, command, keys) };
  }

  private async record(
    { retry, earlierRows }: RefundContext,
    command: ReverseContributionCommand,
    keys: readonly string[],
  ): Promise<Outcome> {
    try {
      return await retry.whileUnavailable(() =>
        earlierRows === undefined ? this.reverse(command) : this.preview(command, earlierRows, keys),
      );
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (error instanceof ContributionAlreadyReversedError)
        return { ...EMPTY_OUTCOME, status: 'already reversed', contributionId: error.contributionId };
      return refusedOutcome(error);
    }
  }

  private async reverse(command: ReverseContributionCommand): Promise<Outcome> {
    const { answer, replayed } = await this.reverseContribution.reverse(command);
    const { contributionId, peopleId } = answer;
    return { ...EMPTY_OUTCOME, status: replayed ? 'already reversed' : 'reversed', contributionId, peopleId };
  }

  private async preview(
    command: ReverseContributionCommand,
    earlierRows: EarlierRows,
    keys: readonly string[],
  ): Promise<Outcome> {
    try {
      const { answer, replayed } = await this.reverseContribution.preview(command);
      const { contributionId, peopleId } = answer;
      return {
        ...EMPTY_OUTCOME,
        status: replayed ? 'already reversed' : 'would be reversed',
        contributionId,
        peopleId,
      };
    } catch (error) {
      // The gift is in this file, and would be recorded before.
      const isUnknown = error instanceof ExpectedError && error.kind === CONTRIBUTION_NOT_FOUND;
      if (!isUnknown || earlierRows.relatedTo(keys).length === 0) throw error;
      return { ...EMPTY_OUTCOME, status: 'would be reversed' };
    }
  }
}

/** @throws InvalidRequestError for a refund in another currency than the church's: its gift was not recorded. */
function assertOwnCurrency({ Currency: sent }: Readonly<Record<string, unknown>>, own: string): void {
  const code = typeof sent === 'string' ? normalizeText(sent).toUpperCase() : sent;
  if (code === undefined || code === own) return;
  throw InvalidRequestError.ofFields([{ field: 'Currency', message: `must be ${own}, the church's currency` }]);
}
