import type { Transactions } from '../../../../database/index.js';
import type { ImportJob } from './import-job.js';

const EVERY_MS = 1_000;

/** $4 rows that are done, $5 all rows, or null */
const UPDATE = `
  UPDATE import_file SET rows_done = $4, rows = COALESCE($5, rows)
  WHERE id = $1 AND revision = $2 AND state = $3 RETURNING id`;

/** Stores now and then how far a run is. */
export class RunProgress {
  private readonly controller = new AbortController();
  /** Aborted when the run counts no more, because somebody has started another one. */
  readonly superseded = this.controller.signal;
  private done = 0;
  private stored = 0;
  private storing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly run: ImportJob,
  ) {}

  /** Call it when the file has been read. */
  async begin(rows: number): Promise<void> {
    await this.store(rows);
    this.timer = setInterval(() => {
      if (this.storing === undefined && this.done > this.stored)
        // The next one stores it if this one fails.
        this.storing = this.store(null)
          .catch(() => undefined)
          .finally(() => (this.storing = undefined));
    }, EVERY_MS).unref();
  }

  step(): void {
    this.done++;
  }

  /** Stores nothing more. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.storing;
  }

  private async store(rows: number | null): Promise<void> {
    const { importId, revision, state } = this.run;
    const done = this.done;
    const found = await this.transactions.query(UPDATE, [importId, revision, state, done, rows]);
    if (found.length === 0) this.controller.abort();
    this.stored = done;
  }
}
