import { Injectable, OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail } from '../../../../audit/index.js';
import { sqlRow, sqlRows, Transactions } from '../../../../database/index.js';
import { JobQueue } from '../../../../jobs/index.js';
import { IMPORT_ACTIONS } from '../../audit-actions.js';
import { subjectOf } from '../../results/import-audit.js';
import { ImportChangedError } from '../errors.js';
import { importView } from '../showing/import-view.js';
import { Imports } from '../showing/imports.service.js';

/** How long the content of a file is kept. */
export const KEPT_DAYS = 14;

const FORGET_IMPORT_FILES = 'forget-import-files';
const EVERY_SECONDS = 3_600;
const BATCH = 20;

const FORGET = `
  -- A mapping has the names of columns and values of cells: in a file without a header, these may be a person's.
  UPDATE import_file SET name = NULL, found = NULL, preview = NULL, problem = NULL,
    options = jsonb_set(options, '{mapping}', '{}'), forgotten_at = now()
  WHERE id = $1 AND state NOT IN ('checking', 'booking') AND forgotten_at IS NULL
  RETURNING sha256`;

const DELETE_PARTS = 'DELETE FROM import_file_part WHERE import_file_id = $1';

const SELECT_OLD = `
  SELECT id FROM import_file
  WHERE forgotten_at IS NULL AND uploaded_at < now() - make_interval(days => $1) AND state NOT IN ('checking', 'booking')
  ORDER BY id LIMIT ${BATCH}`;

/** Deletes the contents of uploaded files: after {@link KEPT_DAYS}, or at once when somebody wants it. */
@Injectable()
export class ForgetFiles implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
    private readonly imports: Imports,
    private readonly audit: AuditTrail,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, FORGET_IMPORT_FILES, (_data, { signal }) => this.forgetOld(signal));
  }

  /**
   * Deletes the file, its result, and all that may name persons. Has no effect if that was done before.
   * @throws ImportNotFoundError, ImportChangedError while the import runs.
   */
  async forget(importId: number, by: Actor): Promise<void> {
    const isForgotten = await this.transactions.run((tx) => this.forgetIn(tx, importId, by));
    if (isForgotten) return;
    const file = await this.imports.find(importId);
    if (file.forgottenAt === null) throw new ImportChangedError(importView(file));
  }

  private async forgetOld(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const old = await this.transactions.query<{ id: number }>(SELECT_OLD, [KEPT_DAYS]);
      for (const { id } of old) await this.transactions.run((tx) => this.forgetIn(tx, id));
      if (old.length < BATCH) return;
    }
  }

  private async forgetIn(tx: EntityManager, importId: number, by?: Actor): Promise<boolean> {
    const file = await sqlRow<{ sha256: string }>(tx, FORGET, [importId]);
    if (file === undefined) return false;
    await sqlRows(tx, DELETE_PARTS, [importId]);
    const subject = subjectOf(file.sha256);
    const details = { importId };
    await this.audit.record(tx, { action: IMPORT_ACTIONS.forget, subject, details, ...(by !== undefined && { by }) });
    return true;
  }
}
