import { Injectable } from '@nestjs/common';
import { UserAccounts } from '../../auth/index.js';
import { type Booking, BookRow } from './book-row.js';
import { csvRows } from './files/csv-rows.js';
import { ImportError, quoted } from './import-error.js';
import { type ImportCounts, ImportTrail } from './results/import-trail.js';
import { Lanes } from './lanes.js';
import { NumberRows } from './identity/number-rows.js';
import { Patience } from './patience.js';
import { ReadRow } from './files/read-row.js';
import { RowsBefore } from './identity/rows-before.js';
import { SeenIds } from './identity/seen-ids.js';
import { ResultFile, type RowResult } from './results/result-file.js';
import type { Survey } from './files/survey.js';

/** A file to import, and how. */
export interface ImportOrder {
  readonly file: Survey;
  /** The user whose gifts these are. */
  readonly username: string;
  readonly dryRun: boolean;
  readonly resultPath: string;
  /** How long the database may be away meanwhile, in milliseconds. */
  readonly patience: number;
  /** Stops between two rows. */
  readonly signal: AbortSignal;
}

/** Who is told of an import while it goes on. */
export interface ImportWatcher {
  /** In the order of the file. */
  told(result: RowResult): void;
  databaseAway(): void;
}

/** What an import came to. */
export interface ImportSummary extends ImportCounts {
  readonly rows: number;
}

/** Rows that are at the database together: more do not get faster, and the pool has to have a connection for each. */
const ROWS_AT_ONCE = 8;
/** Rows that are read and not yet told. More than are done at once, since some wait for others. */
const ROWS_AHEAD = 64;

/** Books the rows of a file, each as if its fields had been sent to AddContribution by the user. */
@Injectable()
export class ImportGifts {
  constructor(
    private readonly users: UserAccounts,
    private readonly readRow: ReadRow,
    private readonly numberRows: NumberRows,
    private readonly bookRow: BookRow,
    private readonly trail: ImportTrail,
  ) {}

  /**
   * Tells what became of each row in a result file; a row that is refused does not keep the next ones from being booked.
   * @throws ImportError when it cannot begin, or not go on. Then the same order again goes on: what is booked is found.
   */
  async import(order: ImportOrder, watcher: ImportWatcher): Promise<ImportSummary> {
    const user = await this.users.activeUser(order.username);
    this.readRow.assertDefaults(order.file.columns);
    const result = await ResultFile.create(order.resultPath);
    const summary = { rows: order.file.rows, recorded: 0, alreadyRecorded: 0, refused: 0 };
    const tell = async (told: RowResult): Promise<void> => {
      await result.write(told);
      summary[COUNTED_AS[told.status]]++;
      watcher.told(told);
    };
    const pending: Promise<RowResult>[] = [];
    const patience = new Patience(order.patience, order.signal, () => {
      watcher.databaseAway();
    });
    try {
      await patience.bear(() => this.trail.begun(order));
      await this.bookAll(order, { user, patience }, pending, tell);
      await patience.bear(() => this.trail.ended(order, summary, false));
      await result.finish();
    } catch (error) {
      await tellSettled(pending, tell);
      // Where it is the database that has ended this, the trail has the begin alone, as of a run that was killed.
      await this.trail.ended(order, summary, true).catch(() => undefined);
      throw stopped(error, summary, await result.abandon(), order.dryRun);
    }
    return summary;
  }

  /** @param pending the rows that are under way, in the order of the file. */
  private async bookAll(
    { file, dryRun, signal }: ImportOrder,
    common: Pick<Booking, 'user' | 'patience'>,
    pending: Promise<RowResult>[],
    tell: (told: RowResult) => Promise<void>,
  ): Promise<void> {
    const lanes = new Lanes(ROWS_AT_ONCE);
    const ids = await this.numberRows.number(file, common.user.userId, common.patience, signal);
    const booking = {
      ...common,
      columns: file.columns,
      ids,
      seenIds: new SeenIds(file.rows),
      before: dryRun ? new RowsBefore() : undefined,
    };
    let number = -1;
    for await (const { line, cells } of csvRows(file.path, file.delimiter)) {
      number++;
      // The columns' names.
      if (number === 0) continue;
      if (signal.aborted) throw new ImportError('it was told to stop');
      const { keys, book } = this.bookRow.read(booking, { row: number, line }, cells);
      const result = lanes.run(keys, book);
      // Looked at where it is told, which may be later than it fails.
      result.catch(() => undefined);
      pending.push(result);
      if (pending.length >= ROWS_AHEAD) await tellFirst(pending, tell);
    }
    while (pending.length > 0) await tellFirst(pending, tell);
  }
}

const COUNTED_AS = {
  recorded: 'recorded',
  'would be recorded': 'recorded',
  'already recorded': 'alreadyRecorded',
  'already recorded (reversed)': 'alreadyRecorded',
  refused: 'refused',
} as const satisfies Record<RowResult['status'], keyof ImportSummary>;

async function tellFirst(pending: Promise<RowResult>[], tell: (told: RowResult) => Promise<void>): Promise<void> {
  const first = pending.shift();
  if (first !== undefined) await tell(await first);
}

/** What was under way when it ended may be in the books: as much of it as can be is told. */
async function tellSettled(
  pending: readonly Promise<RowResult>[],
  tell: (told: RowResult) => Promise<void>,
): Promise<void> {
  for (const row of await Promise.allSettled(pending)) {
    // Nor may it hide why this ends, where it is the result file that cannot be written.
    if (row.status === 'fulfilled') await tell(row.value).catch(() => undefined);
  }
}

function stopped(error: unknown, { rows, ...counts }: ImportSummary, path: string, dryRun: boolean): ImportError {
  const told = Object.values(counts).reduce((sum, count) => sum + count);
  const reason = error instanceof Error ? error.message : String(error);
  return new ImportError(
    `Stopped after ${told} of ${rows} rows: ${reason.replace(/\.$/, '')}. They are told in ${quoted(path)}. ` +
      (dryRun
        ? 'Nothing was booked.'
        : 'Give the same command again to go on: what is booked is found and stays booked once.'),
    { cause: error },
  );
}
