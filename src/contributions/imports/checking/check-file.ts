import { fieldsOfRow, kindOfRow, namesOf, type RefundColumns, refundColumns } from '../files/columns.js';
import { type CsvFormat, csvRows, delimiterOf, RowWidthError } from '../files/csv-rows.js';
import { beginningOf, isDecodable } from '../files/csv-text.js';
import { fileRows } from '../files/file-rows.js';
import { linesAboveHeader } from '../files/find-header.js';
import { type InspectedFile, inspectFile } from '../files/inspect-file.js';
import { lookBelow } from '../files/lines-below.js';
import { isSumLabel } from '../files/looks-like-gift.js';
import { type Mapping, type MappingObject, mappingOf } from '../files/mapping.js';
import type { ChurchOfFile } from '../files/undecided-columns.js';
import { mappingOfFormat } from '../formats/combine-mappings.js';
import type { Format } from '../formats/format.js';
import { ImportError } from '../import-error.js';
import { isKnownColumn } from './known-columns.js';
import { proposeMapping } from './propose-mapping.js';
import { fittingFormat } from './fitting-format.js';

/** What is known about a file before it is imported. */
export interface FileCheck {
  /** The built-in format whose columns the file has; null if there is none. */
  readonly format: string | null;
  /** The proposed mapping. With a format, only what it lacks. */
  readonly mapping: MappingObject;
  /** What was found, and what a person has to decide. */
  readonly remarks: readonly string[];
  /** The number of rows; null if the file cannot be imported with the proposal. */
  readonly rows: number | null;
  /** The first rows as they would be read. */
  readonly firstRows: readonly CheckedRow[];
}

export interface CheckedRow {
  readonly line: number;
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The most rows whose values are looked at. */
const MAX_SAMPLE = 5_000;
const SHOWN_ROWS = 5;
/** The most lines below the table that are recognised. */
const MAX_FOOTER = 5;
const SOURCE = 'check';

/** Inspects a file, and proposes a mapping. It needs no database. @throws ImportError if it is not CSV. */
export async function checkFile(path: string, church: ChurchOfFile): Promise<FileCheck> {
  const { format, mapping, remarks: found } = await proposeImport(path, church);
  const remarks = [...found];
  if (format !== undefined) remarks.push(`The columns are those of ${format.processor}: use --format ${format.name}.`);
  const inspected = await tryInspecting(path, church, format, mapping, remarks);
  return {
    format: format?.name ?? null,
    mapping,
    remarks,
    rows: inspected?.rows ?? null,
    firstRows: inspected === undefined ? [] : await firstRowsOf(inspected),
  };
}

/** A proposal for a file, and what it was made from. */
export interface ProposedImport {
  readonly header: readonly string[];
  /** The first rows of the table. */
  readonly rows: readonly (readonly string[])[];
  /** The built-in format whose columns the file has. */
  readonly format: Format | undefined;
  /** As in {@link FileCheck}. */
  readonly mapping: MappingObject;
  readonly remarks: readonly string[];
}

/** Proposes how a file is read. @throws ImportError if it is not CSV. */
export async function proposeImport(path: string, church: ChurchOfFile): Promise<ProposedImport> {
  const remarks: string[] = [];
  const file = await findTable(path, remarks);
  const sample = await readSample(path, file);
  const proposed = proposeFor(file, sample, church);
  const { footer } = await lookBelow(path, { ...file.format, footer: sample.footer }, columnsOf(proposed));
  const isRight = footer === sample.footer;
  const rows = isRight ? sample.rows : await readRows(path, { ...file.format, footer });
  if (footer > 0) remarks.push(`Lines below the table: ${footer}.`);
  const right = isRight ? proposed : proposeFor(file, { rows, footer }, church);
  return { ...right, remarks: [...remarks, ...right.remarks] };
}

function proposeFor(file: FoundTable, { rows: all, footer }: Sample, church: ChurchOfFile): ProposedImport {
  const [header = [], ...rows] = all;
  const keys = { ...file.keys, ...(footer > 0 && { footer }) };
  const format = fittingFormat(header);
  const { mapping, remarks } = proposeMapping({ header, rows, church, format, file: keys });
  return { header, rows, format, mapping, remarks };
}

/** The columns as the proposal reads them. It may not be complete. */
function columnsOf({ header, format, mapping: proposed }: ProposedImport): RefundColumns {
  const mapping = wholeMapping(format, proposed);
  return refundColumns(namesOf(header, mapping), mapping);
}

function wholeMapping(format: Format | undefined, proposed: MappingObject): Mapping {
  return format === undefined ? mappingOf(proposed) : mappingOfFormat(format, proposed);
}

interface FoundTable {
  readonly keys: Readonly<Record<string, unknown>>;
  readonly format: CsvFormat;
}

async function findTable(path: string, remarks: string[]): Promise<FoundTable> {
  const isUnicode = await isDecodable(path, undefined);
  const encoding = isUnicode ? undefined : 'windows-1252';
  if (!isUnicode) remarks.push('It is not UTF-8. Windows-1252 is likely: check names with accents.');
  const skipLines = linesAboveHeader(await beginningOf(path, { encoding }), isKnownColumn) ?? 0;
  if (skipLines > 0) remarks.push(`The names of the columns are on line ${skipLines + 1}.`);
  const delimiter = delimiterOf(await beginningOf(path, { encoding, skipLines }));
  return {
    keys: { ...(encoding !== undefined && { encoding }), ...(skipLines > 0 && { skipLines }) },
    format: { encoding, skipLines, delimiter },
  };
}

interface Sample {
  readonly rows: readonly (readonly string[])[];
  readonly footer: number;
}

/** Reads the file without the lines below its table, which seem to have another number of cells, or to be a sum. */
async function readSample(path: string, { format }: FoundTable): Promise<Sample> {
  for (let footer = 0; ; footer++) {
    try {
      const rows = await readRows(path, { ...format, footer });
      const isSum = rows.at(-1)?.some(isSumLabel) ?? false;
      if (isSum && footer < MAX_FOOTER) continue;
      return { rows, footer };
    } catch (error) {
      if (!(error instanceof RowWidthError) || footer === MAX_FOOTER) throw error;
    }
  }
}

async function readRows(path: string, format: CsvFormat): Promise<(readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  let last: readonly string[] | undefined;
  for await (const { cells } of csvRows(path, format)) {
    if (rows.length <= MAX_SAMPLE) rows.push(cells);
    last = cells;
  }
  return last === undefined || last === rows.at(-1) ? rows : [...rows, last];
}

async function tryInspecting(
  path: string,
  church: ChurchOfFile,
  format: Format | undefined,
  proposed: MappingObject,
  remarks: string[],
): Promise<InspectedFile | undefined> {
  try {
    const mapping = wholeMapping(format, proposed);
    return await inspectFile({ path, mapping, source: SOURCE, church, withoutContacts: true });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    remarks.push(error.message);
    return undefined;
  }
}

async function firstRowsOf(file: InspectedFile): Promise<CheckedRow[]> {
  const shown: CheckedRow[] = [];
  for await (const { line, cells } of fileRows(file)) {
    const fields = Object.entries(fieldsOfRow(file.columns, cells)).map(
      ([name, value]) => [name, typeof value === 'symbol' ? value.description : value] as const,
    );
    shown.push({ line, kind: kindOfRow(file.columns, cells), fields: Object.fromEntries(fields) });
    if (shown.length === SHOWN_ROWS) break;
  }
  return shown;
}
