import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../../config/index.js';
import { prepared, sqlRow, sqlRows, TransactionalEvents } from '../../database/index.js';
import { UnknownPersonError } from '../errors.js';
import { PersonCreated } from '../events/index.js';
import { foldingRule, foldName, differingPreviousForms } from './folding.js';
import type { Giver } from './giver.js';
import { collectDoubts, type Doubt, type Doubts, type GiverDoubt, MAX_SIMILAR_PERSONS } from './giver-doubts.js';
import { isImpersonalAddress } from './impersonal-address.js';
import type { Evidence } from './match-points.js';
import { type FoldedGiver, foldGiver, type LockedMatch, lockMatches, lockMatchesOfMany } from './match-person.js';
import { findSimilar, isShared, lockKeysOf, type SimilarityQuery, similarityQuery } from './similar-persons.js';
import { lockSurvivingPerson, type SurvivingPerson } from '../merging/surviving-person.js';

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
    await sqlRows(tx, LOCK_CONTACTS, [unknown.flatMap((giver) => this.lockKeysOf(giver))]);
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
    await sqlRows(tx, LOCK_CONTACTS, [lockKeysOf(similar)]);
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

  private async match(
    tx: EntityManager,
    giver: Giver,
    folded: FoldedGiver,
    matches: GiverMatches = [],
  ): Promise<FoundGiver | undefined> {
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

  private async create(tx: EntityManager, giver: Giver, similar: SimilarityQuery): Promise<FoundGiver> {
    const doubts = await findSimilar(tx, similar);
    const { first, last, email, phone } = similar.giver;
    const person = await sqlRow<{ id: number }>(tx, INSERT_PERSON, [
      ...[giver.first, giver.last, giver.email, giver.phone, giver.address, giver.zip],
      ...[first, last, email, phone],
      ...[
        foldingRule(this.church.country),
        differingPreviousForms([giver.first]),
        differingPreviousForms([giver.last]),
      ],
    ]);
    if (person === undefined) throw new Error('INSERT … RETURNING returned no row');
    const peopleId = person.id;
    await this.events.publish(new PersonCreated({ peopleId, first: giver.first, last: giver.last }), tx);
    return { peopleId, by: 'created', matchedOn: [], otherMatches: [], ...collectDoubts(doubts) };
  }
}

const INSERT_PERSON = prepared(`
  INSERT INTO person (id, first_name, last_name, email, phone, address, zip,
    first_name_folded, last_name_folded, email_folded, phone_folded, folded_by, first_names_before, last_names_before)
  OVERRIDING SYSTEM VALUE
  VALUES (next_id('person_id_seq'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  RETURNING id`);

const SELECT_LAST_NAME = prepared(`
  WITH RECURSIVE same AS (
    SELECT id, last_name_folded, former_last_name_folded FROM person WHERE id = $1
    UNION
    SELECT p.id, p.last_name_folded, p.former_last_name_folded
    FROM same, LATERAL (SELECT * FROM person WHERE merged_into = same.id OFFSET 0) p
  )
  SELECT 1 FROM same WHERE $2 IN (last_name_folded, former_last_name_folded) LIMIT 1`);

/** Whether this is a current or former last name of the person, or of a person that was merged into it. */
async function hasLastName(tx: EntityManager, personId: number, foldedLastName: string | null): Promise<boolean> {
  const rows = await sqlRows(tx, SELECT_LAST_NAME, [personId, foldedLastName]);
  return rows.length > 0;
}

function doubtsOf({ deceased }: SurvivingPerson): GiverDoubt[] {
  return deceased ? ['deceased'] : [];
}

/** A new contact of a person, which came with a matched gift. */
interface UnconfirmedContact {
  readonly kind: 'email' | 'phone';
  /** Whether the person has another contact of this kind. */
  readonly differs: boolean;
  /** Other persons who have it. */
  readonly persons: readonly number[];
}

/** The subqueries of RETURNING do not see the new contact: they read the table as it was before the statement. */
const INSERT_CONTACT = prepared(`
  INSERT INTO contact (id, person_id, kind, value, folded, confirmed, folded_by) OVERRIDING SYSTEM VALUE
  VALUES (next_id('contact_id_seq'), $1, $2, $3, $4, false, $5)
  ON CONFLICT ON CONSTRAINT contact_once_per_person DO NOTHING
  RETURNING
    EXISTS (SELECT FROM contact own WHERE own.person_id = $1 AND own.kind = $2 AND own.folded IS NOT NULL) AS differs,
    ARRAY(SELECT person_id FROM contact other WHERE other.kind = $2 AND other.folded = $4
      ORDER BY person_id LIMIT ${MAX_SIMILAR_PERSONS}) AS persons`);

/**
 * Stores the e-mail address and phone number of a matched gift as unconfirmed contacts, if they are new for the person.
 * Finance sees unconfirmed contacts. Matching uses a contact only after it is confirmed.
 */
async function addUnconfirmedContacts(
  tx: EntityManager,
  personId: number,
  giver: Giver,
  folded: FoldedGiver,
  matchedOn: readonly Evidence[],
  rule: string,
): Promise<UnconfirmedContact[]> {
  const added: UnconfirmedContact[] = [];
  for (const kind of ['email', 'phone'] as const) {
    if (folded[kind] === null || matchedOn.includes(kind)) continue;
    const values = [personId, kind, giver[kind], folded[kind], rule];
    const contact = await sqlRow<Omit<UnconfirmedContact, 'kind'>>(tx, INSERT_CONTACT, values);
    if (contact !== undefined) added.push({ kind, ...contact });
  }
  return added;
}

/**
 * Doubts whether the gift's new contact belongs to the person, who already has another contact of the same kind. Only
 * the first gift with this contact has the doubt: for later gifts the contact is no longer new. A contact causes no
 * doubt if another matching person has it, because the review lists that person anyway. An impersonal address causes
 * none either, because it says nothing about the giver.
 */
function otherContactDoubts(
  added: readonly UnconfirmedContact[],
  { email }: FoldedGiver,
  others: readonly LockedMatch[],
): Doubt[] {
  return added
    .filter(({ differs }) => differs)
    .filter(({ kind }) => !others.some(({ evidence }) => evidence.includes(kind)))
    .filter(({ kind }) => kind !== 'email' || email === null || !isImpersonalAddress(email))
    .map(({ persons }) => ['other_contact', persons]);
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

/** Transaction-level advisory locks on the lock keys, always in the same order to avoid deadlocks. */
const LOCK_CONTACTS = prepared(`
  SELECT pg_advisory_xact_lock(key)
  FROM (SELECT DISTINCT hashtextextended('person contact ' || c, 0) AS key FROM unnest($1::text[]) AS c ORDER BY key) k`);
