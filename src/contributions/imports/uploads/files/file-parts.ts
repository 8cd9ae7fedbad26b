import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { EntityManager } from 'typeorm';
import { sqlRows, type Transactions } from '../../../../database/index.js';
import type { ImportFilePart } from './import-file-part.entity.js';

type PartKind = ImportFilePart['kind'];

const PART_BYTES = 256 * 1024;

const INSERT = 'INSERT INTO import_file_part (import_file_id, kind, position, bytes) VALUES ($1, $2, $3, $4)';
const DELETE = 'DELETE FROM import_file_part WHERE import_file_id = $1 AND kind = $2';
const SELECT = 'SELECT bytes FROM import_file_part WHERE import_file_id = $1 AND kind = $2 AND position = $3';

/** Stores a file, in place of an earlier one of its kind. */
export async function storeParts(tx: EntityManager, importId: number, kind: PartKind, path: string): Promise<void> {
  await sqlRows(tx, DELETE, [importId, kind]);
  let position = 0;
  for await (const bytes of createReadStream(path, { highWaterMark: PART_BYTES }) as AsyncIterable<Buffer>)
    await sqlRows(tx, INSERT, [importId, kind, position++, bytes]);
}

/** The bytes of a stored file, part by part; nothing if there is none. */
export async function* readParts(
  transactions: Transactions,
  importId: number,
  kind: PartKind,
): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ; position++) {
    const [part] = await transactions.query<{ bytes: Buffer }>(SELECT, [importId, kind, position]);
    if (part === undefined) return;
    yield part.bytes;
  }
}

/** Writes a stored file to the disk, where an import reads it. */
export async function fetchParts(
  transactions: Transactions,
  importId: number,
  kind: PartKind,
  path: string,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const bytes of readParts(transactions, importId, kind)) await file.appendFile(bytes);
  } finally {
    await file.close();
  }
}
