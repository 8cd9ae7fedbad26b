import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isAbsent } from '../../../values/index.js';
import { contradicts } from '../../notations/index.js';
import { ImportError, quoted } from '../import-error.js';
import { type RelatedRows, relateRows } from '../payments/relate-rows.js';
import { type Columns, chooseColumns } from './columns.js';
import { type CsvFormat, csvRows, type CsvRow, delimiterOf } from './csv-rows.js';
import { assertNotUtf8, beginningOf } from './csv-text.js';
import { fieldNamed } from './field-names.js';
import { fileRows, type TableFile } from './file-rows.js';
import { linesAboveHeader } from './find-header.js';
import { assertNoGiftBelow } from './lines-below.js';
import { looksLikeSum } from './looks-like-gift.js';
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
  /** Whether rows may lack e-mail and phone. */
  readonly withoutContacts?: boolean;
}

/** A file that was read to its end and can be imported. */
export interface InspectedFile extends TableFile, RelatedRows {
  readonly header: readonly string[];
  readonly columns: Columns;
  /** The number of rows, without the one that names the columns. */
  readonly rows: number;
  /** Whether a row may be a gift without an id. */
  readonly hasRowsWithoutId: boolean;
  /** The digest of the file's bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** A warning that the user should check before the import. */
  readonly warning: string | undefined;
}

/**
 * Reads the whole file before anything is recorded: checks that it is CSV in its encoding and that its columns are
 * understood, counts its rows, and finds those that belong together.
 * @throws ImportError
 */
export async function inspectFile(order: FileToInspect): Promise<InspectedFile> {
  const { path, mapping } = order;
  await assertFile(path);
  await assertNotUtf8(path, mapping.file.encoding);
  const format = await formatOf(order);
  const table = await readTable(order, format);
  const related = await relateRows(table.columns, table.rows, () => fileRows({ path, format }));
  const columns = { ...table.columns, payments: related.payments };
  return { path, format, ...table, ...related, columns, sha256: await sha256Of(path) };
}

async function formatOf({ path, mapping }: FileToInspect): Promise<CsvFormat> {
  const { skipLines, footer, encoding, separator } = mapping.file;
  const beginning = await beginningOf(path, { encoding, skipLines });
  if (skipLines === undefined) assertHeaderFirst(beginning, mapping);
  return { encoding, skipLines, footer, delimiter: separator ?? delimiterOf(beginning) };
}

/** @throws ImportError if the names of the columns are certainly on a later line. */
function assertHeaderFirst(beginning: string, { columns, only, refunds }: Mapping): void {
  const isKnown = (name: string): boolean =>
    columns.has(name) || only.has(name) || refunds.has(name) || fieldNamed(name) !== undefined;
  const above = linesAboveHeader(beginning, isKnown) ?? 0;
  if (above === 0) return;
  throw new ImportError(
    `The names of the columns seem to be on line ${above + 1}, below other text. Add "file": {"skipLines": ${above}} to ` +
      'the mapping. If they are on the first line, add "file": {"skipLines": 0}.',
  );
}

type Table = Pick<InspectedFile, 'header' | 'columns' | 'rows' | 'hasRowsWithoutId' | 'warning'>;

async function readTable(order: FileToInspect, format: CsvFormat): Promise<Table> {
  const { path, mapping, source, church, withoutContacts } = order;
  let table: { readonly header: readonly string[]; readonly columns: Columns } | undefined;
  let rows = 0;
  let hasRowsWithoutId = false;
  let last: CsvRow | undefined;
  const longNumbers = new LongNumbers();
  for await (const row of csvRows(path, format)) {
    const { cells } = row;
    if (table === undefined) {
      table = { header: cells, columns: chooseColumns(cells, mapping, source, church, withoutContacts) };
      continue;
    }
    rows++;
    last = row;
    const { fields } = table.columns;
    const id = cells[fields.indexOf('TransactionId')] ?? '';
    hasRowsWithoutId ||= isAbsent(id);
    longNumbers.add(id);
    assertOrderOfDates(row, table.columns);
  }
  if (table === undefined) throw new ImportError(`The file ${quoted(path)} is empty.`);
  if (mapping.file.footer === undefined) assertNoSum(last, table.columns);
  else await assertNoGiftBelow(path, format, table.columns);
  return { ...table, rows, hasRowsWithoutId, warning: longNumbers.warning() };
}

/** @throws ImportError for a date that can only be in the other order: then all dates of the file may be. */
function assertOrderOfDates({ line, cells }: CsvRow, { fields, file, church }: Columns): void {
  const date = cells[fields.indexOf('Date')];
  const order = file.dates ?? church.slashDates;
  if (date === undefined || !contradicts(date, order)) return;
  const other = order === 'M/D/Y' ? 'D/M/Y' : 'M/D/Y';
  throw new ImportError(
    `The date on line ${line} cannot be in the order ${order ?? ''}, so other dates of the file may be in another order, ` +
      `too. If it is ${other}, add "file": {"dates": "${other}"} to the mapping; otherwise correct the line.`,
  );
}

/** @throws ImportError if the last row is a sum: it would be recorded, or refused, as a gift. */
function assertNoSum(last: CsvRow | undefined, columns: Columns): void {
  if (last === undefined || !looksLikeSum(columns, last.cells)) return;
  throw new ImportError(
    `Line ${last.line} seems to be a sum, and not a gift. Add the number of lines below the table to the mapping: "file": ` +
      '{"footer": 1}. If it is a gift, add "file": {"footer": 0}.',
  );
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
