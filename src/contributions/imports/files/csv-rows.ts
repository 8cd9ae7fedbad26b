import { pipeline } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { csvText } from './csv-text.js';
import { ImportError } from '../import-error.js';
import { isBlank } from '../../../values/index.js';

/** A row of a file as it stands there, the one with the columns' names included. */
export interface CsvRow {
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type Delimiter = ',' | ';' | '\t';

/** Characters of one row. Where a quotation mark is never closed, the rest of the file is one row. */
const LONGEST_ROW = 1_000_000;

/** What is wrong with a file, by the parser's code; its own messages quote what stands there. */
const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark that opens a cell there is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'something follows the quotation mark that closes a cell (one within a cell is doubled)',
  INVALID_OPENING_QUOTE: 'a quotation mark stands within a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: `it is longer than ${LONGEST_ROW} characters; a quotation mark may be missing`,
};

/**
 * The rows of a CSV file (RFC 4180, with the line ends of any system), one at a time: no more of the file is in memory
 * than the piece that is being read. Lines that hold nothing are left out, and so are empty cells at the end of rows.
 * @throws ImportError where it is not UTF-8, or no CSV, with the line.
 */
export async function* csvRows(path: string, delimiter: Delimiter): AsyncGenerator<CsvRow, void, undefined> {
  const lines = new LineCount();
  const width = new Width();
  const options: Options<CsvRow, string[]> = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    // Width judges it: empty cells at the end of a row are no fault.
    relax_column_count: true,
    max_record_size: LONGEST_ROW,
    // Here, and not when a row comes out: of the rows that were read before a broken one, the last never come out.
    on_record: (cells: string[], { empty_lines }): CsvRow | undefined => {
      const line = lines.begin(empty_lines);
      lines.end(cells);
      return cells.every(isBlank) ? undefined : { line, cells: width.fit(cells, line) };
    },
  };
  // Its types do not know that a row without names of columns, too, may become something else.
  const parser = parse(options as unknown as Options);
  // Errors of the text end the parser, and so come out of the loop.
  pipeline(csvText(path), parser, () => undefined);
  try {
    yield* parser as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = lines.begin(Number(error['empty_lines']));
    throw new ImportError(`The row that begins on line ${line} cannot be read: ${FAULTS[error.code] ?? error.code}.`);
  }
}

/** As many cells as the first row has, without the empty ones at its end: spreadsheets add those to some rows. */
class Width {
  private columns: number | undefined;

  /** @throws ImportError for a row with fewer cells, or with more that hold something. */
  fit(cells: readonly string[], line: number): readonly string[] {
    const filled = cells.findLastIndex((cell) => !isBlank(cell)) + 1;
    this.columns ??= filled;
    if (cells.length >= this.columns && filled <= this.columns) return cells.slice(0, this.columns);
    throw new ImportError(
      `The row that begins on line ${line} cannot be read: it has ${cells.length < this.columns ? 'fewer' : 'more'} ` +
        `cells than the first line has columns (${this.columns}).`,
    );
  }
}

/** On which line of the file a row begins. The parser's own count takes a line break of Windows in a cell for two. */
class LineCount {
  private next = 1;
  private emptyBefore = 0;

  /** @param empty how many lines without any character there were so far. */
  begin(empty: number): number {
    this.next += empty - this.emptyBefore;
    this.emptyBefore = empty;
    return this.next;
  }

  end(cells: readonly string[]): void {
    this.next += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
  }
}

/**
 * What the cells of the first line are parted by: the one of the three that stands there most, outside of quotes.
 * @param head the beginning of the text.
 */
export function delimiterOf(head: string): Delimiter {
  const counts: Record<Delimiter, number> = { ',': 0, ';': 0, '\t': 0 };
  let isQuoted = false;
  for (const character of head.trimStart()) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (character in counts) counts[character as Delimiter]++;
  }
  return (Object.keys(counts) as Delimiter[]).reduce((most, next) => (counts[next] > counts[most] ? next : most));
}
