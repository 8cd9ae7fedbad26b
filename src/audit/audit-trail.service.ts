import { Inject, Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { EntityManager } from 'typeorm';
import { Church } from '../config/index.js';
import { sqlRows, Transactions } from '../database/index.js';
import type { AuditAction } from './audit-actions.js';
import { AT_THE_CONSOLE, PROCESS_ACTOR } from './process-actor.js';

/**
 * Ids, figures, names of roles and of fields, and the source that an operator gives an import; never what somebody has
 * sent in a field.
 */
export type AuditDetails = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/** Something that somebody did. */
export interface ListedEntry {
  readonly id: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: AuditDetails;
}

/** Which entries are wanted; all that is given has to hold. */
export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  /** Days in church time, YYYY-MM-DD, both included. */
  readonly from?: string;
  readonly to?: string;
  /** Only those with a lower id. */
  readonly before?: number;
}

/** Entries of one list; the ones before come with `before`. */
export const ENTRIES_AT_ONCE = 200;

const INSERT = `
  INSERT INTO audit_entry (actor, action, subject, details)
  SELECT $1, $2, subject, $4::jsonb FROM unnest($3::text[]) AS subject`;

const SELECT = `
  SELECT id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, actor, action, subject, details
  FROM audit_entry
  WHERE ($1::text IS NULL OR actor = $1) AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR subject = $3)
    AND ($4::timestamptz IS NULL OR at >= $4) AND ($5::timestamptz IS NULL OR at < $5)
    AND ($6::integer IS NULL OR id < $6)
  ORDER BY id DESC LIMIT ${ENTRIES_AT_ONCE}`;

/** Who did what, kept for good: entries can be added and read, and nothing else. */
@Injectable()
export class AuditTrail {
  constructor(
    @Inject(PROCESS_ACTOR) private readonly actor: string,
    private readonly church: Church,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Adds an entry in the transaction of what it tells of: the one exists exactly when the other does.
   * @param subject what it was done to: a kind and an id or a user's name, "person 12"; one entry for each of several
   * @param by the API user who did it; whoever runs this process if there is none, or "command line" is given
   */
  async record(
    tx: EntityManager,
    action: AuditAction,
    subject: string | readonly string[],
    details: AuditDetails = {},
    by: string = AT_THE_CONSOLE,
  ): Promise<void> {
    const actor = by === AT_THE_CONSOLE ? this.actor : by;
    const subjects = typeof subject === 'string' ? [subject] : subject;
    await sqlRows(tx, INSERT, [actor, action, subjects, JSON.stringify(details)]);
  }

  /** Entries, the newest first; at most 200. */
  async list({ actor, action, subject, from, to, before }: AuditFilter): Promise<ListedEntry[]> {
    return this.transactions.query<ListedEntry>(SELECT, [
      actor,
      action,
      subject,
      this.midnight(from, 0),
      this.midnight(to, 1),
      before,
    ]);
  }

  /** When this day begins in church time, or one so many days later. */
  private midnight(day: string | undefined, later: number): Date | undefined {
    if (day === undefined) return undefined;
    return DateTime.fromISO(day, { zone: this.church.timeZone }).plus({ days: later }).toJSDate();
  }
}
