import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { PEOPLE_PER_READING } from '../../../../audit/index.js';
import { UserAccounts } from '../../../../auth/index.js';
import { Church } from '../../../../config/index.js';
import { describeError, isDatabaseUnavailable, sqlRows, Transactions } from '../../../../database/index.js';
import { expectedErrorOf } from '../../../../http/index.js';
import { JobQueue, type RunningJob } from '../../../../jobs/index.js';
import { makeTemporaryDirectory } from '../../../../temporary-files/index.js';
import { type InspectedFile, inspectFile } from '../../files/inspect-file.js';
import { UnusableColumnsError } from '../../files/unusable-columns-error.js';
import { ImportError } from '../../import-error.js';
import { ImportGifts } from '../../import-gifts.service.js';
import { columnsNotUsable } from '../errors.js';
import { fetchParts, storeParts } from '../files/file-parts.js';
import type { ImportFile } from '../files/import-file.entity.js';
import { inspectionOf } from '../mapping/import-options.js';
import { Imports } from '../showing/imports.service.js';
import { IMPORT_FILE, type ImportJob } from './import-job.js';
import { PreviewRows, SeenResults } from './preview-rows.js';
import { RunProgress } from './run-progress.js';
import type { PreviewedRow, RunOutcome } from './run-outcome.js';

/** Runs at the same time in one process. */
const CONCURRENCY = 2;
/** Rows recorded at the same time. The service needs its connections for calls. */
const PARALLEL_ROWS = 2;
/** Longer than a job may run: while the database is away, the job ends and is continued. In milliseconds. */
const PATIENCE_MS = 3_600_000;
/**
 * How long a dry run may take, in milliseconds. A job may run for ten minutes. A booking then goes on where it was, but a dry
 * run would begin again.
 */
const DRY_RUN_LIMIT_MS = 540_000;
/** How long a large result may take to be stored, in milliseconds. */
const STORING_LIMIT_MS = 60_000;

const DRY_RUN_TOO_LONG =
  'The file is too long to be tried here. Divide it into files with fewer rows, or try it on the command line.';

/** $3 the state of the run, $4 the state after it */
const OF_RUN = 'id = $1 AND revision = $2 AND state = $3';
const FINISH = `
  UPDATE import_file
  SET state = $4, rows = $5, rows_done = $5, outcome = $6, preview = $7, problem = NULL, ended_at = now()
  WHERE ${OF_RUN} RETURNING id`;
const STOP = `UPDATE import_file SET state = $4, problem = $5, ended_at = now() WHERE ${OF_RUN}`;

interface FinishedRun {
  readonly rows: number;
  readonly outcome: RunOutcome;
  readonly preview: readonly PreviewedRow[];
  readonly resultPath: string;
}

/**
 * Tries and imports uploaded files. A run that is killed is begun again by some process of the service, and finds the rows
 * that it has recorded.
 */
@Injectable()
export class ImportFileWorker implements OnModuleInit {
  private readonly logger = new Logger('Imports');

  constructor(
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    private readonly imports: Imports,
    private readonly importGifts: ImportGifts,
    private readonly previewRows: PreviewRows,
    private readonly users: UserAccounts,
    private readonly church: Church,
  ) {}

  onModuleInit(): void {
    const concurrency = CONCURRENCY;
    this.queue.handle(IMPORT_FILE, (data, job) => this.work(data as ImportJob, job), { concurrency });
  }

