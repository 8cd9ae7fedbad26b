import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDurably, renameDurably } from '../durable-files/index.js';

/** In the data directory, beside the embedded database whose books are elsewhere now. */
const MARKER = 'moved.json';

interface Marker {
  /** Where the books are, without a password. */
  readonly movedTo: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** False while the new database has not confirmed that it has them. */
  readonly confirmed: boolean;
}

/**
 * Keeps the embedded database from being used on by mistake. It is set before the new database commits: a process that
 * dies in between must not leave two books of which both can be gone on with.
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

  /** The move did not come about. */
  async withdraw(): Promise<void> {
    await removeDurably(this.path);
  }

  private async write(confirmed: boolean): Promise<void> {
    const marker: Marker = { movedTo: this.movedTo, at: new Date().toISOString(), confirmed };
    const temporary = `${this.path}.new`;
    // Readable to all: the service may be started by another user than the move was. It holds no secret.
    const handle = await open(temporary, 'w', 0o644);
    try {
      await handle.writeFile(`${JSON.stringify(marker, undefined, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameDurably(temporary, this.path);
  }
}

/** @throws Error when the books of this data directory were moved to another database, with what to do. */
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
    // Somebody has written into it; that it is there says enough.
    return {};
  }
}

function explain(path: string, { movedTo = 'another database', at = 'an unknown time', confirmed }: Partial<Marker>) {
  if (confirmed === false) {
    return (
      `A move of the books to ${movedTo} was cut off at its last step (${at}), and it is unknown whether they are there. ` +
      `Look there, say by "offertory bundle list" with DATABASE_URL set to it: if they are, leave DATABASE_URL set so; ` +
      `if not, delete ${path} and go on here.`
    );
  }
  return (
    `The books were moved to ${movedTo} (${at}); those in ${path.slice(0, -MARKER.length - 1)} are old. ` +
    `Set DATABASE_URL to the new database. To go on with the old books all the same, delete ${path} and run ` +
    '"offertory database restored --ids-above" with the highest id of the new ones: what was recorded there since will ' +
    'not be in them.'
  );
}
