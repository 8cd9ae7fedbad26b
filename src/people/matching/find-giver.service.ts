import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../../config/index.js';
import { prepared, sqlRow, sqlRows, TransactionalEvents } from '../../database/index.js';
import { UnknownPersonError } from '../errors.js';
import { PersonCreated } from '../events/index.js';
import { foldingMark, foldName, foldNamesBefore } from './folding.js';
import type { Giver } from './giver.js';
import { collectDoubts, type Doubt, type Doubts, type GiverDoubt, NAMED_AT_MOST } from './giver-doubts.js';
import { isImpersonalAddress } from './impersonal-address.js';
import type { Evidence } from './match-points.js';
import { type FoldedGiver, foldGiver, type LockedMatch, lockMatches } from './match-person.js';
import { findSimilar, isShared, locksOf, type SimilarityQuery, similarityQuery } from './similar-persons.js';
import { lockSurvivingPerson, type SurvivingPerson } from '../merging/surviving-person.js';

/** Whose gift it is, and how that was found. */
export interface FoundGiver extends Doubts {
  readonly peopleId: number;
  readonly by: FoundBy;
  /** In what the gift and the person agree; empty unless found by matching. */
  readonly matchedOn: readonly Evidence[];
  /** Others who match as well, best first. */
  readonly otherMatches: readonly number[];
}

/** By the PeopleId that was sent, by matching, or newly created. */
export const WAYS_OF_FINDING = ['id', 'match', 'created'] as const;

type FoundBy = (typeof WAYS_OF_FINDING)[number];

/** Finds the person a gift belongs to, or creates one. The person is locked against a merge until `tx` ends. */
@Injectable()
export class FindGiver {
  constructor(
    private readonly church: Church,
    private readonly events: TransactionalEvents,
  ) {}

  /**
   * What a look-up by details goes by: two givers who share none of it do not change what is found for each other.
   */
  contactsOf(giver: Giver): readonly string[] {
    return locksOf(similarityQuery(giver, foldGiver(giver, this.church.country)));
  }

  /**
   * The person with this id, or the one it was merged into; no matching is done.
   * @throws PersonNotFoundError when there is no such person.
   */
  async byId(tx: EntityManager, peopleId: number, giver: Giver): Promise<FoundGiver> {
    const person = await lockSurvivingPerson(tx, peopleId);
    const sameLastName = await goesBy(tx, person.id, foldName(giver.last));
    const doubts: GiverDoubt[] = [...(sameLastName ? [] : (['other_last_name'] as const)), ...doubtsOf(person)];
    return { peopleId: person.id, by: 'id', matchedOn: [], otherMatches: [], doubts, similarPersons: [] };
  }

  /**
   * The person who matches these details best; nobody: a new person, or an error where `createUnknown` is false.
   * @throws UnknownPersonError
   */
  async byDetails(tx: EntityManager, giver: Giver, createUnknown: boolean): Promise<FoundGiver> {
    const folded = foldGiver(giver, this.church.country);
    const known = await this.match(tx, giver, folded);
    if (known !== undefined) return known;
    if (!createUnknown) throw new UnknownPersonError();
    // A matching gift shares the e-mail or the phone, so these locks let one of two equal first gifts create the
    // person; the other waits here, and then finds it, or finds it similar.
    const similar = similarityQuery(giver, folded);
    await sqlRows(tx, LOCK_CONTACTS, [locksOf(similar)]);
    return (await this.match(tx, giver, folded)) ?? this.create(tx, giver, similar);
  }

  /**
   * This person or the one it was merged into, locked likewise, chosen by somebody who knows whose gift it is.
   * @throws PersonNotFoundError
   */
  async chosen(tx: EntityManager, peopleId: number): Promise<Pick<FoundGiver, 'peopleId' | 'doubts'>> {
    const person = await lockSurvivingPerson(tx, peopleId);
    return { peopleId: person.id, doubts: doubtsOf(person) };
  }

