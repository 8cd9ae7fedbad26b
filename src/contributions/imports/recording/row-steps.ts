import { MAX_GIFTS } from '../../gifts/index.js';
import { equalGiftKey } from '../identity/row-keys.js';
import type { Refund, RefundedGift, RowOfGift, RowToImport } from '../import-file-row.js';
import type { NewRow } from '../import-row.js';

/** Rows that are imported together: a batch of gifts, or a single row with which something is taken back. */
export type Step = { readonly kind: 'gifts'; readonly rows: readonly RowOfGift[] } | RefundedGift | Refund;

/**
 * Combines the gifts of a file to batches, in the order of the rows. A row with which something is taken back ends a batch. So
 * does a row without an id that is alike or similar to one of the batch: whether it may be recorded is decided only after that
 * one is.
 */
export async function* stepsOf(rows: AsyncIterable<RowToImport>): AsyncGenerator<Step> {
  let batch: RowOfGift[] = [];
  let keys = new Set<string>();
  const take = (): Step => {
    const step = { kind: 'gifts', rows: batch } as const;
    batch = [];
    keys = new Set();
    return step;
  };
  for await (const row of rows) {
    const own = row.kind === 'new' ? keysOfAlike(row) : [];
    const isAlone = row.kind === 'refund' || row.kind === 'refunded gift';
    const endsBatch = isAlone || batch.length === MAX_GIFTS || own.some((key) => keys.has(key));
    if (batch.length > 0 && endsBatch) yield take();
    if (isAlone) {
      yield row;
      continue;
    }
    batch.push(row);
    for (const key of own) keys.add(key);
  }
  if (batch.length > 0) yield take();
}

/** Rows without an id that are alike or similar share one of these keys. */
function keysOfAlike({ derived, command }: NewRow): string[] {
  return derived === undefined ? [] : [derived.alikeKey, equalGiftKey(command)];
}
