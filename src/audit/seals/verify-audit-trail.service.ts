import { Injectable } from '@nestjs/common';
import { NO_TIME_LIMIT, Transactions } from '../../database/index.js';
import {
  entryHash,
  exactInstant,
  HASH_BYTES,
  HASHED_COLUMNS,
  type HashedEntry,
  NO_PREVIOUS_HASH,
  type SealContent,
  sealHash,
} from './hashes.js';
import { SealAuditTrail, type SealSummary } from './seal-audit-trail.service.js';

/** What a verification found. */
export interface Verification {
  /** Entries that seals cover and that were compared. */
  readonly sealedEntries: number;
  /** Entries after the last seal, about which nothing can be said. */
  readonly unsealedEntries: number;
  readonly seals: number;
  /** Entries after the seal that was noted: the note says nothing about them. Null without a note, or if no seal has its hash. */
  readonly entriesAfterNote: number | null;
  /** The latest seal; null if there is none. */
  readonly latestSeal: SealSummary | null;
  /** The first thing that does not fit, in one sentence; null if everything fits. */
  readonly fault: string | null;
}

/** Tells how many of the entries have been compared. */
export type OnProgress = (done: number, total: number) => void;

interface StoredSeal extends SealContent {
  readonly hash: Buffer;
}

const SEALS_PER_PAGE = 100;
const ENTRIES_PER_PAGE = 5_000;

const SELECT_SEALS = `
  SELECT number, ${exactInstant('sealed_at')} AS "sealedAt", first_id AS "firstId", last_id AS "lastId",
    entry_ids AS "entryIds", entry_hashes AS "entryHashes", previous_hash AS "previousHash", hash
  FROM audit_seal WHERE number > $1 ORDER BY number LIMIT ${SEALS_PER_PAGE}`;

/** $1 is null for the first page. */
const SELECT_ENTRIES = `
  SELECT ${HASHED_COLUMNS} FROM audit_entry
  WHERE ($1::integer IS NULL OR id > $1) AND id <= $2 ORDER BY id LIMIT ${ENTRIES_PER_PAGE}`;

const COUNT = `
  SELECT count(*) FILTER (WHERE id <= $1)::integer AS sealed, count(*) FILTER (WHERE (id > $1) IS NOT false)::integer AS unsealed
  FROM audit_entry`;

const SELECT_LAST_EPOCH = `
  SELECT id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at FROM audit_entry
  WHERE action = 'database.new-epoch' AND subject = 'database' ORDER BY id DESC LIMIT 1`;

/** Compares the audit trail with its seals, and the seals with each other (ADR 41). */
@Injectable()
export class VerifyAuditTrail {
  constructor(
    private readonly transactions: Transactions,
    private readonly seals: SealAuditTrail,
  ) {}

  /**
   * Compares all sealed entries, up to the first one that does not fit.
   * @param known the hash of a seal that was noted elsewhere, in hexadecimal: it must be in the chain.
   */
  async verify(known: string | undefined, onProgress: OnProgress): Promise<Verification> {
    const latest = await this.seals.latest();
    const [counts] = await this.query<{ sealed: number; unsealed: number }>(COUNT, [latest?.lastEntry ?? null]);
    const total = counts?.sealed ?? 0;
    const found = { sealedEntries: 0, unsealedEntries: counts?.unsealed ?? 0, latestSeal: latest ?? null };
    const entries = new EntryReader(this.pagesOfEntries(latest?.lastEntry ?? null));
    let entriesAfterNote: number | null = null;
    let previous: StoredSeal | undefined;
    for await (const seal of this.sealsUpTo(latest?.number ?? 0)) {
      const read = await entries.upTo(seal.lastId);
      const fault = faultOfSeal(seal, previous) ?? faultOfEntries(seal, read);
      if (fault !== undefined) return { ...found, seals: previous?.number ?? 0, entriesAfterNote, fault };
      found.sealedEntries += read.length;
      onProgress(found.sealedEntries, total);
      if (seal.hash.toString('hex') === known) {
        entriesAfterNote = total - found.sealedEntries + found.unsealedEntries;
      }
      previous = seal;
    }
    const isKnown = known === undefined || entriesAfterNote !== null;
    const fault = isKnown ? null : await this.unknownSeal();
    return { ...found, seals: previous?.number ?? 0, entriesAfterNote, fault };
  }

