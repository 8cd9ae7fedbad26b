import { Injectable } from '@nestjs/common';
import { type Actor, type AuditAction, type AuditDetails, AuditTrail, COMMAND_LINE } from '../../../audit/index.js';
import { Transactions } from '../../../database/index.js';
import type { InspectedFile } from '../files/inspect-file.js';
import { IMPORT_ACTIONS } from '../audit-actions.js';

/** The numbers of rows by result. */
export interface ImportCounts {
  /** In a dry run: rows that would be recorded. */
  readonly recorded: number;
  /** Gifts and refunds that were already recorded, by an earlier run or by the processor itself. */
  readonly alreadyRecorded: number;
  readonly refused: number;
  /** Refunds that were recorded, or would be. */
  readonly reversed: number;
  /** Rows that the mapping leaves out. */
  readonly leftOut: number;
}

interface ImportRun {
  readonly file: InspectedFile;
  readonly username: string;
  readonly dryRun: boolean;
  /** Default: the command line. */
  readonly by?: Actor;
}

/** The first digits of a file's digest, which identify it in the subject of an entry. */
const SUBJECT_DIGITS = 12;

/**
 * Records in the audit trail who imports which file. Begin and end are separate entries, so that a killed run leaves the
 * begin. A file is identified by its SHA-256, because its name may contain personal data. A dry run changes nothing, but its
 * result names persons, so it has one entry as a reading.
 */
@Injectable()
export class ImportAudit {
  constructor(
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** Call it before the first row is recorded. */
  async recordBegin(run: ImportRun): Promise<void> {
    const { sha256, rows, columns } = run.file;
    const source = columns.defaults['Source'];
    await this.record(run, IMPORT_ACTIONS.begin, { sha256, rows, ...(source !== undefined && { source }) });
  }

  /** @param stopped whether some rows may not have been imported. */
  async recordEnd(
    run: ImportRun,
    { recorded, alreadyRecorded, refused, reversed, leftOut }: ImportCounts,
    stopped: boolean,
  ): Promise<void> {
    await this.record(run, IMPORT_ACTIONS.end, {
      recorded,
      alreadyRecorded,
      refused,
      ...(reversed > 0 && { reversed }),
      ...(leftOut > 0 && { leftOut }),
      stopped,
    });
  }

  /** Records what the result file of a dry run says. @param peopleIds the persons that it names. */
  async recordPreview({ file, username, by = COMMAND_LINE }: ImportRun, peopleIds: Iterable<number>): Promise<void> {
    await this.audit.recordReading({
      action: IMPORT_ACTIONS.preview,
      subject: subjectOf(file.sha256),
      peopleIds: [...peopleIds],
      details: { user: username, sha256: file.sha256, rows: file.rows },
      by,
    });
  }

  private async record(
    { file, username, dryRun, by = COMMAND_LINE }: ImportRun,
    action: AuditAction,
    what: AuditDetails,
  ): Promise<void> {
    if (dryRun) return;
    const details = { user: username, ...what };
    await this.transactions.run((tx) =>
      this.audit.record(tx, { action, subject: subjectOf(file.sha256), details, by }),
    );
  }
}

/** The subject of entries about a file. @param sha256 its digest, in hexadecimal digits. */
export function subjectOf(sha256: string): string {
  return `import ${sha256.slice(0, SUBJECT_DIGITS)}`;
}
