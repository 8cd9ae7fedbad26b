import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { Church } from '../../config/index.js';
import { type RowCount, sqlRows, Transactions } from '../../database/index.js';
import { Contact } from '../contacts/contact.entity.js';
import { contactViewOf } from '../contacts/contacts.service.js';
import { findPersons } from './find-persons.js';
import type { FoundPersonView } from './found-person-view.js';
import { IndexPersons } from './index-persons.service.js';
import { type AddParameter, hasAllWords, personQuery } from './person-conditions.js';
import { type PersonPosition, readPersonPage } from './person-page.js';
import { type SimilarlyNamed, similarlyNamed } from './similarly-named.js';

/** A page of a search for people. */
export interface PeopleFound {
  readonly people: readonly FoundPersonView[];
  /** The last person of the page; undefined for an empty page. */
  readonly last: PersonPosition | undefined;
  readonly more: boolean;
  /** False for some minutes after an upgrade, while the persons that were there before are indexed. */
  readonly complete: boolean;
}

/** The persons of a search for gifts. */
export interface GiversFound {
  /** Their ids, or undefined if they are more than the limit. */
  readonly ids: readonly number[] | undefined;
  /** SQL for whether a person is one of them, for any number. @param personId SQL for the id. */
  readonly isFound: (personId: string, add: AddParameter) => string;
}

/** The most people with similar names that are shown. */
const MOST_SIMILAR = 5;

/** By so many names and addresses each, people who are counted have the words of a search at most, presumably. */
const NAMES_OF_PERSON = 10;

const SELECT_PEOPLE = `
  SELECT id AS "peopleId", first_name AS first, last_name AS last, nickname, former_last_name AS "formerLast", deceased
  FROM person WHERE id = ANY ($1::integer[])`;

/**
 * Finds people by the beginning of a word of their name or of an e-mail address, by a phone number in any spelling, and by
 * PeopleId. A merged person leads to the surviving one. Names and contacts that a person had before count, too.
 */
@Injectable()
export class SearchPeople {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly index: IndexPersons,
  ) {}

  /**
   * The best matches first: by id or phone number, by whole words, by their beginnings. Without a text: everybody. It does
   * not record the reading, which is for the caller to do.
   */
  async find(
    text: string | undefined,
    { after, limit }: { readonly after?: PersonPosition | undefined; readonly limit: number },
  ): Promise<PeopleFound> {
    const complete = await this.index.indexChanged();
    const query = text === undefined ? undefined : personQuery(text, this.church.country);
    return this.transactions.run(async (tx) => {
      const positions = await readPersonPage(tx, query, { after, limit: limit + 1 });
      const shown = positions.slice(0, limit);
      const people = await readPeople(
        tx,
        shown.map(({ id }) => id),
      );
      return { people, last: shown.at(-1), more: positions.length > limit, complete };
    });
  }

  /** How many people a search finds. */
  async count(text: string | undefined): Promise<RowCount | undefined> {
    if (text === undefined) return this.transactions.countSelected('SELECT FROM person WHERE merged_into IS NULL');
    return this.transactions.countRows(async (tx, most) => {
      const { direct, byWords } = await findPersons(tx, personQuery(text, this.church.country), most * NAMES_OF_PERSON);
      return byWords === undefined ? most : new Set([...direct, ...byWords]).size;
    });
  }

  /**
   * People whose names are nearly those of a search that has found nobody. It does not record the reading, which is for the
   * caller to do.
   */
  async similarlyNamed(text: string): Promise<SimilarlyNamed[]> {
    return (await this.transactions.briefly((tx) => similarlyNamed(tx, text, MOST_SIMILAR))) ?? [];
  }

  /** The persons that a search for gifts names, in no order. {@link IndexPersons.indexChanged} comes first. */
  async findGivers(tx: EntityManager, text: string, limit: number): Promise<GiversFound> {
    const query = personQuery(text, this.church.country);
    const { direct, byWords } = await findPersons(tx, { ...query, id: null }, limit);
    return {
      ids: byWords && [...new Set([...direct, ...byWords])],
      isFound: (personId, add) =>
        `(${hasAllWords(personId, query.words, add)} OR ${personId} = ANY (${add(direct)}::integer[]))`,
    };
  }
}

async function readPeople(tx: EntityManager, ids: readonly number[]): Promise<FoundPersonView[]> {
  if (ids.length === 0) return [];
  const people = await sqlRows<Omit<FoundPersonView, 'contacts'>>(tx, SELECT_PEOPLE, [ids]);
  const contacts = await tx.getRepository(Contact).find({
    where: { personId: In(ids) },
    order: { personId: 'ASC', kind: 'ASC', id: 'ASC' },
  });
  const byId = new Map(people.map((person) => [person.peopleId, person]));
  return ids.flatMap((id) => {
    const person = byId.get(id);
    const own = contacts.filter(({ personId }) => personId === id).map(contactViewOf);
    return person === undefined ? [] : [{ ...person, contacts: own }];
  });
}