  private async work(run: ImportJob, job: RunningJob): Promise<void> {
    const file = await this.imports.find(run.importId);
    if (file.state !== run.state || file.revision !== run.revision) return;
    const directory = await makeTemporaryDirectory();
    const progress = new RunProgress(this.transactions, run);
    const isDryRun = run.state === 'checking';
    const tooLong = AbortSignal.timeout(DRY_RUN_LIMIT_MS);
    try {
      const signal = AbortSignal.any([job.signal, progress.superseded, ...(isDryRun ? [tooLong] : [])]);
      const finished = await this.importFile(file, { run, directory, progress, signal });
      await progress.end();
      await this.finish(run, finished, job);
    } catch (error) {
      await progress.end();
      // Somebody has started another dry run of the file.
      if (progress.superseded.aborted) return;
      // It goes on here or in another process.
      if (job.signal.aborted || isDatabaseUnavailable(rootOf(error))) throw error;
      const isTooLong = isDryRun && tooLong.aborted;
      await this.stop(run, isTooLong ? DRY_RUN_TOO_LONG : this.problemOf(error, run), job);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  private async importFile(
    { options, startedBy, startedVia }: ImportFile,
    {
      run: { importId, state },
      directory,
      progress,
      signal,
    }: { run: ImportJob; directory: string; progress: RunProgress; signal: AbortSignal },
  ): Promise<FinishedRun> {
    const { username } = options;
    if ((await this.users.findActive(username)) === undefined)
      throw new ImportError(`The user ${username}, whose gifts they are, is disabled.`);
    const path = join(directory, 'file.csv');
    const resultPath = join(directory, 'result.csv');
    await fetchParts(this.transactions, importId, 'file', path);
    const file = await inspectFile(inspectionOf(path, options, this.church));
    await progress.begin(file.rows);
    const results = new SeenResults(file);
    const name = startedBy ?? '';
    const order = {
      ...{ file, username, resultPath, signal },
      dryRun: state === 'checking',
      by: startedVia === 'page' ? { onPage: name } : name,
      parallelRows: PARALLEL_ROWS,
      patience: PATIENCE_MS,
    };
    const { rows, ...counts } = await this.importGifts.import(order, {
      rowImported: (result) => {
        results.add(result);
        progress.step();
      },
      databaseUnavailable: () => undefined,
    });
    return { rows, resultPath, ...(await this.seen(file, results, counts)) };
  }

  private async seen(
    file: InspectedFile,
    results: SeenResults,
    counts: Pick<RunOutcome, 'recorded' | 'alreadyRecorded' | 'refused' | 'reversed' | 'leftOut'>,
  ): Promise<Pick<FinishedRun, 'outcome' | 'preview'>> {
    const { rows: preview, total } = await this.previewRows.of(file, results);
    const { newPeople, toReview } = results;
    const outcome = { ...counts, total, newPeople, toReview, ...results.peopleSeen(PEOPLE_PER_READING) };
    return { outcome, preview };
  }

  private async finish(run: ImportJob, finished: FinishedRun, job: RunningJob): Promise<void> {
    const { rows, outcome, preview, resultPath } = finished;
    const after = run.state === 'checking' ? 'checked' : 'booked';
    await this.transactions.run(async (tx) => {
      // Otherwise another process works on it.
      if (!(await job.complete(tx))) return;
      const values = [rows, JSON.stringify(outcome), JSON.stringify(preview)];
      const updated = await sqlRows(tx, FINISH, [...valuesOf(run), after, ...values]);
      if (updated.length > 0) await storeParts(tx, run.importId, 'result', resultPath);
    }, STORING_LIMIT_MS);
  }

  private async stop(run: ImportJob, problem: string, job: RunningJob): Promise<void> {
    const after = run.state === 'checking' ? 'new' : 'stopped';
    await this.transactions.run(async (tx) => {
      if (await job.complete(tx)) await sqlRows(tx, STOP, [...valuesOf(run), after, problem]);
    });
  }

  /** What a person is told. */
  private problemOf(error: unknown, { importId }: ImportJob): string {
    const root = rootOf(error);
    if (root instanceof UnusableColumnsError) return columnsNotUsable(root.columns).message;
    if (root instanceof ImportError) return root.message;
    const expected = expectedErrorOf(root);
    if (expected !== undefined) return expected.message;
    this.logger.error(
      `Import ${importId} stopped: ${describeError(root)}`,
      root instanceof Error ? root.stack : undefined,
    );
    return 'Something went wrong here. Ask the person who runs Offertory on your server to look into its log.';
  }
}

function valuesOf({ importId, revision, state }: ImportJob): readonly unknown[] {
  return [importId, revision, state];
}

/** The error that stopped an import, without the advice for the command line. */
function rootOf(error: unknown): unknown {
  return error instanceof ImportError && error.cause !== undefined ? error.cause : error;
}
