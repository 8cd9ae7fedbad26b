import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../auth/index.js';
import { Transactions } from '../../../database/index.js';
import { ExpectedError, InvalidRequestError, RequestReader } from '../../../http/index.js';
import { SentRequest } from '../../../idempotency/index.js';
import { normalizeText } from '../../../values/index.js';
import { findFundsOfPayments } from '../../funds/index.js';
import { ContributionAlreadyReversedError } from '../../gifts/index.js';
import { CONTRIBUTION_NOT_FOUND } from '../../ledger/index.js';
import { RefundIdReusedError, ReverseContribution, type ReverseContributionCommand } from '../../reversals/index.js';
import type { DatabaseRetry } from '../database-retry.js';
import { type Columns, fieldsWithOwnFund } from '../files/columns.js';
import { ReadRow } from '../files/read-row.js';
import type { EarlierRows } from '../identity/earlier-rows.js';
import { idKeyOf } from '../identity/row-keys.js';
import { giftOfRefund } from '../payments/relate-rows.js';
import { ImportError } from '../import-error.js';
import { EMPTY_OUTCOME, type Outcome, refusedOutcome } from '../results/row-outcome.js';
import { RecordedRefunds } from './recorded-refunds.js';
import type { RefundIdentity, RefundIds } from './refund-ids.js';
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

/** A refund as its row says it. */
interface ReadRefund {
  readonly request: RefundRowRequest;
  /** YYYY-MM-DD at the church; undefined if the row has no date. */
  readonly day: string | undefined;
  readonly keys: readonly string[];
  /** The id of a refund whose row has none, once it was made. */
  madeId?: string;
}

type RefundCommand = ReverseContributionCommand & { readonly refundId: string };

/** Takes back the gift that a row names by its TransactionId, by the rules of ReverseTransaction. */
@Injectable()
export class RefundRow {
  constructor(
    private readonly reader: RequestReader,
    private readonly readRow: ReadRow,
    private readonly transactions: Transactions,
    private readonly recordedRefunds: RecordedRefunds,
    private readonly reverseContribution: ReverseContribution,
  ) {}

  /**
   * Reads a row, and records nothing. The refunds that share a key must be recorded in the order of the file.
   * @throws InvalidRequestError
   */
  read(context: RefundContext, cells: readonly string[]): RefundToImport {
    const { columns } = context;
    const fields = giftOfRefund(fieldsWithOwnFund(columns, cells));
    const request = this.reader.read(RefundRowRequest, fields);
    assertOwnCurrency(fields, columns.church.currency);
    const { Source: source, TransactionId: transactionId, Date: date, RefundId } = request;
    const day = date === undefined || RefundId !== undefined ? undefined : this.readRow.dayOf(columns, date);
    const refund: ReadRefund = { request, day, keys: [idKeyOf(source, transactionId)] };
    return { transactionId, keys: refund.keys, importRow: () => this.record(context, refund) };
  }

  private async record(context: RefundContext, refund: ReadRefund): Promise<Outcome> {
    const { retry, earlierRows } = context;
    try {
      return await retry.whileUnavailable(async () => {
        const command = await this.commandOf(context, refund);
        return await this.orAsRecorded(command, (command) =>
          earlierRows === undefined ? this.reverse(command) : this.preview(command, earlierRows, refund.keys),
        );
      });
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (error instanceof ContributionAlreadyReversedError)
        return { ...EMPTY_OUTCOME, status: 'already reversed', contributionId: error.contributionId };
      return refusedOutcome(error);
    }
  }

  private async commandOf(context: RefundContext, refund: ReadRefund): Promise<RefundCommand> {
    const { request } = refund;
    const { Source: source, TransactionId: transactionId, Amount: amount } = request;
    const { id, fundId } = await this.identityOf(context, refund);
    return {
      payment: { source, transactionId },
      source,
      amount,
      givenToFund: fundId,
      refundId: id,
      user: context.user,
      operation: 'ReverseTransaction',
      key: undefined,
      sent: new SentRequest(request),
    };
  }

  /** The fund that the row names. @throws FundNameNotFoundError, InvalidRequestError */
  private async fundOf({ FundId: fundId, FundName: fundName }: RefundRowRequest): Promise<number | undefined> {
    if (fundName === undefined) return fundId;
    const found = await this.transactions.run((tx) => findFundsOfPayments(tx, [[{ fundId, fundName }]]));
    return found[0]?.[0]?.fundId;
  }

  private async identityOf(context: RefundContext, refund: ReadRefund): Promise<RefundIdentity> {
    const { columns, refundIds, user } = context;
    const { Source: source, TransactionId: transactionId, Amount: amount, RefundId: sentId } = refund.request;
    const fundId = await this.fundOf(refund.request);
    if (sentId !== undefined) return { id: sentId, fundId };
    const content = { source, transactionId, amount, day: refund.day, fundId };
    refund.madeId ??= refundIds.next(content);
    const recorded = await this.recordedRefunds.idsOf(user.userId, content);
    return refundIds.identify(refund.madeId, content, recorded, (date) => this.readRow.dayOfEarlierFile(columns, date));
  }

  /** Repeats a refund that was recorded without its fund: sent by the processor itself, or imported by an earlier release. */
  private async orAsRecorded(
    command: RefundCommand,
    work: (command: RefundCommand) => Promise<Outcome>,
  ): Promise<Outcome> {
    try {
      return await work(command);
    } catch (error) {
      if (!(error instanceof RefundIdReusedError) || command.givenToFund === undefined) throw error;
      // The id is known, so this takes nothing back.
      return work({ ...command, givenToFund: undefined });
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
