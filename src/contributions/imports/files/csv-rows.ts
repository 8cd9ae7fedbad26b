import { pipeline } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseLine } from 'csv-parse/sync';
import { csvText, lineEnds, type TextFormat } from './csv-text.js';
import { ImportError } from '../import-error.js';
import type { Separator } from './file-format.js';
import { isBlank } from '../../../values/index.js';

/** A row of a file, including the one with the names of the columns. */
export interface CsvRow {
  /** The line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** How the text of a file is divided into rows. */
export interface CsvFormat extends TextFormat {
  readonly delimiter: Separator;
}

/** The most characters of one row. If a quotation mark is never closed, the rest of the file is one row. */
export const MAX_ROW_LENGTH = 1_000_000;

/** Messages by the parser's code. The parser's own messages are not used, because they quote the file. */
const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark that opens a cell there is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'something follows the quotation mark that closes a cell (one within a cell is doubled)',
  INVALID_OPENING_QUOTE: 'a cell contains a quotation mark but does not begin with one',
  CSV_MAX_RECORD_SIZE: `it is longer than ${MAX_ROW_LENGTH} characters; a quotation mark may be missing`,
};

/**
 * Reads the rows of a CSV file (RFC 4180, with the line ends of any system). Only the current part of the file is in
 * memory. Blank lines, and blank cells at the end of rows, are left out.
 * @throws ImportError with the line, if the file is not text in its encoding, or not valid CSV.
 */
export async function* csvRows(path: string, format: CsvFormat): AsyncGenerator<CsvRow, void, undefined> {
  const { delimiter, skipLines = 0 } = format;
  const lines = new LineCount(skipLines);
  const width = new RowWidth();
  const options: Options<CsvRow, string[]> = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    // RowWidth checks the number of cells, because blank cells at the end of a row are allowed.
    relax_column_count: true,
    max_record_size: MAX_ROW_LENGTH,
    // Lines are counted here, because the parser does not emit the last rows before an invalid one.
    on_record: (cells: string[], { empty_lines }): CsvRow | undefined => {
      const line = lines.begin(empty_lines);
      lines.end(cells);
      return cells.every(isBlank) ? undefined : { line, cells: width.fit(cells, line) };
    },
  };
  // The types of the parser do not allow on_record to change the type of a row without column names.
  const parser = parse(options as unknown as Options);
  // An error while reading the text destroys the parser, so the loop below throws it.
  pipeline(csvText(path, format), parser, () => undefined);
  try {
    yield* parser as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = lines.begin(Number(error['empty_lines']));
    throw new ImportError(`The row that begins on line ${line} cannot be read: ${FAULTS[error.code] ?? error.code}.`);
  }
}

/** The cells of a line that may be no row of the table. */
export function cellsOfLine(text: string, delimiter: Separator): readonly string[] {
  try {
    const [cells = []] = parseLine(text, { delimiter, relax_column_count: true, relax_quotes: true });
    return cells;
  } catch {
    return text.split(delimiter);
  }
}

/** A row has another number of cells than the first one. */
export class RowWidthError extends ImportError {}

/** Gives all rows the width of the first row. Spreadsheets add blank cells at the end of some rows; they are removed. */
class RowWidth {
  private columns: number | undefined;

  /** @throws ImportError for a row with fewer cells, or with more cells that are not blank. */
  fit(cells: readonly string[], line: number): readonly string[] {
    const filled = cells.findLastIndex((cell) => !isBlank(cell)) + 1;
    this.columns ??= filled;
    if (cells.length >= this.columns && filled <= this.columns) return cells.slice(0, this.columns);
    throw new RowWidthError(
      `The row that begins on line ${line} cannot be read: it has ${cells.length < this.columns ? 'fewer' : 'more'} ` +
        `cells than the first line has columns (${this.columns}). If the file has other lines above or below the table, ` +
        'add their numbers to the mapping, such as "file": {"skipLines": 3, "footer": 1}.',
    );
  }
}

/** Counts the line on which each row begins. The parser counts a Windows line break in a cell twice. */
class LineCount {
  private next: number;
  private emptyBefore = 0;

  /** @param above the number of lines above the table. */
  constructor(above: number) {
    this.next = above + 1;
  }

  /** @param empty the number of empty lines so far. */
  begin(empty: number): number {
    this.next += empty - this.emptyBefore;
    this.emptyBefore = empty;
    return this.next;
  }

  end(cells: readonly string[]): void {
    this.next += 1 + cells.reduce((sum, cell) => sum + lineEnds(cell), 0);
  }
}

type GuessedSeparator = Exclude<Separator, '|'>;

/**
 * The delimiter of a file: the most frequent one of the three in its first line, outside of quotes.
 * @param head the beginning of the text.
 */
export function delimiterOf(head: string): Separator {
  const counts: Record<GuessedSeparator, number> = { ',': 0, ';': 0, '\t': 0 };
  let isQuoted = false;
  for (const character of head.trimStart()) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (character in counts) counts[character as GuessedSeparator]++;
  }
  return (Object.keys(counts) as GuessedSeparator[]).reduce((most, next) =>
    counts[next] > counts[most] ? next : most,
  );
}
