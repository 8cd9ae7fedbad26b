import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../config/index.js';
import { sqlRow, sqlRows } from '../database/index.js';
import { PersonNotFoundError, UnknownPersonError } from './errors.js';
import type { Giver } from './giver.js';
import { FoldedGiver, foldGiver, matchPersons } from './match-person.js';
import { Person } from './person.entity.js';

/** Whose gift it is, and how that was found. */
export interface FoundGiver {
  readonly peopleId: number;
  readonly newPerson: boolean;
  readonly multipleMatches: boolean;
}

/** Finds the person a gift belongs to, or creates one. The person is locked against a merge until `tx` ends. */
@Injectable()
export class FindGiver {
  constructor(private readonly church: Church) {}

  /** @throws PersonNotFoundError when there is no such person. */
  async byId(tx: EntityManager, peopleId: number): Promise<FoundGiver> {
    const person = await sqlRow(tx, 'SELECT id FROM person WHERE id = $1 FOR SHARE', [peopleId]);
    if (person === undefined) throw new PersonNotFoundError(peopleId);
    return { peopleId, newPerson: false, multipleMatches: false };
  }

  /**
   * The person who matches these details; nobody: a new person, or an error where `createUnknown` is false.
   * @throws UnknownPersonError
   */
  async byDetails(tx: EntityManager, giver: Giver, createUnknown: boolean): Promise<FoundGiver> {
    const folded = foldGiver(giver, this.church.country);
    const known = await this.match(tx, folded);
    if (known !== undefined) return known;
    if (!createUnknown) throw new UnknownPersonError();
    // Whoever would match shares the e-mail or the phone, so these locks let one of two equal first gifts create the
    // person; the other waits here, and then finds it.
    await lockContacts(tx, folded);
    return (await this.match(tx, folded)) ?? this.create(tx, giver, folded);
  }

  private async match(tx: EntityManager, folded: FoldedGiver): Promise<FoundGiver | undefined> {
    const [best, ...others] = await matchPersons(tx, folded);
    if (best === undefined) return undefined;
    return { ...(await this.byId(tx, best)), multipleMatches: others.length > 0 };
  }

  private async create(tx: EntityManager, giver: Giver, folded: FoldedGiver): Promise<FoundGiver> {
    const { identifiers } = await tx.insert(Person, {
      firstName: giver.first,
      lastName: giver.last,
      email: giver.email,
      phone: giver.phone,
      address: giver.address,
      zip: giver.zip,
      firstNameFolded: folded.first,
      lastNameFolded: folded.last,
      emailFolded: folded.email,
      phoneFolded: folded.phone,
    });
    return { peopleId: (identifiers[0] as { id: number }).id, newPerson: true, multipleMatches: false };
  }
}

/** Transaction-level advisory locks on the folded e-mail and phone, always in the same order: no deadlock. */
async function lockContacts(tx: EntityManager, { email, phone }: FoldedGiver): Promise<void> {
  const contacts = [email, phone].filter((contact) => contact !== null);
  await sqlRows(
    tx,
    `SELECT pg_advisory_xact_lock(key)
     FROM (SELECT DISTINCT hashtextextended('person contact ' || c, 0) AS key FROM unnest($1::text[]) AS c ORDER BY key) k`,
    [contacts],
  );
}
