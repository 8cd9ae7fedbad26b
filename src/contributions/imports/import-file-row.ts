import { Injectable } from '@nestjs/common';
import { ExpectedError } from '../../http/index.js';
import { kindOfRow, refuseUnknownValue } from './files/columns.js';
import { ReadRow } from './files/read-row.js';
import { sentId } from './identity/sent-id.js';
import { type ImportContext, ImportRow, type NewRow, type RecordedRow, type RowPosition } from './import-row.js';
import type { PaymentResults } from './payments/payment-results.js';
import { RefundedSoFar } from './refunds/refunded-so-far.js';
import type { RefundIds } from './refunds/refund-ids.js';
import { RefundRow } from './refunds/refund-row.js';
import type { RowResult } from './results/result-file.js';
import { EMPTY_OUTCOME, type Outcome, refusedOutcome } from './results/row-outcome.js';

/** The data that all rows of a file share. */
export interface FileContext extends ImportContext {
  readonly refundIds: RefundIds;
  readonly paymentResults: PaymentResults;
}

/** A row that was read. */
export type RowToImport = RowOfGift | RefundedGift | Refund;

/** A row that a batch can contain. */
export type RowOfGift = DecidedRow | RecordedRow | NewRow | FurtherRow;

/** A row that is refused or left out, whatever is recorded. */
interface DecidedRow {
  readonly kind: 'decided';
  readonly position: RowPosition;
  readonly outcome: Outcome & Pick<RowResult, 'transactionId'>;
}

/** A row of a payment that an earlier row records. */
interface FurtherRow {
  readonly kind: 'further';
  readonly position: RowPosition;
  readonly firstRow: number;
}

/** A gift of which something was refunded so far. */
export interface RefundedGift {
  readonly kind: 'refunded gift';
  readonly position: RowPosition;
  readonly gift: RecordedRow | NewRow;
  /**
   * Takes back what is missing, after the gift was recorded. @param result of the gift.
   * @throws ImportError if the database remains unavailable. All other errors are in the result.
   */
  readonly takeBack: (result: RowResult) => Promise<RowResult>;
}

/** A row that takes a gift back. */
export interface Refund {
  readonly kind: 'refund';
  readonly position: RowPosition;
  /** Refunds that share a key are recorded one after the other. */
  readonly keys: readonly string[];
  /** @throws ImportError if the database remains unavailable. All other errors are in the result. */
  readonly importRow: () => Promise<RowResult>;
}

/** Reads a row of any kind: a gift, a further row of a payment, a refund, or one that the mapping leaves out. */
@Injectable()
export class ImportFileRow {
  constructor(
    private readonly readRow: ReadRow,
    private readonly importRow: ImportRow,
    private readonly refundRow: RefundRow,
    private readonly refundedSoFar: RefundedSoFar,
  ) {}

  /** Reads a row, and records nothing. The rows must be read in the order in which they are recorded. */
  read(context: FileContext, position: RowPosition, cells: readonly string[]): RowToImport {
    const firstRow = context.columns.payments?.firstRowOf(position.row);
    if (firstRow !== undefined && firstRow !== position.row) return { kind: 'further', position, firstRow };
    const decided = (outcome: Outcome): DecidedRow => {
      const transactionId = sentId(context.columns, cells);
      return { kind: 'decided', position, outcome: { transactionId, ...outcome } };
    };
    try {
      const kind = kindOfRow(context.columns, cells);
      if (kind === 'unknown') refuseUnknownValue(context.columns, cells);
      if (kind === 'left out') return decided({ ...EMPTY_OUTCOME, status: 'left out' });
      return kind === 'gift' ? this.readGift(context, position, cells) : this.readRefund(context, position, cells);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      return decided(refusedOutcome(error));
    }
  }

  private readGift(context: FileContext, position: RowPosition, cells: readonly string[]): RowToImport {
    const gift = this.importRow.read(context, position, cells);
    // Most files do not say it, and converting the cells of each row once more takes time.
    const { fields, lost } = context.columns;
    if (!fields.includes('RefundedAmount') && lost.length === 0) return gift;
    const refunded = this.refundedSoFar.read(this.readRow.fieldsOf(context.columns, cells));
    if (refunded === undefined) return gift;
    const takeBack = (result: RowResult): Promise<RowResult> => this.refundedSoFar.bringUpTo(context, refunded, result);
    return { kind: 'refunded gift', position, gift, takeBack };
  }

  private readRefund(context: FileContext, position: RowPosition, cells: readonly string[]): Refund {
    const { transactionId, keys, importRow } = this.refundRow.read(context, cells);
    const importWhole = async (): Promise<RowResult> => ({ ...position, transactionId, ...(await importRow()) });
    return { kind: 'refund', position, keys, importRow: importWhole };
  }
}
