import { normalizeText } from '../../../values/index.js';
import { type Columns, fieldsOfRow, kindOfRow } from '../files/columns.js';
import type { FileRow } from '../files/file-rows.js';
import { SeenIds } from '../identity/seen-ids.js';
import { PaymentRows, transactionKey } from './payment-rows.js';

/** How the rows of a file belong together. */
export interface RelatedRows {
  readonly payments: PaymentRows;
  /** The rows of refunds that come before the row of their gift. Many processors list the latest rows first. */
  readonly earlyRefunds: ReadonlySet<number>;
}

/**
 * Finds the rows that are one payment, and the refunds that come before their gift.
 * @param read reads the rows of the file, each time from the beginning.
 * @param count the number of rows.
 */
export async function relateRows(
  columns: Columns,
  count: number,
  read: () => AsyncIterable<FileRow>,
): Promise<RelatedRows> {
  const { fields, refunds } = columns;
  const hasIds = fields.includes('TransactionId');
  const hasFunds = fields.includes('FundName') || fields.includes('FundId');
  const hasRefunds = refunds.length > 0 || fields.includes('RefundOf');
  if (!hasIds || !(hasFunds || hasRefunds)) return { payments: new PaymentRows(0), earlyRefunds: new Set() };
  const { repeated, earlyRefunds } = await findRelated(columns, count, read);
  const payments = new PaymentRows(repeated.size === 0 || !hasFunds ? 0 : count, columns.file.repeats);
  if (repeated.size > 0 && hasFunds) {
    for await (const row of read()) {
      const fields = giftWithId(columns, row);
      if (fields === undefined || !repeated.has(transactionKey(fields))) continue;
      payments.add({ ...row, fields, isUnknown: kindOfRow(columns, row.cells) === 'unknown' });
    }
  }
  payments.finish();
  return { payments, earlyRefunds };
}

async function findRelated(
  columns: Columns,
  count: number,
  read: () => AsyncIterable<FileRow>,
): Promise<{ readonly repeated: ReadonlySet<string>; readonly earlyRefunds: ReadonlySet<number> }> {
  const seenIds = new SeenIds(count);
  const repeated = new Set<string>();
  const refundsOf = new Map<string, number[]>();
  const earlyRefunds = new Set<number>();
  for await (const row of read()) {
    if (kindOfRow(columns, row.cells) === 'refund') {
      const key = transactionKey(giftOfRefund(fieldsOfRow(columns, row.cells)));
      const refunds = refundsOf.get(key);
      if (refunds === undefined) refundsOf.set(key, [row.row]);
      else refunds.push(row.row);
      continue;
    }
    const fields = giftWithId(columns, row);
    if (fields === undefined) continue;
    const key = transactionKey(fields);
    for (const refund of refundsOf.get(key) ?? []) earlyRefunds.add(refund);
    refundsOf.delete(key);
    const { Source: source, TransactionId: id } = fields;
    const isRepeated = seenIds.add({
      source: normalizeText(String(source)),
      id: normalizeText(String(id)),
      line: row.line,
    });
    if (isRepeated !== undefined) repeated.add(key);
  }
  return { repeated, earlyRefunds };
}

/** The fields of a refund, with the id of the gift as TransactionId and that of the refund as RefundId. */
export function giftOfRefund(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { RefundOf, TransactionId, RefundId = TransactionId } = fields;
  return RefundOf === undefined ? fields : { ...fields, TransactionId: RefundOf, RefundId };
}

/** The fields of a row that is a gift with an id, or may be one: it has an unknown value. */
function giftWithId(columns: Columns, { cells }: FileRow): Readonly<Record<string, unknown>> | undefined {
  const kind = kindOfRow(columns, cells);
  if (kind !== 'gift' && kind !== 'unknown') return undefined;
  const fields = fieldsOfRow(columns, cells);
  return fields['TransactionId'] === undefined ? undefined : fields;
}
