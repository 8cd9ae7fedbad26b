import { type CsvFormat, csvRows } from './csv-rows.js';

/** A row of the table in a file. */
export interface FileRow {
  /** From 1, not counting the line with the names of the columns. */
  readonly row: number;
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file whose form is known. */
export interface TableFile {
  readonly path: string;
  readonly format: CsvFormat;
}

/** Reads the rows below the names of the columns, in the order of the file. @throws ImportError */
export async function* fileRows({ path, format }: TableFile): AsyncGenerator<FileRow, void, undefined> {
  let row = -1;
  for await (const { line, cells } of csvRows(path, format)) {
    row++;
    if (row > 0) yield { row, line, cells };
  }
}

/** The rows in the order in which they are recorded: refunds that come before their gift are at the end. */
export async function* rowsToRecord(
  file: TableFile & { readonly earlyRefunds: ReadonlySet<number> },
): AsyncGenerator<FileRow, void, undefined> {
  const { earlyRefunds } = file;
  for await (const row of fileRows(file)) if (!earlyRefunds.has(row.row)) yield row;
  if (earlyRefunds.size === 0) return;
  for await (const row of fileRows(file)) if (earlyRefunds.has(row.row)) yield row;
}
