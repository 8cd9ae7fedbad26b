import { Inject, Injectable, Logger } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { EntityManager } from 'typeorm';
import { Church } from '../config/index.js';
import { describeError, isoInstant, prepared, type RowCount, sqlRows, Transactions } from '../database/index.js';
import { type Actor, nameOf } from './actor.js';
import type { AuditAction } from './audit-actions.js';
import { COMMAND_LINE, isAtCommandLine, PROCESS_ACTOR } from './process-actor.js';

/**
 * Ids, numbers, names of roles and fields, and the source that an operator names for an import. It never contains the
 * value of a field that somebody sent.
 */
export type AuditDetails = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/** What somebody did. */
export interface AuditRecord {
  readonly action: AuditAction;
  /** A kind and an id or a user's name, such as "person 12". Several subjects get an entry each. */
  readonly subject: string | readonly string[];
  readonly details?: AuditDetails;
  /** Default: COMMAND_LINE. */
  readonly by?: Actor;
}

/**
 * How an action came in: by a call of the API, on a page of the console, at the command line, by the service itself, or by SQL beside the service,
 * which triggers record (ADR 41).
 */
export const VIAS = ['api', 'page', 'command line', 'service', 'database'] as const;

type Via = (typeof VIAS)[number];

/** A reading of personal data. */
export interface Reading {
  readonly action: AuditAction;
  /** As for {@link AuditTrail.record}. */
  readonly subject: string;
  /** The persons whose data were read: all of them, or the first ones if `people` has their number. */
  readonly peopleIds: readonly number[];
  readonly people?: number;
  readonly details?: AuditDetails;
  readonly by: Actor;
}

/** An entry of {@link AuditTrail.list}. */
export interface ListedEntry {
  readonly id: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly actor: string;
  readonly via: Via;
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
  /** If false, entries of readings are left out. Default: true. */
  readonly readings?: boolean;
}

/** What a history is about. */
export interface HistorySubject {
  /** Entries with one of these subjects. */
  readonly subjects: readonly string[];
  /** Also entries whose details name one of these persons as `peopleId`, such as those of contacts. */
  readonly peopleIds: readonly number[];
}

/** The largest number of entries in a list. Use `before` for earlier ones. */
export const ENTRIES_PER_PAGE = 200;

/** The most PeopleIds in the entry of a reading. It also has their number. */
export const PEOPLE_PER_READING = 100;

/** How long a reading may wait for its entry, in milliseconds. */
const READING_LIMIT_MS = 1_000;

const INSERT = prepared(`
  INSERT INTO audit_entry (actor, via, action, subject, details)
  SELECT $1, $2, $3, subject, $5::jsonb FROM unnest($4::text[]) AS subject`);

/** Only entries of readings have this detail. */
const READ_PERSONS = 'peopleIds';

const COLUMNS = `
  id, ${isoInstant('at')} AS at, actor,
    COALESCE(via, audit_via(actor, action)) AS via, action, subject, details`;

/** Changes have an index of their own, because readings are many. @param readings whether they are listed, too. */
export const selectEntries = (readings: boolean): string =>
  `SELECT ${COLUMNS} ${fromEntries(readings)} ORDER BY id DESC LIMIT ${ENTRIES_PER_PAGE}`;

const fromEntries = (readings: boolean): string => `
  FROM audit_entry
  WHERE ($1::text IS NULL OR actor = $1) AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR subject = $3)
    AND ($4::timestamptz IS NULL OR at >= $4) AND ($5::timestamptz IS NULL OR at < $5)
    AND ($6::integer IS NULL OR id < $6) ${readings ? '' : `AND NOT details ? '${READ_PERSONS}'`}`;

