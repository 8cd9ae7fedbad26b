import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../config/index.js';
import { prepared, sqlRow, sqlRows, TransactionalEvents } from '../database/index.js';
import { UnknownPersonError } from './errors.js';
import { PersonCreated } from './events/index.js';
import { foldName } from './folding.js';
import type { Giver } from './giver.js';
import type { Evidence } from './match-points.js';
import { contactsOf, type FoldedGiver, foldGiver, lockMatches } from './match-person.js';
import { lockStandingPerson, type StandingPerson } from './standing-person.js';

/** Whose gift it is, and how that was found. */
export interface FoundGiver {
  readonly peopleId: number;
  readonly by: FoundBy;
  /** In what the gift and the person agree; empty unless found by matching. */
  readonly matchedOn: readonly Evidence[];
  /** Others who match as well, best first. */
  readonly otherMatches: readonly number[];
  /** What a person should look at. */
  readonly doubts: readonly GiverDoubt[];
}

/** By the PeopleId that was sent, by matching, or newly created. */
export const WAYS_OF_FINDING = ['id', 'match', 'created'] as const;

type FoundBy = (typeof WAYS_OF_FINDING)[number];

/** Why a giver that was found may not be the right one. */
export const GIVER_DOUBTS = ['several_matches', 'other_last_name', 'deceased', 'similar_person'] as const;

export type GiverDoubt = (typeof GIVER_DOUBTS)[number];

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
    return contactsOf(foldGiver(giver, this.church.country));
  }

  /**
   * The person with this id, or the one it was merged into; no matching is done.
   * @throws PersonNotFoundError when there is no such person.
   */
  async byId(tx: EntityManager, peopleId: number, giver: Giver): Promise<FoundGiver> {
    const person = await lockStandingPerson(tx, peopleId);
    const sameLastName = await goesBy(tx, person.id, foldName(giver.last));
    const doubts: GiverDoubt[] = [...(sameLastName ? [] : (['other_last_name'] as const)), ...doubtsOf(person)];
    return { peopleId: person.id, by: 'id', matchedOn: [], otherMatches: [], doubts };
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
    // Whoever would match shares the e-mail or the phone, so these locks let one of two equal first gifts create the
    // person; the other waits here, and then finds it.
    await lockContacts(tx, folded);
    return (await this.match(tx, giver, folded)) ?? this.create(tx, giver, folded);
  }

  /**
   * This person or the one it was merged into, locked likewise, chosen by somebody who knows whose gift it is.
   * @throws PersonNotFoundError
   */
  async chosen(tx: EntityManager, peopleId: number): Promise<Pick<FoundGiver, 'peopleId' | 'doubts'>> {
    const person = await lockStandingPerson(tx, peopleId);
    return { peopleId: person.id, doubts: doubtsOf(person) };
  }

  private async match(tx: EntityManager, giver: Giver, folded: FoldedGiver): Promise<FoundGiver | undefined> {
    const [best, ...others] = await lockMatches(tx, folded);
    if (best === undefined) return undefined;
    const { personId: id, mergedInto, deceased } = best;
    const person = mergedInto === null ? { id, deceased } : await lockStandingPerson(tx, mergedInto);
    await noteNewContacts(tx, person.id, giver, folded, best.evidence);
    // A merge that commits between look-up and lock may have made one of the others this very person.
    const otherMatches = others.map(({ personId }) => personId).filter((id) => id !== person.id);
    return {
      peopleId: person.id,
      by: 'match',
      matchedOn: best.evidence,
      otherMatches,
      doubts: [...(otherMatches.length > 0 ? (['several_matches'] as const) : []), ...doubtsOf(person)],
    };
  }

  private async create(tx: EntityManager, giver: Giver, folded: FoldedGiver): Promise<FoundGiver> {
    const similar = await hasSimilarPerson(tx, folded);
    const person = await sqlRow<{ id: number }>(tx, INSERT_PERSON, [
      ...[giver.first, giver.last, giver.email, giver.phone, giver.address, giver.zip],
      ...[folded.first, folded.last, folded.email, folded.phone],
    ]);
    if (person === undefined) throw new Error('INSERT … RETURNING returned no row');
    const peopleId = person.id;
    await this.events.publish(new PersonCreated(peopleId, giver.first, giver.last), tx);
    return { peopleId, by: 'created', matchedOn: [], otherMatches: [], doubts: similar ? ['similar_person'] : [] };
  }
}

const INSERT_PERSON = prepared(`
  INSERT INTO person (id, first_name, last_name, email, phone, address, zip,
    first_name_folded, last_name_folded, email_folded, phone_folded)
  OVERRIDING SYSTEM VALUE
  VALUES (next_id('person_id_seq'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
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

function doubtsOf({ deceased }: StandingPerson): GiverDoubt[] {
  return deceased ? ['deceased'] : [];
}

/** An unconfirmed contact matches nobody, but makes similar, under each name that its person goes by. */
const SELECT_SIMILAR = prepared(`
  WITH RECURSIVE reached AS (
    SELECT person_id AS id FROM contact
    WHERE kind = ANY (ARRAY['email', 'phone']) AND folded = ANY ($1::text[]) AND NOT confirmed
    UNION
    SELECT p.id FROM person p JOIN reached ON p.merged_into = reached.id
  )
  SELECT 1 FROM match_key WHERE contact = ANY ($1::text[]) AND last_name = $2
  UNION ALL
  SELECT 1 FROM reached JOIN person p USING (id) WHERE $2 IN (p.last_name_folded, p.former_last_name_folded)
  LIMIT 1`);

/** Somebody with the same last name and the same e-mail or phone: perhaps the same one under another first name. */
async function hasSimilarPerson(tx: EntityManager, giver: FoldedGiver): Promise<boolean> {
  const rows = await sqlRows(tx, SELECT_SIMILAR, [contactsOf(giver), giver.last]);
  return rows.length > 0;
}

const NOTE_CONTACT = prepared(`
  INSERT INTO contact (id, person_id, kind, value, folded, confirmed) OVERRIDING SYSTEM VALUE
  VALUES (next_id('contact_id_seq'), $1, $2, $3, $4, false)
  ON CONFLICT ON CONSTRAINT contact_once_per_person DO NOTHING`);

/** A contact that a matched gift brought along is kept as unconfirmed: shown to Finance, and matching nobody yet. */
async function noteNewContacts(
  tx: EntityManager,
  personId: number,
  giver: Giver,
  folded: FoldedGiver,
  matchedOn: readonly Evidence[],
): Promise<void> {
  for (const kind of ['email', 'phone'] as const) {
    if (folded[kind] === null || matchedOn.includes(kind)) continue;
    await sqlRows(tx, NOTE_CONTACT, [personId, kind, giver[kind], folded[kind]]);
  }
}

/** Transaction-level advisory locks on the folded e-mail and phone, always in the same order: no deadlock. */
const LOCK_CONTACTS = prepared(`
  SELECT pg_advisory_xact_lock(key)
  FROM (SELECT DISTINCT hashtextextended('person contact ' || c, 0) AS key FROM unnest($1::text[]) AS c ORDER BY key) k`);

async function lockContacts(tx: EntityManager, giver: FoldedGiver): Promise<void> {
  await sqlRows(tx, LOCK_CONTACTS, [contactsOf(giver)]);
}
