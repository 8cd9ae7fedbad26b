import { Inject, Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { EntityManager } from 'typeorm';
import { Church } from '../config/index.js';
import { sqlRows, Transactions } from '../database/index.js';
import type { AuditAction } from './audit-actions.js';
import { COMMAND_LINE, PROCESS_ACTOR } from './process-actor.js';

/**
 * Ids, numbers, names of roles and fields, and the source that an operator names for an import. It never contains the
 * value of a field that somebody sent.
 */
export type AuditDetails = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/** An entry of {@link AuditTrail.list}. */
export interface ListedEntry {
  readonly id: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: AuditDetails;
}

/** Selects entries that match all given conditions. */
export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  /** Days in church time, YYYY-MM-DD, inclusive. */
  readonly from?: string;
  readonly to?: string;
  /** Selects entries with a lower id. */
  readonly before?: number;
}

/** The largest number of entries in a list. Use `before` for earlier ones. */
export const ENTRIES_PER_PAGE = 200;

const INSERT = `
  INSERT INTO audit_entry (actor, action, subject, details)
  SELECT $1, $2, subject, $4::jsonb FROM unnest($3::text[]) AS subject`;

const SELECT = `
  SELECT id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, actor, action, subject, details
  FROM audit_entry
  WHERE ($1::text IS NULL OR actor = $1) AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR subject = $3)
    AND ($4::timestamptz IS NULL OR at >= $4) AND ($5::timestamptz IS NULL OR at < $5)
    AND ($6::integer IS NULL OR id < $6)
  ORDER BY id DESC LIMIT ${ENTRIES_PER_PAGE}`;

/** Records who did what. Entries can be added and read, but never changed or deleted. */
@Injectable()
export class AuditTrail {
  constructor(
    /** The actor of actions without an API user: {@link processActor}. */
    @Inject(PROCESS_ACTOR) readonly actor: string,
    private readonly church: Church,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Adds an entry in the transaction of the action, so that the entry exists exactly when the action was committed.
   * @param subject a kind and an id or a user's name, such as "person 12"; several subjects get an entry each
   * @param by the API user, or {@link COMMAND_LINE} for the account that runs this process
   */
  async record(
    tx: EntityManager,
    action: AuditAction,
    subject: string | readonly string[],
    details: AuditDetails = {},
    by: string = COMMAND_LINE,
  ): Promise<void> {
    const actor = by === COMMAND_LINE ? this.actor : by;
    const subjects = typeof subject === 'string' ? [subject] : subject;
    await sqlRows(tx, INSERT, [actor, action, subjects, JSON.stringify(details)]);
  }

  /** Entries, the newest first, at most {@link ENTRIES_PER_PAGE}. */
  async list({ actor, action, subject, from, to, before }: AuditFilter): Promise<ListedEntry[]> {
    return this.transactions.query<ListedEntry>(SELECT, [
      actor,
      action,
      subject,
      this.startOfDay(from, 0),
      this.startOfDay(to, 1),
      before,
    ]);
  }

  /** When a day begins in church time. @param later how many days after `day`. */
  private startOfDay(day: string | undefined, later: number): Date | undefined {
    if (day === undefined) return undefined;
    return DateTime.fromISO(day, { zone: this.church.timeZone }).plus({ days: later }).toJSDate();
  }
}
