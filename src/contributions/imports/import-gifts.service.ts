import { Injectable } from '@nestjs/common';
import type { Actor } from '../../audit/index.js';
import { UserAccounts } from '../../auth/index.js';
import type { ImportContext } from './import-row.js';
import { ImportFileRow } from './import-file-row.js';
import { rowsToRecord } from './files/file-rows.js';
import { ImportError, quoted } from './import-error.js';
import { type ImportCounts, ImportAudit } from './results/import-audit.js';
import { KeyedQueue } from './keyed-queue.js';
import { NumberRows } from './identity/number-rows.js';
import { DatabaseRetry } from './database-retry.js';
import { ReadRow } from './files/read-row.js';
import { RefundIds } from './refunds/refund-ids.js';
import { EarlierRows } from './identity/earlier-rows.js';
import { SeenIds } from './identity/seen-ids.js';
import { PaymentResults } from './payments/payment-results.js';
import { ResultFile, type RowResult } from './results/result-file.js';
import type { InspectedFile } from './files/inspect-file.js';

/** A file to import, with the options of the import. */
export interface ImportOrder {
  readonly file: InspectedFile;
  /** The user who adds the gifts. */
  readonly username: string;
  readonly dryRun: boolean;
  /** Who imports it. Default: the command line. */
  readonly by?: Actor;
  /** Rows recorded at the same time. The service leaves connections to its calls. */
  readonly parallelRows?: number;
  readonly resultPath: string;
  /** How long the database may be unavailable, in milliseconds. */
  readonly patience: number;
  /** Stops the import between two rows. */
  readonly signal: AbortSignal;
}

/** Is notified of the progress of an import. */
export interface ImportWatcher {
  /** Called in the order in which rows are recorded: that of the file, with refunds above their gift at the end. */
  rowImported(result: RowResult): void;
  databaseUnavailable(): void;
}

export interface ImportSummary extends ImportCounts {
  readonly rows: number;
}

/** Rows recorded at the same time. More would not be faster, and each needs a connection of the pool. */
const PARALLEL_ROWS = 8;
/** Rows that are read and not yet reported. It is larger than {@link PARALLEL_ROWS}, because some rows wait for others. */
const MAX_PENDING_ROWS = 64;

/** Imports the rows of a file, each as if the user had sent its fields to AddContribution. */
@Injectable()
export class ImportGifts {
  constructor(
    private readonly users: UserAccounts,
    private readonly readRow: ReadRow,
    private readonly numberRows: NumberRows,
    private readonly importRow: ImportFileRow,
    private readonly audit: ImportAudit,
  ) {}

  /**
   * Imports all rows, and writes the result of each row to a result file. A refused row does not stop the import.
   * @throws ImportError if it cannot begin or continue. The same order can then be repeated, because recorded rows are
   * found again.
   */
  async import(order: ImportOrder, watcher: ImportWatcher): Promise<ImportSummary> {
    const user = await this.users.activeUser(order.username);
    this.readRow.assertDefaults(order.file.columns);
    const result = await ResultFile.create(order.resultPath);
    const summary = { rows: order.file.rows, recorded: 0, alreadyRecorded: 0, refused: 0, reversed: 0, leftOut: 0 };
    let finished = 0;
    const previewed = new Set<number>();
    const report = async (row: RowResult): Promise<void> => {
      await result.write(row);
      if (order.dryRun && row.peopleId !== null) previewed.add(row.peopleId);
      for (const count of COUNTED_AS[row.status]) summary[count]++;
      finished++;
      watcher.rowImported(row);
    };
    const pending: Promise<RowResult>[] = [];
    const retry = new DatabaseRetry(order.patience, order.signal, () => {
      watcher.databaseUnavailable();
    });
    try {
      await retry.whileUnavailable(() => this.audit.recordBegin(order));
      await this.importRows(order, { user, retry }, pending, report);
      await retry.whileUnavailable(() => this.audit.recordEnd(order, summary, false));
      await result.finish();
    } catch (error) {
      await reportSettled(pending, report);
      // If the database is unavailable, the audit trail only has the begin, as for a run that was killed.
      await this.audit.recordEnd(order, summary, true).catch(() => undefined);
      throw stoppedError(error, { finished, rows: summary.rows }, await result.abandon(), order.dryRun);
    } finally {
      if (order.dryRun) await this.audit.recordPreview(order, previewed);
    }
    return summary;
  }

  /** @param pending receives the unfinished rows, in the order of the file. */
  private async importRows(
    { file, dryRun, signal, parallelRows = PARALLEL_ROWS }: ImportOrder,
    common: Pick<ImportContext, 'user' | 'retry'>,
    pending: Promise<RowResult>[],
    report: Report,
  ): Promise<void> {
    const queue = new KeyedQueue(parallelRows);
    const ids = await this.numberRows.number(file, common.user.userId, common.retry, signal);
    const context = {
      ...common,
      columns: file.columns,
      ids,
      seenIds: new SeenIds(file.rows),
      refundIds: new RefundIds(),
      paymentResults: new PaymentResults(),
      earlierRows: dryRun ? new EarlierRows() : undefined,
    };
    for await (const { row, line, cells } of rowsToRecord(file)) {
      if (signal.aborted) throw new ImportError('it was stopped');
      const { keys, importRow } = this.importRow.read(context, { row, line }, cells);
      const result = queue.add(keys, importRow);
      // A rejection is handled when the row is reported. Without this, an earlier rejection would end the process.
      result.catch(() => undefined);
      pending.push(result);
      if (pending.length >= MAX_PENDING_ROWS) await reportFirst(pending, report);
    }
    while (pending.length > 0) await reportFirst(pending, report);
  }
}

const COUNTED_AS = {
  recorded: ['recorded'],
  'would be recorded': ['recorded'],
  'recorded and reversed': ['recorded', 'reversed'],
  'would be recorded and reversed': ['recorded', 'reversed'],
  'already recorded': ['alreadyRecorded'],
  'already recorded (reversed)': ['alreadyRecorded'],
  reversed: ['reversed'],
  'would be reversed': ['reversed'],
  'already reversed': ['alreadyRecorded'],
  'left out': ['leftOut'],
  refused: ['refused'],
} as const satisfies Record<RowResult['status'], readonly (keyof ImportCounts)[]>;

type Report = (row: RowResult) => Promise<void>;

async function reportFirst(pending: Promise<RowResult>[], report: Report): Promise<void> {
  const first = pending.shift();
  if (first !== undefined) await report(await first);
}

/** Reports the rows that were unfinished when the import stopped, because they may be recorded. */
async function reportSettled(pending: readonly Promise<RowResult>[], report: Report): Promise<void> {
  for (const row of await Promise.allSettled(pending)) {
    // If the result file cannot be written, this error must not hide the first one.
    if (row.status === 'fulfilled') await report(row.value).catch(() => undefined);
  }
}

function stoppedError(
  error: unknown,
  { finished, rows }: { readonly finished: number; readonly rows: number },
  path: string,
  dryRun: boolean,
): ImportError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ImportError(
    `Stopped after ${finished} of ${rows} rows: ${reason.replace(/\.$/, '')}. Their results are in ${quoted(path)}. ` +
      (dryRun ? 'Nothing was recorded.' : 'Run the same command again to continue: no row is recorded twice.'),
    { cause: error },
  );
}
