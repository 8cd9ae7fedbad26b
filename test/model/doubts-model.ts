import type { Giver } from './giver-pool.js';
import { contactsOf, type Match, type PeopleModel, type Person, shortFormOf } from './people-model.js';

/** What is doubtful about a giver, and the other persons that it is about. */
export interface Doubts {
  readonly reasons: readonly string[];
  readonly persons: readonly number[];
}

/** From so many persons on a contact says little about who gave. */
const SHARED_BY_MANY = 5;

/** About a person who matches, before its new contacts are noted. */
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

/** About somebody who matches nobody, before it is a person. */
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
  // The contacts of a merged person are those of the surviving one now.
  const hasContacts = (people.standing(person.id)?.contacts.size ?? 0) > 0;
  return isNamesake && (sent.length < 2 || !hasContacts) ? 'known_name' : undefined;
}

function isShared(people: PeopleModel, contact: string): boolean {
  return people.having(contact).length >= SHARED_BY_MANY;
}

function kindOf(contact: string): string {
  return contact.slice(0, contact.indexOf(' '));
}
