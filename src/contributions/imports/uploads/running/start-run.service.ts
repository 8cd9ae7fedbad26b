import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, nameOf } from '../../../../audit/index.js';
import { UserAccounts } from '../../../../auth/index.js';
import { Church } from '../../../../config/index.js';
import { sqlRow, sqlRows, Transactions } from '../../../../database/index.js';
import { JobQueue } from '../../../../jobs/index.js';
import { chooseColumns } from '../../files/columns.js';
import { UnusableColumnsError } from '../../files/unusable-columns-error.js';
import { ImportError } from '../../import-error.js';
import { columnsNotUsable, FileNotUsableError, ImportChangedError, noSuchUser } from '../errors.js';
import type { FoundTable } from '../files/found-table.js';
import type { ImportFile } from '../files/import-file.entity.js';
import { type ImportOptions, wholeMapping } from '../mapping/import-options.js';
import { importView } from '../showing/import-view.js';
import { Imports } from '../showing/imports.service.js';
import { IMPORT_FILE, type ImportJob } from './import-job.js';

const STARTED = `
  rows_done = 0, problem = NULL, started_by = $3, started_via = $4, started_at = now(), ended_at = NULL`;

/** $2 options. The outcome of an earlier dry run is no longer true. */
const CHECK = `
  UPDATE import_file
  SET state = 'checking', revision = revision + 1, options = $2, rows = NULL, outcome = NULL, preview = NULL, ${STARTED}
  WHERE id = $1 AND state IN ('new', 'checking', 'checked') AND forgotten_at IS NULL
  RETURNING revision`;

const FORGET_RESULT = `DELETE FROM import_file_part WHERE import_file_id = $1 AND kind = 'result'`;

/** $2 revision */
const BOOK = `
  UPDATE import_file SET state = 'booking', ${STARTED}
  WHERE id = $1 AND revision = $2 AND state IN ('checked', 'stopped') AND forgotten_at IS NULL
  RETURNING revision`;

const CHOOSE = `
  UPDATE import_file SET options = $2, state = 'new', problem = NULL
  WHERE id = $1 AND state IN ('new', 'checked') AND forgotten_at IS NULL
  RETURNING id`;

/** Starts dry runs and imports of uploaded files. Some process of the service then runs them. */
@Injectable()
export class StartRun {
  constructor(
    private readonly transactions: Transactions,
    private readonly queue: JobQueue,
    private readonly imports: Imports,
    private readonly users: UserAccounts,
    private readonly church: Church,
  ) {}

  /**
   * Keeps how the file is to be read, and tries it without recording anything.
   * @throws ImportNotFoundError, ImportChangedError, FileNotUsableError, InvalidRequestError
   */
  async check(importId: number, options: ImportOptions, by: Actor): Promise<void> {
    const file = await this.imports.find(importId);
    await this.assertUser(options.username);
    if (file.found !== null) this.assertUsable(file.found, options);
    await this.start(file, 'checking', by, async (tx, origin) => {
      const started = await sqlRow<{ revision: number }>(tx, CHECK, [importId, JSON.stringify(options), ...origin]);
      if (started !== undefined) await sqlRows(tx, FORGET_RESULT, [importId]);
      return started;
    });
  }

  /**
   * Keeps how the file is to be read, without trying it.
   * @throws ImportNotFoundError, ImportChangedError
   */
  async choose(importId: number, options: ImportOptions): Promise<void> {
    await this.transactions.run(async (tx) => {
      const chosen = await sqlRows(tx, CHOOSE, [importId, JSON.stringify(options)]);
      if (chosen.length === 0) throw new ImportChangedError(importView(await this.imports.find(importId)));
    });
  }

  /**
   * Records the gifts of the file as the last dry run has shown, or continues an import that stopped. It has no further
   * effect on an import that is being booked or was booked.
   * @param revision of the dry run that the caller has seen.
   * @throws ImportNotFoundError, ImportChangedError, InvalidRequestError
   */
  async book(importId: number, revision: number, by: Actor): Promise<void> {
    const file = await this.imports.find(importId);
    if (file.revision === revision && (file.state === 'booking' || file.state === 'booked')) return;
    await this.assertUser(file.options.username);
    await this.start(file, 'booking', by, (tx, origin) =>
      sqlRow<{ revision: number }>(tx, BOOK, [importId, revision, ...origin]),
    );
  }

  private async start(
    { id: importId }: ImportFile,
    state: ImportJob['state'],
    by: Actor,
    update: (tx: EntityManager, origin: readonly string[]) => Promise<{ readonly revision: number } | undefined>,
  ): Promise<void> {
    const isStarted = await this.transactions.run(async (tx) => {
      const started = await update(tx, [nameOf(by), typeof by === 'string' ? 'api' : 'page']);
      if (started === undefined) return false;
      const job: ImportJob = { importId, state, revision: started.revision };
      await this.queue.enqueue(tx, IMPORT_FILE, job);
      return true;
    });
    if (isStarted) return;
    const now = await this.imports.find(importId);
    // The same form was sent twice at the same time.
    if (state === 'booking' && now.state === 'booking') return;
    throw new ImportChangedError(importView(now));
  }

  private async assertUser(username: string): Promise<void> {
    if ((await this.users.findActive(username)) === undefined) throw noSuchUser();
  }

  /** Checks the columns at once. Everything else is found by the dry run. */
  private assertUsable({ columns }: FoundTable, options: ImportOptions): void {
    try {
      const header = columns.map(({ name }) => name);
      const { source, withoutContacts } = options;
      chooseColumns(header, wholeMapping(options), source ?? undefined, this.church, withoutContacts);
    } catch (error) {
      if (error instanceof UnusableColumnsError) throw columnsNotUsable(error.columns);
      if (error instanceof ImportError) throw new FileNotUsableError(error.message);
      throw error;
    }
  }
}
