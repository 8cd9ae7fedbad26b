import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { AuxiliaryQueries, sqlRow, sqlRows, Transactions } from '../../database/index.js';
import { entryHash, exactInstant, HASHED_COLUMNS, type HashedEntry, NO_PREVIOUS_HASH, sealHash } from './hashes.js';

/** The most entries in a seal. */
export const ENTRIES_PER_SEAL = 1_000;

/** A seal as people note it. */
export interface SealSummary {
  readonly number: number;
  /** ISO 8601 in UTC. */
  readonly sealedAt: string;
  /** The id of the last entry that this seal and those before it cover. */
  readonly lastEntry: number;
  /** In hexadecimal. */
  readonly hash: string;
}

/** One process seals at a time. Another one waits, and goes on from the new seal. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('offertory.audit_seal', 0))`;

const SELECT_STATE = `
  SELECT settled_audit_entries() AS "upTo", ${exactInstant('clock_timestamp()')} AS now, last.number, last.last_id AS "lastId", last.hash
  FROM (SELECT) one LEFT JOIN (SELECT number, last_id, hash FROM audit_seal ORDER BY number DESC LIMIT 1) last ON true`;

interface State {
  /** Entries with higher ids may still appear (ADR 18). */
  readonly upTo: number;
  readonly now: string;
  /** The last seal; null if there is none. */
  readonly number: number | null;
  readonly lastId: number | null;
  readonly hash: Buffer | null;
}

/** $1 is null before the first seal, which then begins with the lowest id there is. */
const SELECT_ENTRIES = `
  SELECT ${HASHED_COLUMNS} FROM audit_entry
  WHERE ($1::integer IS NULL OR id > $1) AND id <= $2 ORDER BY id LIMIT ${ENTRIES_PER_SEAL}`;

/** The service's role has no other right to add a seal. The function refuses one that leaves entries out. */
const ADD = 'SELECT add_audit_seal($1, $2, $3, $4, $5, $6, $7, $8)';

const SELECT_LATEST = `
  SELECT number, to_char(sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "sealedAt", last_id AS "lastEntry",
    encode(hash, 'hex') AS hash
  FROM audit_seal ORDER BY number DESC LIMIT 1`;

/** Since when the oldest entry waits for its seal, in seconds, and how many wait. */
const SELECT_UNSEALED = `
  SELECT count(*)::integer AS entries, COALESCE(EXTRACT(epoch FROM now() - min(at)), 0)::float8 AS seconds FROM audit_entry
  WHERE id > COALESCE((SELECT last_id FROM audit_seal ORDER BY number DESC LIMIT 1), -2147483648)`;

/** The entries that are not sealed yet. */
export interface Unsealed {
  readonly entries: number;
  /** The age of the oldest one; 0 if there is none. */
  readonly seconds: number;
}

/** Entries are sealed every minute. If one waits for so long, something is wrong; in seconds. */
export const SEAL_OVERDUE_SECONDS = 5 * 60;

/** Seals the audit trail: each seal holds the hashes of the next entries, and the hash of the seal before (ADR 41). */
@Injectable()
export class SealAuditTrail {
  constructor(
    private readonly transactions: Transactions,
    private readonly queries: AuxiliaryQueries,
  ) {}

  /** Seals all settled entries that are not sealed yet, in batches. @returns the number of entries. */
  async sealAll(signal?: AbortSignal): Promise<number> {
    for (let sealed = 0; ;) {
      signal?.throwIfAborted();
      const entries = await this.transactions.run(sealNext);
      sealed += entries;
      if (entries < ENTRIES_PER_SEAL) return sealed;
    }
  }

  /** The latest seal, or undefined if nothing is sealed yet. */
  async latest(): Promise<SealSummary | undefined> {
    const [seal] = await this.queries.query<SealSummary>(SELECT_LATEST);
    return seal;
  }

  /** The entries that are not sealed yet. */
  async unsealed(): Promise<Unsealed> {
    const [row] = await this.queries.query<Unsealed>(SELECT_UNSEALED);
    if (row === undefined) throw new Error('A SELECT of aggregates returned no row');
    return row;
  }
}

/** Adds the next seal. @returns the number of its entries; 0 if there is nothing to seal. */
async function sealNext(tx: EntityManager): Promise<number> {
  await sqlRows(tx, LOCK);
  const state = await sqlRow<State>(tx, SELECT_STATE);
  if (state === undefined) throw new Error('A SELECT of one row returned none');
  // A statement of its own, which sees all settled entries.
  const entries = await sqlRows<HashedEntry>(tx, SELECT_ENTRIES, [state.lastId, state.upTo]);
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const seal = {
    number: (state.number ?? 0) + 1,
    sealedAt: state.now,
    firstId: state.lastId === null ? first.id : state.lastId + 1,
    lastId: last.id,
    entryIds: entries.map(({ id }) => id),
    entryHashes: Buffer.concat(entries.map(entryHash)),
    previousHash: state.hash ?? NO_PREVIOUS_HASH,
  };
  await sqlRows(tx, ADD, [
    seal.number,
    seal.sealedAt,
    seal.firstId,
    seal.lastId,
    seal.entryIds,
    seal.entryHashes,
    seal.previousHash,
    sealHash(seal),
  ]);
  return entries.length;
}
