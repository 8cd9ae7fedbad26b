import { Injectable } from '@nestjs/common';
import { ExpectedError } from '../../http/index.js';
import { kindOfRow } from './files/columns.js';
import { ReadRow } from './files/read-row.js';
import { idKeyOf } from './identity/row-keys.js';
import { sentId, sentSource } from './identity/sent-id.js';
import { type ImportContext, ImportRow, type RowPosition, type RowToImport } from './import-row.js';
import type { PaymentResults } from './payments/payment-results.js';
import { RefundedSoFar } from './refunds/refunded-so-far.js';
import type { RefundIds } from './refunds/refund-ids.js';
import { RefundRow } from './refunds/refund-row.js';
import { EMPTY_OUTCOME, type Outcome, refusedOutcome } from './results/row-outcome.js';

/** The data that all rows of a file share. */
export interface FileContext extends ImportContext {
  readonly refundIds: RefundIds;
  readonly paymentResults: PaymentResults;
}

/** Imports a row of any kind: a gift, a further row of a payment, a refund, or one that the mapping leaves out. */
@Injectable()
export class ImportFileRow {
  constructor(
    private readonly readRow: ReadRow,
    private readonly importRow: ImportRow,
    private readonly refundRow: RefundRow,
    private readonly refundedSoFar: RefundedSoFar,
  ) {}

  /**
   * Reads a row, and records nothing: call `importRow` of the result to record it. The rows must be read in the order of
   * the file.
   */
  read(context: FileContext, position: RowPosition, cells: readonly string[]): RowToImport {
    const { columns, paymentResults } = context;
    const firstRow = columns.payments?.firstRowOf(position.row);
    if (firstRow === undefined) return this.readRowOfItsOwn(context, position, cells);
    if (firstRow !== position.row) {
      const keys = [idKeyOf(sentSource(columns, cells), sentId(columns, cells) ?? null)];
      const isLast = columns.payments?.isLastRow(position.row) ?? false;
      return { keys, importRow: paymentResults.further(firstRow, position, isLast) };
    }
    const { keys, importRow } = this.readRowOfItsOwn(context, position, cells);
    return { keys, importRow: paymentResults.first(firstRow, importRow) };
  }

  private readRowOfItsOwn(context: FileContext, position: RowPosition, cells: readonly string[]): RowToImport {
    const withoutWork = (outcome: Outcome): RowToImport => {
      const transactionId = sentId(context.columns, cells) ?? null;
      return { keys: [], importRow: () => Promise.resolve({ ...position, transactionId, ...outcome }) };
    };
    try {
      const kind = kindOfRow(context.columns, cells);
      if (kind === 'left out') return withoutWork({ ...EMPTY_OUTCOME, status: 'left out' });
      return kind === 'gift' ? this.readGift(context, position, cells) : this.readRefund(context, position, cells);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      return withoutWork(refusedOutcome(error));
    }
  }

  private readGift(context: FileContext, position: RowPosition, cells: readonly string[]): RowToImport {
    const { keys, importRow } = this.importRow.read(context, position, cells);
    const refunded = this.refundedSoFar.read(this.readRow.fieldsOf(context.columns, cells));
    if (refunded === undefined) return { keys, importRow };
    return { keys, importRow: async () => this.refundedSoFar.bringUpTo(context, refunded, await importRow()) };
  }

  private readRefund(context: FileContext, position: RowPosition, cells: readonly string[]): RowToImport {
    const { transactionId, keys, importRow } = this.refundRow.read(context, cells);
    return { keys, importRow: async () => ({ ...position, transactionId, ...(await importRow()) }) };
  }
}
