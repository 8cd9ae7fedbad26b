import { normalizeText } from '../../../values/index.js';
import { RepeatedTransactionIdError } from '../errors.js';
import { type Columns, fieldsOfRow } from '../files/columns.js';
import { assertNotShortened } from '../files/shortened-id.js';
import type { SeenIds } from './seen-ids.js';

/**
 * Checks that no earlier row has the TransactionId of this row, with the same Source.
 * @throws InvalidRequestError if a spreadsheet has shortened the id, RepeatedTransactionIdError
 */
export function assertIdIsUnique(
  { columns, seenIds }: { readonly columns: Columns; readonly seenIds: SeenIds },
  { line }: { readonly line: number },
  cells: readonly string[],
): void {
  const { Source: source, TransactionId: sent } = fieldsOfRow(columns, cells);
  if (typeof sent !== 'string') return;
  const id = normalizeText(sent);
  assertNotShortened(id);
  const firstLine = seenIds.add({ source: normalizeText(String(source)), id, line });
  if (firstLine !== undefined) throw new RepeatedTransactionIdError(id, firstLine);
}

/** The row's TransactionId; null if it has none. */
export function sentId(columns: Columns, cells: readonly string[]): string | null {
  const { TransactionId: id } = fieldsOfRow(columns, cells);
  return typeof id === 'string' ? normalizeText(id) : null;
}
