import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Columns, chooseColumns } from './columns.js';
import { csvRows, type Delimiter, delimiterOf } from './csv-rows.js';
import { csvText } from './csv-text.js';
import { ImportError, quoted } from '../import-error.js';
import type { Mapping } from './mapping.js';
import { LongNumbers } from './shortened-id.js';
import type { ChurchOfFile } from './undecided-columns.js';

/** A file to read, and how. */
export interface FileToInspect {
  readonly path: string;
  readonly mapping: Mapping;
  /** Of rows without a Source. */
  readonly source: string | undefined;
  readonly church: ChurchOfFile;
}

/** A file that was read to its end and can be imported. */
export interface InspectedFile {
  readonly path: string;
  readonly delimiter: Delimiter;
  readonly header: readonly string[];
  readonly columns: Columns;
  /** The number of rows, without the one that names the columns. */
  readonly rows: number;
  /** The digest of the file's bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** A warning that the user should check before the import. */
  readonly warning: string | undefined;
}

/**
 * Reads the whole file before anything is recorded: checks that it is CSV in UTF-8 and that its columns are understood,
 * and counts its rows.
 * @throws ImportError
 */
export async function inspectFile({ path, mapping, source, church }: FileToInspect): Promise<InspectedFile> {
  await assertFile(path);
  const delimiter = delimiterOf(await beginning(path));
  let header: readonly string[] | undefined;
  let columns: Columns | undefined;
  let rows = 0;
  const longNumbers = new LongNumbers();
  for await (const { cells } of csvRows(path, delimiter)) {
    if (columns !== undefined) {
      rows++;
      longNumbers.add(cells[columns.fields.indexOf('TransactionId')] ?? '');
    } else {
      header = cells;
      columns = chooseColumns(cells, mapping, source, church);
    }
  }
  if (header === undefined || columns === undefined) throw new ImportError(`The file ${quoted(path)} is empty.`);
  const warning = longNumbers.warning();
  return { path, delimiter, header, columns, rows, sha256: await sha256Of(path), warning };
}

async function assertFile(path: string): Promise<void> {
  const file = await stat(path).catch((error: unknown) => {
    throw new ImportError(`The file ${quoted(path)} cannot be read: ${(error as NodeJS.ErrnoException).code ?? ''}.`);
  });
  // The file is read more than once, so a pipe cannot be used.
  if (!file.isFile()) throw new ImportError(`${quoted(path)} is not a file.`);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function beginning(path: string): Promise<string> {
  for await (const text of csvText(path)) return text;
  return '';
}
