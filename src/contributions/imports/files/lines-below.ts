import { ImportError } from '../import-error.js';
import type { RefundColumns } from './columns.js';
import { cellsOfLine, type CsvFormat } from './csv-rows.js';
import { linesBelow } from './csv-text.js';
import { looksLikeGift } from './looks-like-gift.js';

/** What is below a table. */
interface Below {
  /** The line of the last gift or refund among the lines that the footer cuts off; undefined if there is none. */
  readonly giftOn: number | undefined;
  /** The number of lines below it. */
  readonly footer: number;
}

/** Looks for gifts among the lines that the footer of a file cuts off. */
export async function lookBelow(path: string, format: CsvFormat, columns: RefundColumns): Promise<Below> {
  const { footer = 0 } = format;
  if (footer === 0) return { giftOn: undefined, footer };
  const lines = await linesBelow(path, format);
  const last = lines.findLastIndex(({ text }) => looksLikeGift(columns, cellsOfLine(text, format.delimiter)));
  return last < 0 ? { giftOn: undefined, footer } : { giftOn: lines[last]?.line, footer: lines.length - 1 - last };
}

/** @throws ImportError if the footer would cut off a gift: a sum that other files have may be missing. */
export async function assertNoGiftBelow(path: string, format: CsvFormat, columns: RefundColumns): Promise<void> {
  const { giftOn, footer } = await lookBelow(path, format, columns);
  if (giftOn === undefined) return;
  throw new ImportError(
    `Line ${giftOn} seems to be a gift, and not one of the ${String(format.footer)} lines below the table that "footer" of the ` +
      `mapping leaves out. Set "footer" to ${footer} for this file. If the line is no gift, remove it from the file.`,
  );
}
