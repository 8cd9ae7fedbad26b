import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../../database/index.js';
import type { ImportOptions } from '../mapping/import-options.js';
import type { PreviewedRow, RunOutcome } from '../running/run-outcome.js';
import type { FoundTable } from './found-table.js';

/** The most characters of the name of a file. */
export const MAX_FILE_NAME = 200;

/**
 * - `new`: its mapping is to be decided, or its dry run could not be done
 * - `checking`: the dry run runs, or waits for a process that runs it
 * - `checked`: the dry run is done
 * - `booking`: its gifts are being recorded
 * - `stopped`: the recording stopped, and can be continued
 * - `booked`: all its rows have a result
 */
export const IMPORT_STATES = ['new', 'checking', 'checked', 'booking', 'stopped', 'booked'] as const;

export type ImportState = (typeof IMPORT_STATES)[number];

/** A file of gifts that was uploaded. Its content is deleted after some days; what was done with it stays (ADR 56). */
@Entity({ name: 'import_file' })
@ServiceRights({
  insert: true,
  update: [
    ...['name', 'state', 'revision', 'options', 'found', 'rows', 'rows_done', 'problem', 'outcome', 'preview'],
    ...['started_by', 'started_via', 'started_at', 'ended_at', 'forgotten_at'],
  ],
})
@AfterTestReset('emptied')
export class ImportFile {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'text' })
  uploadedBy!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  uploadedAt!: Date;

  /** As the browser named it; null after the content was deleted, as all that may be personal. */
  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** In bytes. */
  @Column({ type: 'integer' })
  size!: number;

  /** In hexadecimal digits. */
  @Column({ type: 'text' })
  sha256!: string;

  @Column({ type: 'text', default: 'new' })
  state!: ImportState;

  /** The number of dry runs. */
  @Column({ type: 'integer', default: 0 })
  revision!: number;

  @Column({ type: 'jsonb' })
  options!: ImportOptions;

  @Column({ type: 'jsonb', nullable: true })
  found!: FoundTable | null;

  /** The number of rows; null before the first run. */
  @Column({ type: 'integer', nullable: true })
  rows!: number | null;

  /** Of the current or last run. */
  @Column({ type: 'integer', default: 0 })
  rowsDone!: number;

  /** Why the last run could not be done or stopped. */
  @Column({ type: 'text', nullable: true })
  problem!: string | null;

  /** Of the last run that was done. */
  @Column({ type: 'jsonb', nullable: true })
  outcome!: RunOutcome | null;

  @Column({ type: 'jsonb', nullable: true })
  preview!: PreviewedRow[] | null;

  /** Who started the current or last run. */
  @Column({ type: 'text', nullable: true })
  startedBy!: string | null;

  /** "page" or "api". */
  @Column({ type: 'text', nullable: true })
  startedVia!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  forgottenAt!: Date | null;
}
