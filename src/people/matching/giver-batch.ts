import type { EntityManager } from 'typeorm';
import { UnknownPersonError } from '../errors.js';
import { hasNoContacts } from './fold-address.js';
import type { FoundGiver, SoughtGiver } from './found-giver.js';
import type { Giver } from './giver.js';
import { lockPersonKeys } from './insert-person.js';
import { type LockedMatch, lockMatchesOfMany } from './match-person.js';
import { addsContacts } from './unconfirmed-contacts.js';

/** A giver to find with {@link GiverBatch.find}. */
export interface GiverOfBatch {
  /** One of those that the batch was made of. */
  readonly giver: Giver;
  readonly createUnknown: boolean;
}

/** What finds and creates one giver. */
export interface GiverSource {
  seek(giver: Giver): SoughtGiver;
  /** @throws UnknownPersonError if no person matches and `createUnknown` is false. */
  byDetails(tx: EntityManager, giver: Giver, createUnknown: boolean): Promise<FoundGiver>;
  /** The best of these matches, with its new contacts added; undefined if there are none. */
  bestOf(tx: EntityManager, sought: SoughtGiver, matches: readonly LockedMatch[]): Promise<FoundGiver | undefined>;
  /** Creates persons in their order. Their keys must be locked, and no two of them share one. */
  createAll(tx: EntityManager, givers: readonly SoughtGiver[]): Promise<FoundGiver[]>;
}

/** A giver with the persons who matched when they were last looked up. */
interface Entry {
  readonly sought: SoughtGiver;
  matches: readonly LockedMatch[];
  /** The run before which they were looked up. */
  matchedBefore: number;
  /** Whether the lock keys are locked, as they must be before a person is created. */
  isLocked: boolean;
}

/** What the books get from a giver: a person, contacts of a known person, or nothing. */
type Change = 'person' | 'contacts' | 'nothing';

const NOT_MATCHED = -1;

/**
 * Finds or creates the givers of many gifts in one transaction with few statements. Each giver is found as if the gifts
 * before were recorded already: a run of givers is looked up together only if none of them can find what another one of the
 * run adds, and ids are given in the order of the gifts.
 */
export class GiverBatch {
  private run = 0;
  /** By lock key: the last run that created a person or added a contact with it. */
  private readonly changed = new Map<string, number>();

  private constructor(
    private readonly findGiver: GiverSource,
    private readonly entries: ReadonlyMap<Giver, Entry>,
  ) {}

  /**
   * Matches all givers, and takes the locks of those who match no one, all in one order, so that two batches cannot each
   * wait for the other.
   */
  static async of(tx: EntityManager, findGiver: GiverSource, givers: readonly Giver[]): Promise<GiverBatch> {
    const entries = givers.map((giver): [Giver, Entry] => {
      const sought = findGiver.seek(giver);
      return [giver, { sought, matches: [], matchedBefore: NOT_MATCHED, isLocked: false }];
    });
    const batch = new GiverBatch(findGiver, new Map(entries));
    await batch.match(
      tx,
      entries.map(([, entry]) => entry),
    );
    return batch;
  }

  /** The person who matches the giver best, before any gift of the batch is recorded; undefined if nobody matches. */
  bestMatch(giver: Giver): number | undefined {
    return this.entryOf(giver).matches[0]?.personId;
  }

  /**
   * The persons of these givers, in the same order, each as it would be found or created alone. Call it in the
   * order of the gifts.
   * @throws UnknownPersonError
   */
  async find(tx: EntityManager, givers: readonly GiverOfBatch[]): Promise<FoundGiver[]> {
    const found: FoundGiver[] = [];
    while (found.length < givers.length) {
      const rest = givers.slice(found.length);
      const run = await this.nextRun(
        tx,
        rest.map(({ giver }) => this.entryOf(giver)),
      );
      found.push(...(await this.findRun(tx, run, rest)));
    }
    return found;
  }

  /** Call it when what {@link find} has written for these givers was rolled back. */
  forget(givers: readonly Giver[]): void {
    for (const giver of givers) Object.assign(this.entryOf(giver), { matchedBefore: NOT_MATCHED, isLocked: false });
  }