  private async match(tx: EntityManager, giver: Giver, folded: FoldedGiver): Promise<FoundGiver | undefined> {
    const [best, ...others] = await lockMatches(tx, folded);
    if (best === undefined) return undefined;
    const { personId: id, mergedInto, deceased } = best;
    const person = mergedInto === null ? { id, deceased } : await lockSurvivingPerson(tx, mergedInto);
    const mark = foldingMark(this.church.country);
    const noted = await noteNewContacts(tx, person.id, giver, folded, best.evidence, mark);
    // A merge that commits between look-up and lock may have made one of the others this very person.
    const otherMatches = others.map(({ personId }) => personId).filter((id) => id !== person.id);
    const doubts: Doubt[] = [
      ...(otherMatches.length > 0 ? [['several_matches', []] as const] : []),
      ...doubtsOf(person).map((doubt) => [doubt, []] as const),
      ...otherContacts(noted, folded, others),
      ...sharedContact(folded, best),
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
      ...[foldingMark(this.church.country), foldNamesBefore([giver.first]), foldNamesBefore([giver.last])],
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

const SELECT_NAME = prepared(`
  WITH RECURSIVE same AS (
    SELECT id, last_name_folded, former_last_name_folded FROM person WHERE id = $1
    UNION
    SELECT p.id, p.last_name_folded, p.former_last_name_folded FROM person p JOIN same ON p.merged_into = same.id
  )
  SELECT 1 FROM same WHERE $2 IN (last_name_folded, former_last_name_folded) LIMIT 1`);

/** Whether this is a last name of the person, of now or before, or of one that was merged into it. */
async function goesBy(tx: EntityManager, personId: number, foldedLastName: string | null): Promise<boolean> {
  const rows = await sqlRows(tx, SELECT_NAME, [personId, foldedLastName]);
  return rows.length > 0;
}

function doubtsOf({ deceased }: SurvivingPerson): GiverDoubt[] {
  return deceased ? ['deceased'] : [];
}

/** A contact that a matched gift brought along and that was not known of its person. */
interface NotedContact {
  readonly kind: 'email' | 'phone';
  /** Whether the person has another one of this kind. */
  readonly differs: boolean;
  /** Others who have it. */
  readonly persons: readonly number[];
}

/** What RETURNING reads is as it was before the statement: without the contact itself. */
const NOTE_CONTACT = prepared(`
  INSERT INTO contact (id, person_id, kind, value, folded, confirmed, folded_by) OVERRIDING SYSTEM VALUE
  VALUES (next_id('contact_id_seq'), $1, $2, $3, $4, false, $5)
  ON CONFLICT ON CONSTRAINT contact_once_per_person DO NOTHING
  RETURNING
    EXISTS (SELECT FROM contact own WHERE own.person_id = $1 AND own.kind = $2 AND own.folded IS NOT NULL) AS differs,
    ARRAY(SELECT person_id FROM contact other WHERE other.kind = $2 AND other.folded = $4
      ORDER BY person_id LIMIT ${NAMED_AT_MOST}) AS persons`);

/** A contact that a matched gift brought along is kept as unconfirmed: shown to Finance, and matching nobody yet. */
async function noteNewContacts(
  tx: EntityManager,
  personId: number,
  giver: Giver,
  folded: FoldedGiver,
  matchedOn: readonly Evidence[],
  mark: string,
): Promise<NotedContact[]> {
  const noted: NotedContact[] = [];
  for (const kind of ['email', 'phone'] as const) {
    if (folded[kind] === null || matchedOn.includes(kind)) continue;
    const values = [personId, kind, giver[kind], folded[kind], mark];
    const contact = await sqlRow<Omit<NotedContact, 'kind'>>(tx, NOTE_CONTACT, values);
    if (contact !== undefined) noted.push({ kind, ...contact });
  }
  return noted;
}

/**
 * The doubt about a contact that is none of the person's, where it has others: listed once, since it is known from then
 * on. Where it led to another person who matches as well, that one is listed; an address for no one person says nothing.
 */
function otherContacts(
  noted: readonly NotedContact[],
  { email }: FoldedGiver,
  others: readonly LockedMatch[],
): Doubt[] {
  return noted
    .filter(({ differs }) => differs)
    .filter(({ kind }) => !others.some(({ evidence }) => evidence.includes(kind)))
    .filter(({ kind }) => kind !== 'email' || email === null || !isImpersonalAddress(email))
    .map(({ persons }) => ['other_contact', persons]);
}

/** The doubt about a match on a contact alone that says little about who gave. */
function sharedContact({ email, phone }: FoldedGiver, { evidence, emailPersons, phonePersons }: LockedMatch): Doubt[] {
  if (evidence.includes('email') && evidence.includes('phone')) return [];
  const [contact, persons] = evidence.includes('email') ? [email, emailPersons] : [phone, phonePersons];
  return isShared(contact, persons) ? [['shared_contact', persons]] : [];
}

/** Transaction-level advisory locks on what first gifts have in common, always in the same order: no deadlock. */
const LOCK_CONTACTS = prepared(`
  SELECT pg_advisory_xact_lock(key)
  FROM (SELECT DISTINCT hashtextextended('person contact ' || c, 0) AS key FROM unnest($1::text[]) AS c ORDER BY key) k`);