  private async *sealsUpTo(latest: number): AsyncGenerator<StoredSeal> {
    for (let after = 0; after < latest;) {
      const page = await this.query<StoredSeal>(SELECT_SEALS, [after]);
      // A seal that was added meanwhile is left out: its entries are not among those that were counted.
      yield* page.filter(({ number }) => number <= latest);
      after = page.at(-1)?.number ?? latest;
    }
  }

  private async *pagesOfEntries(upTo: number | null): AsyncGenerator<readonly HashedEntry[]> {
    for (let after: number | null = null; upTo !== null;) {
      const page: readonly HashedEntry[] = await this.query<HashedEntry>(SELECT_ENTRIES, [after, upTo]);
      yield page;
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  private async unknownSeal(): Promise<string> {
    const [epoch] = await this.query<{ id: number; at: string }>(SELECT_LAST_EPOCH, []);
    const restored =
      epoch === undefined
        ? 'These books have not been restored since epochs are recorded.'
        : `The last epoch of these books began on ${epoch.at} (entry ${epoch.id}).`;
    return (
      'No seal has the hash that was given. Either the audit trail was rewritten after that hash was noted, or a backup ' +
      `from before it was restored. ${restored}`
    );
  }

  private query<Row>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    return this.transactions.query<Row>(statement, values, NO_TIME_LIMIT);
  }
}

/** Hands out entries in the order of their ids, from pages. */
class EntryReader {
  private page: readonly HashedEntry[] = [];
  private position = 0;

  constructor(private readonly pages: AsyncGenerator<readonly HashedEntry[]>) {}

  /** The next entries with ids up to this one. */
  async upTo(id: number): Promise<HashedEntry[]> {
    const read: HashedEntry[] = [];
    for (;;) {
      while (this.position < this.page.length) {
        const entry = this.page[this.position];
        if (entry === undefined || entry.id > id) return read;
        read.push(entry);
        this.position++;
      }
      const next = await this.pages.next();
      if (next.done === true) return read;
      this.page = next.value;
      this.position = 0;
    }
  }
}

/** @param previous the seal before; undefined for the first one. */
function faultOfSeal(seal: StoredSeal, previous: StoredSeal | undefined): string | undefined {
  const number = (previous?.number ?? 0) + 1;
  if (seal.number !== number) return `Seal ${number} of the audit trail is missing.`;
  if (!seal.previousHash.equals(previous?.hash ?? NO_PREVIOUS_HASH)) {
    return `Seal ${number} of the audit trail does not follow the seal before it: one of the two was changed.`;
  }
  const isWhole =
    sealHash(seal).equals(seal.hash) &&
    seal.entryHashes.length === HASH_BYTES * seal.entryIds.length &&
    (previous === undefined || seal.firstId === previous.lastId + 1);
  return isWhole ? undefined : `Seal ${number} of the audit trail was changed.`;
}

/** The first difference between a seal and the entries in its range. */
function faultOfEntries(
  { number, sealedAt, entryIds, entryHashes }: StoredSeal,
  entries: readonly HashedEntry[],
): string | undefined {
  const sealed = new Map(
    entryIds.map((id, index) => [id, entryHashes.subarray(HASH_BYTES * index, HASH_BYTES * (index + 1))]),
  );
  const differences: [id: number, what: string][] = [];
  for (const entry of entries) {
    const hash = sealed.get(entry.id);
    if (hash === undefined) differences.push([entry.id, 'was inserted']);
    else if (!hash.equals(entryHash(entry))) differences.push([entry.id, 'was changed']);
  }
  const present = new Set(entries.map(({ id }) => id));
  for (const id of entryIds) if (!present.has(id)) differences.push([id, 'is missing: it was deleted']);
  const [first] = differences.sort(([one], [other]) => one - other);
  return first && `Entry ${first[0]} of the audit trail ${first[1]} after seal ${number} was made on ${sealedAt}.`;
}
