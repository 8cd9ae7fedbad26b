import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../../config/index.js';
import { TransactionalEvents } from '../../database/index.js';
import { UnknownPersonError } from '../errors.js';
import { PersonCreated } from '../events/index.js';
import { hasNoContacts } from './fold-address.js';
import { foldingRule, foldName } from './folding.js';
import type { Giver } from './giver.js';
import type { FoundGiver, SoughtGiver } from './found-giver.js';
import { GiverBatch, type GiverSource } from './giver-batch.js';
import { collectDoubts, type Doubt, type GiverDoubt, MAX_SIMILAR_PERSONS } from './giver-doubts.js';
import { hasLastName } from './has-last-name.js';
import { insertPerson, insertPersons, lockPersonKeys } from './insert-person.js';
import { personsAtAddress } from './match-by-address.js';
import { type FoldedGiver, foldGiver, type LockedMatch, lockMatches } from './match-person.js';
import { findSimilar, findSimilarOfMany, isShared, lockKeysOf, similarityQuery } from './similar-persons.js';
import { lockSurvivingPerson, type SurvivingPerson, survivingPersonId } from '../merging/surviving-person.js';
import { addUnconfirmedContacts, otherContactDoubts } from './unconfirmed-contacts.js';

/**
 * Finds the person a gift belongs to, or creates one. The person is locked against a merge until `tx` ends. Details are
 * compared in their folded form: normalised by folding.ts, so that letter case, accents and notation do not matter.
 */
@Injectable()
export class FindGiver implements GiverSource {
  constructor(
    private readonly church: Church,
    private readonly events: TransactionalEvents,
  ) {}

  seek(giver: Giver): SoughtGiver {
    const folded = foldGiver(giver, this.church.country);
    const similar = similarityQuery(giver, folded);
    return { giver, folded, similar, lockKeys: lockKeysOf(similar) };
  }

  /** Finds the givers of many gifts that one transaction records. Call it before the first gift is recorded. */
  async batch(tx: EntityManager, givers: readonly Giver[]): Promise<GiverBatch> {
    return GiverBatch.of(tx, this, givers);
  }

  /**
   * The person with this id, or the one it was merged into, without matching.
   * @throws PersonNotFoundError
   */
  async byId(tx: EntityManager, peopleId: number, giver: Giver): Promise<FoundGiver> {
    const person = await lockSurvivingPerson(tx, peopleId);
    const sameLastName = await hasLastName(tx, person.id, foldName(giver.last));
    const doubts: GiverDoubt[] = [...(sameLastName ? [] : (['other_last_name'] as const)), ...doubtsOf(person)];
    return { peopleId: person.id, by: 'id', matchedOn: [], otherMatches: [], doubts, similarPersons: [] };
  }

  /**
   * The person who matches these details best. If no person matches, a new one is created.
   * @throws UnknownPersonError if no person matches and `createUnknown` is false.
   */
  async byDetails(tx: EntityManager, giver: Giver, createUnknown: boolean): Promise<FoundGiver> {
    const sought = this.seek(giver);
    const known = await this.match(tx, sought);
    if (known !== undefined) return known;
    if (!createUnknown) throw new UnknownPersonError();
    // Two simultaneous first gifts of one giver share a contact or the name, and so a lock key. The first to lock it
    // creates the person. The other gift waits here, and then finds the new person by matching, or as a similar person.
    await lockPersonKeys(tx, sought.lockKeys);
    return (await this.match(tx, sought)) ?? this.create(tx, sought);
  }

  /**
   * The best of these matches, with its new contacts added; undefined if there are none.
   * @param matches best first, locked against a merge.
   */
  async bestOf(
    tx: EntityManager,
    { giver, folded }: SoughtGiver,
    [best, ...others]: readonly LockedMatch[],
  ): Promise<FoundGiver | undefined> {
    if (best === undefined) return undefined;
    const { personId: id, mergedInto, deceased } = best;
    const person = mergedInto === null ? { id, deceased } : await lockSurvivingPerson(tx, mergedInto);
    const rule = foldingRule(this.church.country);
    const added = await addUnconfirmedContacts(tx, person.id, giver, folded, best.evidence, rule);
    // A merge that committed between look-up and lock may have merged this person into one of the others.
    const otherMatches = others.map(({ personId }) => personId).filter((id) => id !== person.id);
    const doubts: Doubt[] = [
      // The list of persons is empty, because `otherMatches` already names the others.
      ...(otherMatches.length > 0 ? [['several_matches', []] as const] : []),
      ...doubtsOf(person).map((doubt) => [doubt, []] as const),
      ...otherContactDoubts(added, folded, others),
      ...sharedContactDoubts(folded, best),
    ];
    return {
      peopleId: person.id,
      by: 'match',
      matchedOn: best.evidence,
      otherMatches,
      ...collectDoubts(doubts, person.id),
    };
  }

