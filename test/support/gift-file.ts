import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse/sync';

/** A directory of files to import and of their results. */
export interface GiftFiles {
  /** Writes a file. @returns its path. */
  write(name: string, content: string | Buffer): string;
  /** Writes a CSV file of this many gifts with ids, from about a third as many givers. @returns its path. */
  writeMany(name: string, rows: number): Promise<string>;
  /** Reads the rows of a CSV file by column names. */
  read(path: string): Record<string, string>[];
  remove(): void;
}

/** The number of gifts of each giver in a file. */
const GIFTS_PER_GIVER = 3;

export function giftFiles(): GiftFiles {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-import-'));
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
  return {
    write,
    writeMany: async (name, rows) => {
      await pipeline(Readable.from(manyGifts(rows)), createWriteStream(join(directory, name)));
      return join(directory, name);
    },
    read: (path) => parse<Record<string, string>>(readFileSync(path), { columns: true }),
    remove: () => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function* manyGifts(rows: number): Generator<string> {
  yield '\u{FEFF}TransactionId,Last,First,Email,Phone,Amount,Date,Notes,Fee\r\n';
  const givers = Math.ceil(rows / GIFTS_PER_GIVER);
  for (let row = 1; row <= rows; row++) {
    const giver = row % givers;
    const amount = `${(row % 500) + 1}.${String(row % 100).padStart(2, '0')}`;
    const phone = `(901) ${200 + (giver % 700)}-${String(giver % 10_000).padStart(4, '0')}`;
    const day = `2026-07-${String((row % 28) + 1).padStart(2, '0')}`;
    yield `T-${row},Lee${giver},Ann${giver},ann.${giver}@example.org,${phone},${amount},${day},"Gift, ""${row}""",0.30\r\n`;
  }
}
