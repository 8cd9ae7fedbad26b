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

/** A file that can be read to its end. */
export interface Survey {
  readonly path: string;
  readonly delimiter: Delimiter;
  readonly header: readonly string[];
  readonly columns: Columns;
  /** How many rows there are, without the one that names the columns. */
  readonly rows: number;
  /** Of the file's bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** What a person should look at before anything is recorded. */
  readonly warning: string | undefined;
}

/**
 * Reads the whole file once before anything is booked: whether it is CSV in UTF-8, whether its columns are understood,
 * and how many rows there are.
 * @throws ImportError
 */
export async function survey(
  path: string,
  mapping: Mapping,
  source: string | undefined,
  church: ChurchOfFile,
): Promise<Survey> {
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
  // It is read more than once.
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
