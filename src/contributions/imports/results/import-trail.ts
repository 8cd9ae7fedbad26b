import { Injectable } from '@nestjs/common';
import { type AuditAction, type AuditDetails, AuditTrail } from '../../../audit/index.js';
import { Transactions } from '../../../database/index.js';
import type { Survey } from '../files/survey.js';
import { IMPORT_ACTIONS } from '../audit-actions.js';

/** What became of the rows of an import. */
export interface ImportCounts {
  /** Of a dry run: that would be. */
  readonly recorded: number;
  /** That were in the books before, of an earlier run or sent by the processor itself. */
  readonly alreadyRecorded: number;
  readonly refused: number;
}

/** Which import it is. */
interface ImportRun {
  readonly file: Survey;
  readonly username: string;
  readonly dryRun: boolean;
}

/** Digits by which a file is told from others where its whole digest is too long. */
const SUBJECT_DIGITS = 12;

/**
 * Tells in the audit trail who imports what. Its begin and its end are entries of their own, so that of a run that was
 * killed there is the begin. A file is known by its SHA-256: its name may be anybody's, its digest tells nothing. A dry
 * run books nothing, and is not told.
 */
@Injectable()
export class ImportTrail {
  constructor(
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** Before the first row is booked. */
  async begun(run: ImportRun): Promise<void> {
    const { sha256, rows, columns } = run.file;
    const source = columns.defaults['Source'];
    await this.record(run, IMPORT_ACTIONS.begin, { sha256, rows, ...(source !== undefined && { source }) });
  }

  /** @param stopped whether there may be rows that were not looked at. */
  async ended(run: ImportRun, { recorded, alreadyRecorded, refused }: ImportCounts, stopped: boolean): Promise<void> {
    await this.record(run, IMPORT_ACTIONS.end, { recorded, alreadyRecorded, refused, stopped });
  }

  private async record({ file, username, dryRun }: ImportRun, action: AuditAction, what: AuditDetails): Promise<void> {
    if (dryRun) return;
    const subject = `import ${file.sha256.slice(0, SUBJECT_DIGITS)}`;
    await this.transactions.run((tx) => this.audit.record(tx, action, subject, { user: username, ...what }));
  }
}
