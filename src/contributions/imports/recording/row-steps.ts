import { MAX_GIFTS } from '../../gifts/index.js';
import { equalGiftKey } from '../identity/row-keys.js';
import type { NewRow, RefundToImport, RowOfGift, RowToImport } from '../import-row.js';

/** Rows that are imported together: a batch of gifts, or a refund. */
export type Step = { readonly kind: 'gifts'; readonly rows: readonly RowOfGift[] } | RefundToImport;

/**
 * Combines the gifts of a file to batches, in the order of the file. A refund ends a batch. So does a row without an id that
 * is alike or similar to one of the batch: whether it may be recorded is decided only after that one is.
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
    const endsBatch = row.kind === 'refund' || batch.length === MAX_GIFTS || own.some((key) => keys.has(key));
    if (batch.length > 0 && endsBatch) yield take();
    if (row.kind === 'refund') {
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