/** Each condition has an index. */
const SELECT_HISTORY = `
  SELECT ${COLUMNS}
  FROM audit_entry
  WHERE id IN (
      SELECT id FROM audit_entry WHERE subject = ANY ($1::text[])
      UNION ALL
      SELECT id FROM audit_entry WHERE details ? 'peopleId' AND details ->> 'peopleId' = ANY ($2::text[])
    ) AND NOT details ? '${READ_PERSONS}'
  ORDER BY id DESC LIMIT ${ENTRIES_PER_PAGE}`;

/** Records who did what. Entries can be added and read, but never changed or deleted. */
@Injectable()
export class AuditTrail {
  private readonly logger = new Logger('AuditTrail');

  constructor(
    /** The actor of actions without an API user: {@link processActor}. */
    @Inject(PROCESS_ACTOR) readonly actor: string,
    private readonly church: Church,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Adds an entry in the transaction of the action, so that the entry exists exactly when the action was committed.
   */
  async record(tx: EntityManager, { action, subject, details = {}, by = COMMAND_LINE }: AuditRecord): Promise<void> {
    const subjects = typeof subject === 'string' ? [subject] : subject;
    await sqlRows(tx, INSERT, [...this.origin(by), action, subjects, JSON.stringify(details)]);
  }

  /**
   * Adds one entry for a reading of personal data, after the reading and before its answer. The entry contains the number
   * of the persons, and the PeopleIds of at most {@link PEOPLE_PER_READING} of them. If it cannot be added within a
   * second, the log says so, or a command's standard error: a reading must not fail because of it.
   */
  async recordReading({ action, subject, peopleIds, people, details = {}, by }: Reading): Promise<void> {
    const ids = [...new Set(peopleIds)];
    const all = { ...details, people: people ?? ids.length, [READ_PERSONS]: ids.slice(0, PEOPLE_PER_READING) };
    try {
      const values = [...this.origin(by), action, [subject], JSON.stringify(all)];
      await this.transactions.query(INSERT, values, READING_LIMIT_MS);
    } catch (error) {
      const what = `${action}, ${subject}, by ${this.origin(by)[0]}: ${describeError(error)}`;
      // Commands do not log.
      if (isAtCommandLine(this.actor)) process.stderr.write(`This reading is missing in the audit trail: ${what}\n`);
      else this.logger.error(`A reading is missing in the audit trail: ${what}`);
    }
  }

  private origin(by: Actor): readonly [actor: string, via: Via] {
    const own = isAtCommandLine(this.actor) ? 'command line' : 'service';
    if (by === COMMAND_LINE) return [this.actor, own];
    return [nameOf(by), own === 'command line' ? own : typeof by === 'string' ? 'api' : 'page'];
  }

  /** Entries, the newest first, at most {@link ENTRIES_PER_PAGE}. */
  async list(filter: AuditFilter): Promise<ListedEntry[]> {
    return this.transactions.query<ListedEntry>(selectEntries(filter.readings ?? true), this.valuesOf(filter));
  }

  /** How many entries the filter selects, on all pages. */
  async count(filter: AuditFilter): Promise<RowCount | undefined> {
    const values = [...this.valuesOf(filter).slice(0, -1), undefined];
    return this.transactions.countSelected(`SELECT ${fromEntries(filter.readings ?? true)}`, values);
  }

  private valuesOf({ actor, action, subject, from, to, before }: AuditFilter): readonly unknown[] {
    return [actor, action, subject, this.startOfDay(from, 0), this.startOfDay(to, 1), before];
  }

  /** What was done to something, without readings: the newest {@link ENTRIES_PER_PAGE} entries, the newest first. */
  async history({ subjects, peopleIds }: HistorySubject): Promise<ListedEntry[]> {
    return this.transactions.query<ListedEntry>(SELECT_HISTORY, [subjects, peopleIds.map(String)]);
  }

  /** When a day begins in church time. @param later how many days after `day`. */
  private startOfDay(day: string | undefined, later: number): Date | undefined {
    if (day === undefined) return undefined;
    return DateTime.fromISO(day, { zone: this.church.timeZone }).plus({ days: later }).toJSDate();
  }
}
