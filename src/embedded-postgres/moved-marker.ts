import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFile, removeDurably, renameDurably } from '../durable-files/index.js';

/** In the data directory, after the books of the embedded database were moved to another one. */
const MARKER = 'moved.json';

interface Marker {
  /** Where the books are, without a password. */
  readonly movedTo: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** False until the new database has confirmed its commit. */
  readonly confirmed: boolean;
}

/**
 * Prevents using the embedded database by mistake after a move. It is written before the new database commits, so that
 * a process that dies in between does not leave two databases that can both be used.
 */
export class MovedMarker {
  readonly path: string;

  constructor(
    dataDir: string,
    private readonly movedTo: string,
  ) {
    this.path = join(dataDir, MARKER);
  }

  async announce(): Promise<void> {
    await this.write(false);
  }

  async confirm(): Promise<void> {
    await this.write(true);
  }

  /** Removes the marker, because the move failed. */
  async withdraw(): Promise<void> {
    await removeDurably(this.path);
  }

  private async write(confirmed: boolean): Promise<void> {
    const marker: Marker = { movedTo: this.movedTo, at: new Date().toISOString(), confirmed };
    const temporary = `${this.path}.new`;
    // Readable for everybody, because another user than that of the move may start the service. It contains no secret.
    const handle = await createFile(temporary, 0o644);
    try {
      await handle.writeFile(`${JSON.stringify(marker, undefined, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameDurably(temporary, this.path);
  }
}

/** @throws Error with advice, when the books of this data directory were moved to another database. */
export function refuseMoved(dataDir: string): void {
  const path = join(dataDir, MARKER);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  throw new Error(explain(path, parse(text)));
}

function parse(text: string): Partial<Marker> {
  try {
    return JSON.parse(text) as Partial<Marker>;
  } catch {
    // Somebody has edited it, but its existence is sufficient.
    return {};
  }
}

function explain(path: string, { movedTo = 'another database', at = 'an unknown time', confirmed }: Partial<Marker>) {
  if (confirmed === false) {
    return (
      `A move of the books to ${movedTo} was interrupted at its last step (${at}), and it is unknown whether they are there. ` +
      `Set DATABASE_URL to it and look, for example with "offertory bundle list". If they are there, keep DATABASE_URL; ` +
      `if not, unset it, delete ${path} and continue here.`
    );
  }
  return (
    `The books were moved to ${movedTo} (${at}); those in ${path.slice(0, -MARKER.length - 1)} are old. ` +
    `Set DATABASE_URL to the new database. To continue with the old books anyway, delete ${path} and run ` +
    '"offertory database restored --ids-above" with the highest id of the new books. Gifts that were recorded there since ' +
    'the move will be missing.'
  );
}
