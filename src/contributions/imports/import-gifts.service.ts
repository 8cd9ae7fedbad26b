import { Injectable } from '@nestjs/common';
import type { Actor } from '../../audit/index.js';
import { UserAccounts } from '../../auth/index.js';
import { type FileContext, ImportFileRow, type RowToImport } from './import-file-row.js';
import type { ImportContext } from './import-row.js';
import { rowsToRecord } from './files/file-rows.js';
import { ImportError, quoted } from './import-error.js';
import { type ImportCounts, ImportAudit } from './results/import-audit.js';
import { KeyedQueue } from './keyed-queue.js';
import { NumberRows } from './identity/number-rows.js';
import { DatabaseRetry } from './database-retry.js';
import { PreviewRow } from './recording/preview-row.js';
import { ReadRow } from './files/read-row.js';
import { resultsIn } from './recording/interrupted-rows.js';
import { RecordRows } from './recording/record-rows.js';
import { type Step, stepsOf } from './recording/row-steps.js';
import { RefundIds } from './refunds/refund-ids.js';
import { RowKeys } from './identity/row-keys.js';
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
  /** Refunds recorded at the same time, or rows of a dry run. The service leaves connections to its calls. */
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

/** Refunds that are recorded at the same time, or rows of a dry run. Each needs a connection of the pool. */
const PARALLEL_ROWS = 8;
/** Rows of a dry run, and refunds, that are read and not yet reported. More than run, because some wait for others. */
const MAX_PENDING_ROWS = 64;
/** Batches that are read and not yet reported. They are recorded one after the other; the next one is read meanwhile. */
const MAX_PENDING_BATCHES = 3;

/** Imports the rows of a file, each as if the user had sent its fields to AddContribution. */
@Injectable()
export class ImportGifts {
  constructor(
    private readonly users: UserAccounts,
    private readonly readRow: ReadRow,
    private readonly numberRows: NumberRows,
    private readonly importRow: ImportFileRow,
    private readonly recordRows: RecordRows,
    private readonly previewRow: PreviewRow,
    private readonly rowKeys: RowKeys,
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
    const pending: Pending = [];
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
    pending: Pending,
    report: Report,
  ): Promise<void> {
    const ids = await this.numberRows.number(file, common.user.userId, common.retry, signal);
    const context = {
      ...common,
      columns: file.columns,
      ids,
      seenIds: new SeenIds(file.rows),
      refundIds: new RefundIds(),
      paymentResults: new PaymentResults(file.columns.payments),
      earlierRows: dryRun ? new EarlierRows() : undefined,
    };
    const rows = this.readRows(file, context, signal);
    const tasks = dryRun ? this.previews(context, rows) : this.batches(context, rows);
    const queue = new KeyedQueue(parallelRows);
    for await (const { keys, isSeparate, run } of tasks) {
      if (isSeparate) queue.separate();
      const results = queue.add(keys, run);
      // A rejection is handled when the rows are reported. Without this, an earlier rejection would end the process.
      results.catch(() => undefined);
      pending.push(results);
      if (pending.length >= (isSeparate ? MAX_PENDING_BATCHES : MAX_PENDING_ROWS)) await reportFirst(pending, report);
    }
    while (pending.length > 0) await reportFirst(pending, report);
  }

  private async *readRows(file: InspectedFile, context: FileContext, signal: AbortSignal): AsyncGenerator<RowToImport> {
    for await (const { row, line, cells } of rowsToRecord(file)) {
      if (signal.aborted) throw new ImportError('it was stopped');
      yield this.importRow.read(context, { row, line }, cells);
    }
  }

  /**
   * Batches are recorded one after the other, and refunds between the batches of their neighbours in the file. So each row
   * finds the books as the rows before it have left them.
   */
  private async *batches(context: FileContext, rows: AsyncIterable<RowToImport>): AsyncGenerator<Task> {
    let before: Step['kind'] = 'refund';
    for await (const step of stepsOf(rows)) {
      const isSeparate = step.kind !== 'refund' || before !== 'refund';
      before = step.kind;
      const keys = step.kind === 'refund' ? step.keys : [];
      yield { keys, isSeparate, run: () => this.record(context, step) };
    }
  }

  private async record(context: FileContext, step: Step): Promise<RowResult[]> {
    if (step.kind === 'gifts') return this.recordRows.record(context, step.rows);
    return [step.kind === 'refund' ? await step.importRow() : await this.recordRows.recordRefunded(context, step)];
  }

  /** Rows that can affect each other's outcome are previewed in the order of the file, others at the same time. */
  private async *previews(context: FileContext, rows: AsyncIterable<RowToImport>): AsyncGenerator<Task> {
    const earlierRows = context.earlierRows ?? new EarlierRows();
    for await (const row of rows) {
      if (row.kind === 'refund') {
        yield { keys: row.keys, isSeparate: false, run: async () => [await row.importRow()] };
        continue;
      }
      const gift = row.kind === 'refunded gift' ? row.gift : row;
      const keys = gift.kind === 'new' ? this.rowKeys.of(gift.command, gift.derived?.alikeKey) : [];
      const run = async (): Promise<RowResult[]> => [
        await this.previewRow.preview(context, { row, keys, earlierRows }),
      ];
      yield { keys: [...keys, ...paymentKeys(context, row)], isSeparate: false, run };
    }
  }
}

/** The rows of a payment share a key, because the further ones need the result of the first. */
function paymentKeys({ columns }: FileContext, { position }: RowToImport): string[] {
  const firstRow = columns.payments?.firstRowOf(position.row);
  return firstRow === undefined ? [] : [`payment ${firstRow}`];
}

/** Rows to import together. */
interface Task {
  /** Tasks that share a key are done in their order. */
  readonly keys: readonly string[];
  /** Whether all earlier tasks must be done before. */
  readonly isSeparate: boolean;
  readonly run: () => Promise<RowResult[]>;
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

/** The results of unfinished tasks, in the order of the file. */
type Pending = Promise<RowResult[]>[];

async function reportFirst(pending: Pending, report: Report): Promise<void> {
  const rows = await pending.shift()?.catch(async (error: unknown) => {
    for (const row of resultsIn(error)) await report(row);
    throw error;
  });
  for (const row of rows ?? []) await report(row);
}

/** Reports the rows that were unfinished when the import stopped, because they may be recorded. */
async function reportSettled(pending: readonly Promise<RowResult[]>[], report: Report): Promise<void> {
  for (const rows of await Promise.allSettled(pending)) {
    const results = rows.status === 'rejected' ? resultsIn(rows.reason) : rows.value;
    // If the result file cannot be written, this error must not hide the first one.
    for (const row of results) await report(row).catch(() => undefined);
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
