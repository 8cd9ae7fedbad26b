import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { MoveSessions } from './move-session.js';
import { type MovedTable, rowsOf } from './moved-tables.js';

const LINE_FEED = 0x0a;

/** Copies the rows of one table. @param copied called with the number of rows since its last call. */
export async function copyRows(
  { source, target }: MoveSessions,
  table: MovedTable,
  copied: (rows: number) => void,
): Promise<void> {
  await pipeline(
    source.query(copyTo(`COPY (SELECT * FROM ${rowsOf(table)}) TO STDOUT`)),
    counter(copied),
    target.query(copyFrom(`COPY ${table.name} (${table.columns}) FROM STDIN`)),
  );
}

/** Counts rows. In COPY's text format each row is a line, and a line feed in a text is written \n. */
function counter(copied: (rows: number) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rows = 0;
      for (const byte of chunk) if (byte === LINE_FEED) rows++;
      if (rows > 0) copied(rows);
      done(null, chunk);
    },
  });
}