  private entryOf(giver: Giver): Entry {
    const entry = this.entries.get(giver);
    if (entry === undefined) throw new Error('The giver is not one of the batch');
    return entry;
  }

  /** The first of these givers who can be found together, with current matches. */
  private async nextRun(tx: EntityManager, rest: readonly Entry[]): Promise<readonly Entry[]> {
    // What an outdated giver adds is known only after it is matched again.
    const candidates = runOf(rest, (entry) => (this.isOutdated(entry) ? 'nothing' : changeOf(entry)));
    const outdated = candidates.filter((entry) => this.isOutdated(entry));
    if (outdated.length === 0) return candidates;
    await this.match(tx, outdated);
    return runOf(candidates, changeOf);
  }

  private isOutdated({ sought, matchedBefore }: Entry): boolean {
    return (
      matchedBefore === NOT_MATCHED || sought.lockKeys.some((key) => (this.changed.get(key) ?? -1) >= matchedBefore)
    );
  }

  /** Looks up who matches, and locks the keys of those who match no one. */
  private async match(tx: EntityManager, entries: readonly Entry[]): Promise<void> {
    await this.lookUp(tx, entries);
    const unknown = entries.filter(({ matches, isLocked }) => matches.length === 0 && !isLocked);
    if (unknown.length === 0) return;
    await lockPersonKeys(
      tx,
      unknown.flatMap(({ sought }) => sought.lockKeys),
    );
    for (const entry of unknown) entry.isLocked = true;
    // Another transaction may have created them while this one waited.
    await this.lookUp(tx, unknown);
  }

  private async lookUp(tx: EntityManager, entries: readonly Entry[]): Promise<void> {
    const matches = await lockMatchesOfMany(
      tx,
      entries.map(({ sought }) => sought.folded),
    );
    entries.forEach((entry, place) => {
      entry.matches = matches[place] ?? [];
      entry.matchedBefore = this.run;
    });
  }

  private async findRun(
    tx: EntityManager,
    run: readonly Entry[],
    wanted: readonly GiverOfBatch[],
  ): Promise<FoundGiver[]> {
    const found = new Map<Entry, FoundGiver>();
    const unknown: Entry[] = [];
    for (const [place, entry] of run.entries()) {
      const createUnknown = wanted[place]?.createUnknown === true;
      const { sought, matches } = entry;
      const matched = isFoundAlone(entry)
        ? await this.findGiver.byDetails(tx, sought.giver, createUnknown)
        : await this.findGiver.bestOf(tx, sought, matches);
      if (matched !== undefined) found.set(entry, matched);
      else if (createUnknown) unknown.push(entry);
      else throw new UnknownPersonError();
    }
    const created = await this.findGiver.createAll(
      tx,
      unknown.map(({ sought }) => sought),
    );
    created.forEach((person, place) => {
      const entry = unknown[place];
      if (entry !== undefined) found.set(entry, person);
    });
    for (const entry of run) {
      if (changeOf(entry) === 'nothing') continue;
      for (const key of entry.sought.lockKeys) this.changed.set(key, this.run);
    }
    this.run++;
    return run.flatMap((entry) => found.get(entry) ?? []);
  }
}

/** Whether the giver is a run of its own: without contacts it is matched by address, which {@link Entry.matches} does not know. */
function isFoundAlone({ sought }: Entry): boolean {
  return hasNoContacts(sought.giver);
}

/** The first givers of whom none can find what another one adds, and whose contacts are added before persons are. */
function runOf(entries: readonly Entry[], changeOf: (entry: Entry) => Change): readonly Entry[] {
  const keys = new Set<string>();
  let createsPerson = false;
  const [first] = entries;
  if (first !== undefined && isFoundAlone(first)) return [first];
  const end = entries.findIndex((entry) => {
    if (isFoundAlone(entry)) return true;
    const change = changeOf(entry);
    if (entry.sought.lockKeys.some((key) => keys.has(key)) || (change === 'contacts' && createsPerson)) return true;
    if (change !== 'nothing') for (const key of entry.sought.lockKeys) keys.add(key);
    createsPerson ||= change === 'person';
    return false;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

function changeOf({ sought, matches: [best] }: Entry): Change {
  if (best === undefined) return 'person';
  return addsContacts(sought.folded, best.evidence) ? 'contacts' : 'nothing';
}