  /**
   * Creates persons for givers who match no one, in their order. Their keys must be locked, and no two of them share one.
   * @returns the persons, in the same order.
   */
  async createAll(tx: EntityManager, givers: readonly SoughtGiver[]): Promise<FoundGiver[]> {
    const [first, ...others] = givers;
    if (first === undefined) return [];
    if (others.length === 0) return [await this.create(tx, first)];
    const doubts = await findSimilarOfMany(
      tx,
      givers.map(({ similar }) => similar),
    );
    const ids = await insertPersons(tx, givers, this.church.country);
    const created: FoundGiver[] = [];
    for (const [place, peopleId] of ids.entries()) {
      const giver = givers[place]?.giver;
      if (giver === undefined) throw new Error('A person has no giver');
      await this.publishCreated(tx, peopleId, giver);
      created.push(createdGiver(peopleId, giver, doubts[place] ?? []));
    }
    return created;
  }

  /**
   * The person with this id, or the one it was merged into. A reviewer has chosen the person, so the gift's details are
   * not compared with the person's.
   * @throws PersonNotFoundError
   */
  async survivingPerson(tx: EntityManager, peopleId: number): Promise<Pick<FoundGiver, 'peopleId' | 'doubts'>> {
    const person = await lockSurvivingPerson(tx, peopleId);
    return { peopleId: person.id, doubts: doubtsOf(person) };
  }

  /**
   * The persons who match these details, and then those who may be the same for other reasons, an equal name among them; the
   * survivors of merged ones, 10 at most. Until `tx` ends, nobody else creates a person who would be among them.
   */
  async personsLike(tx: EntityManager, giver: Giver): Promise<readonly number[]> {
    const folded = foldGiver(giver, this.church.country);
    const similar = { ...similarityQuery(giver, folded), byName: true };
    await lockPersonKeys(tx, lockKeysOf(similar));
    const matches = await lockMatches(tx, folded);
    const doubts = await findSimilar(tx, similar);
    const found = [...matches.map(({ personId }) => personId), ...collectDoubts(doubts).similarPersons];
    const survivors: number[] = [];
    for (const id of found) survivors.push(await survivingPersonId(tx, id));
    return [...new Set(survivors)].slice(0, MAX_SIMILAR_PERSONS);
  }

  /** Creates a person with these details, whoever else is similar. @returns the PeopleId. */
  async createPerson(
    tx: EntityManager,
    giver: Giver,
    folded: FoldedGiver = foldGiver(giver, this.church.country),
  ): Promise<number> {
    const peopleId = await insertPerson(tx, { giver, folded }, this.church.country);
    await this.publishCreated(tx, peopleId, giver);
    return peopleId;
  }

  private async match(tx: EntityManager, sought: SoughtGiver): Promise<FoundGiver | undefined> {
    if (hasNoContacts(sought.giver)) return this.matchByAddress(tx, sought);
    return this.bestOf(tx, sought, await lockMatches(tx, sought.folded));
  }

  /** Of a giver without contacts. Name and address are enough, but a father and a son may share both. */
  private async matchByAddress(tx: EntityManager, { giver, folded }: SoughtGiver): Promise<FoundGiver | undefined> {
    const [best, ...others] = await personsAtAddress(tx, giver, folded);
    if (best === undefined) return undefined;
    const person = await lockSurvivingPerson(tx, best);
    const otherMatches = others.filter((id) => id !== person.id);
    const doubts: GiverDoubt[] = [
      'without_contacts',
      ...(otherMatches.length > 0 ? (['several_matches'] as const) : []),
      ...doubtsOf(person),
    ];
    return {
      peopleId: person.id,
      by: 'match',
      matchedOn: ['lastName', 'firstName', 'address'],
      otherMatches,
      ...collectDoubts(doubts.map((doubt) => [doubt, []] as const)),
    };
  }

  private async create(tx: EntityManager, { giver, folded, similar }: SoughtGiver): Promise<FoundGiver> {
    const doubts = await findSimilar(tx, similar);
    return createdGiver(await this.createPerson(tx, giver, folded), giver, doubts);
  }

  private async publishCreated(tx: EntityManager, peopleId: number, { first, last }: Giver): Promise<void> {
    await this.events.publish(new PersonCreated({ peopleId, first, last }), tx);
  }
}

function createdGiver(peopleId: number, giver: Giver, similar: readonly Doubt[]): FoundGiver {
  const doubts: Doubt[] = [...similar, ...(hasNoContacts(giver) ? [['without_contacts', []] as const] : [])];
  return { peopleId, by: 'created', matchedOn: [], otherMatches: [], ...collectDoubts(doubts) };
}

function doubtsOf({ deceased }: SurvivingPerson): GiverDoubt[] {
  return deceased ? ['deceased'] : [];
}

/** The doubt about a match by a single contact that many persons share. Such a contact says little about the giver. */
function sharedContactDoubts(
  { email, phone }: FoldedGiver,
  { evidence, emailPersons, phonePersons }: LockedMatch,
): Doubt[] {
  if (evidence.includes('email') && evidence.includes('phone')) return [];
  const [contact, persons] = evidence.includes('email') ? [email, emailPersons] : [phone, phonePersons];
  return isShared(contact, persons) ? [['shared_contact', persons]] : [];
}
