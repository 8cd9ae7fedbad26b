import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../../config/index.js';
import { TransactionalEvents } from '../../database/index.js';
import { UnknownPersonError } from '../errors.js';
import { PersonCreated } from '../events/index.js';
import { hasNoContacts } from './fold-address.js';
import { foldingRule, foldName } from './folding.js';
import type { Giver } from './giver.js';
import { collectDoubts, type Doubt, type Doubts, type GiverDoubt, MAX_SIMILAR_PERSONS } from './giver-doubts.js';
import { hasLastName } from './has-last-name.js';
import { insertPerson, lockPersonKeys } from './insert-person.js';
import { personsAtAddress } from './match-by-address.js';
import type { Evidence } from './match-points.js';
import { type FoldedGiver, foldGiver, type LockedMatch, lockMatches, lockMatchesOfMany } from './match-person.js';
import { findSimilar, isShared, lockKeysOf, type SimilarityQuery, similarityQuery } from './similar-persons.js';
import { lockSurvivingPerson, type SurvivingPerson, survivingPersonId } from '../merging/surviving-person.js';
import { addUnconfirmedContacts, otherContactDoubts } from './unconfirmed-contacts.js';

/** The person a gift belongs to, and how the person was found. */
export interface FoundGiver extends Doubts {
  readonly peopleId: number;
  readonly by: FoundBy;
  /** The details in which the gift and the person agree; empty unless found by matching. */
  readonly matchedOn: readonly Evidence[];
  /** Other persons who match, best first. */
  readonly otherMatches: readonly number[];
}

/** The persons who match a giver, best first, locked against a merge. */
export type GiverMatches = readonly LockedMatch[];

/** By the PeopleId as sent, by matching, or newly created. */
export const WAYS_OF_FINDING = ['id', 'match', 'created'] as const;

type FoundBy = (typeof WAYS_OF_FINDING)[number];

/**
 * Finds the person a gift belongs to, or creates one. The person is locked against a merge until `tx` ends. Details are
 * compared in their folded form: normalised by folding.ts, so that letter case, accents and notation do not matter.
 */
@Injectable()
export class FindGiver {
  constructor(
    private readonly church: Church,
    private readonly events: TransactionalEvents,
  ) {}

  /**
   * Keys made from the giver's name, e-mail addresses and phone numbers. If two gifts share no key, the person that one
   * of them creates cannot be found by the other. {@link byDetails} locks these keys before it creates a person.
   */
  lockKeysOf(giver: Giver): readonly string[] {
    return lockKeysOf(similarityQuery(giver, foldGiver(giver, this.church.country)));
  }

  /**
   * Matches several givers at once, before their gifts are recorded in one transaction. For those who match no one, it takes
   * the locks of {@link byDetails}, all in one order, so that two such transactions cannot each wait for the other.
   * @returns the matches of each giver, in the same order, for {@link byDetails}.
   */
  async matchAll(tx: EntityManager, givers: readonly Giver[]): Promise<readonly GiverMatches[]> {
    const folded = givers.map((giver) => foldGiver(giver, this.church.country));
    const matches = await lockMatchesOfMany(tx, folded);
    const unknown = givers.filter((_giver, place) => matches[place]?.length === 0);
    if (unknown.length === 0) return matches;
    await lockPersonKeys(
      tx,
      unknown.flatMap((giver) => this.lockKeysOf(giver)),
    );
    // Those whom another transaction created while this one waited.
    return lockMatchesOfMany(tx, folded);
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
   * @param matches the result of {@link matchAll}, unless a person with a lock key of the giver was created since.
   * @throws UnknownPersonError if no person matches and `createUnknown` is false.
   */
  async byDetails(
    tx: EntityManager,
    giver: Giver,
    createUnknown: boolean,
    matches: GiverMatches = [],
  ): Promise<FoundGiver> {
    const folded = foldGiver(giver, this.church.country);
    const known = await this.match(tx, giver, folded, matches);
    if (known !== undefined) return known;
    if (!createUnknown) throw new UnknownPersonError();
    // Two simultaneous first gifts of one giver share a contact or the name, and so a lock key. The first to lock it
    // creates the person. The other gift waits here, and then finds the new person by matching, or as a similar person.
    const similar = similarityQuery(giver, folded);
    await lockPersonKeys(tx, lockKeysOf(similar));
    return (await this.match(tx, giver, folded)) ?? this.create(tx, giver, similar);
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
    const peopleId = await insertPerson(tx, giver, folded, this.church.country);
    await this.events.publish(new PersonCreated({ peopleId, first: giver.first, last: giver.last }), tx);
    return peopleId;
  }

  private async match(
    tx: EntityManager,
    giver: Giver,
    folded: FoldedGiver,
    matches: GiverMatches = [],
  ): Promise<FoundGiver | undefined> {
    if (hasNoContacts(giver)) return this.matchByAddress(tx, giver, folded);
    const [best, ...others] = matches.length > 0 ? matches : await lockMatches(tx, folded);
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

  /** Of a giver without contacts. Name and address are enough, but a father and a son may share both. */
  private async matchByAddress(tx: EntityManager, giver: Giver, folded: FoldedGiver): Promise<FoundGiver | undefined> {
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

  private async create(tx: EntityManager, giver: Giver, similar: SimilarityQuery): Promise<FoundGiver> {
    const found = await findSimilar(tx, similar);
    const doubts: Doubt[] = [...found, ...(hasNoContacts(giver) ? [['without_contacts', []] as const] : [])];
    const peopleId = await this.createPerson(tx, giver, similar.giver);
    return { peopleId, by: 'created', matchedOn: [], otherMatches: [], ...collectDoubts(doubts) };
  }
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
