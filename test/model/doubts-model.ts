import type { Giver } from './giver-pool.js';
import { contactsOf, type Match, type PeopleModel, type Person, shortFormOf } from './people-model.js';

/** The doubts about a giver and the other persons that they concern. */
export interface Doubts {
  readonly reasons: readonly string[];
  readonly persons: readonly number[];
}

/** A contact that this many persons have does not identify the giver. */
const SHARED_BY_MANY = 5;

/** The doubts about a match, before its new contacts are stored. */
export function doubtsAboutMatch(people: PeopleModel, giver: Giver, best: Match, others: readonly Match[]): Doubts {
  const brought = contactsOf(giver).filter((contact) => {
    const kind = kindOf(contact);
    return (
      !best.person.contacts.has(contact) &&
      [...best.person.contacts.keys()].some((own) => kindOf(own) === kind) &&
      !others.some(({ on }) => on.includes(kind))
    );
  });
  const matchedOn = contactsOf(giver).filter((contact) => best.on.includes(kindOf(contact)));
  const [only] = matchedOn;
  return {
    reasons: [
      ...(others.length > 0 ? ['several_matches'] : []),
      ...(brought.length > 0 ? ['other_contact'] : []),
      ...(matchedOn.length === 1 && only !== undefined && isShared(people, only) ? ['shared_contact'] : []),
    ],
    persons: [...others.map(({ person }) => person), ...brought.flatMap((contact) => people.having(contact))].map(
      ({ id }) => id,
    ),
  };
}

/** The doubts about a giver whom nobody matches, before the person is created. */
export function doubtsAboutNew(people: PeopleModel, giver: Giver): Doubts {
  const shared = contactsOf(giver).some((contact) => isShared(people, contact));
  const similar = new Map<Person, string>();
  for (const person of people.all()) {
    const reason = similarityOf(people, person, giver, shared);
    if (reason !== undefined) similar.set(person, reason);
  }
  return {
    reasons: [...new Set(similar.values()), ...(shared ? ['shared_contact'] : [])],
    persons: [...similar.keys()].map(({ id }) => id),
  };
}

function similarityOf(people: PeopleModel, person: Person, giver: Giver, shared: boolean): string | undefined {
  const sent = contactsOf(giver);
  const known = sent.filter((contact) => person.contacts.has(contact));
  if (known.length > 0 && people.goesBy(person, giver)) return 'similar_person';
  const isAlike = person.names.some(({ first }) => first === giver.first.same || first === shortFormOf(giver));
  if (isAlike && known.length === sent.length && (sent.length > 1 || (sent.length === 1 && !shared))) {
    return 'changed_last_name';
  }
  const { first, last } = person.details;
  const isNamesake = first.same === giver.first.same && last.same === giver.last.same;
  // A merged person has the contacts of the survivor.
  const hasContacts = (people.survivorOf(person.id)?.contacts.size ?? 0) > 0;
  return isNamesake && (sent.length < 2 || !hasContacts) ? 'known_name' : undefined;
}

function isShared(people: PeopleModel, contact: string): boolean {
  return people.having(contact).length >= SHARED_BY_MANY;
}

function kindOf(contact: string): string {
  return contact.slice(0, contact.indexOf(' '));
}
