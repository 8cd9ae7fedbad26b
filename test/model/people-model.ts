import { type Giver, SHORT_FORMS } from './giver-pool.js';

/** A person as the books should know it. */
export interface Person {
  readonly id: number;
  /** As first sent. */
  readonly details: Giver;
  /** Its own names, then those of persons merged into it, by what they are compared by. */
  readonly names: { readonly first: string | null; readonly last: string | null }[];
  /** "email a@b" or "phone +1…", and whether it is confirmed. */
  readonly contacts: Map<string, boolean>;
  mergedInto: Person | undefined;
}

/** A person that is this giver, and in what they agree. */
export interface Match {
  readonly person: Person;
  readonly on: readonly string[];
}

const CONTACTS = ['email', 'phone'] as const;

/** Who there is, and who is whom. */
export class PeopleModel {
  private readonly byId = new Map<number, Person>();

  all(): Person[] {
    return [...this.byId.values()];
  }

  /** The person with this id, or the one it was merged into. */
  standing(id: number): Person | undefined {
    let person = this.byId.get(id);
    while (person?.mergedInto !== undefined) person = person.mergedInto;
    return person;
  }

  has(id: number): boolean {
    return this.byId.has(id);
  }

  /** All who are this giver, best first: who agrees in both contacts, by a short form, in one contact; the lowest id. */
  matches(giver: Giver): Match[] {
    const rank = ({ on }: Match): number => (on.includes('shortForm') ? 3 : on.length === 4 ? 4 : 2);
    return this.all()
      .flatMap((person) => matchOf(person, giver))
      .sort((a, b) => rank(b) - rank(a) || a.person.id - b.person.id);
  }

  /** Those who have this contact, confirmed or not: "email a@b" or "phone +1…". */
  having(contact: string): Person[] {
    return this.all().filter((person) => person.contacts.has(contact));
  }

  /** Whether the giver's last name is one of the person's. */
  goesBy(person: Person, giver: Giver): boolean {
    return person.names.some(({ last }) => last === giver.last.same);
  }

  create(id: number, giver: Giver): Person {
    const person: Person = {
      id,
      details: giver,
      names: [{ first: giver.first.same, last: giver.last.same }],
      contacts: new Map(contactsOf(giver).map((contact) => [contact, true])),
      mergedInto: undefined,
    };
    this.byId.set(id, person);
    return person;
  }

  /** What a matched gift brings along is kept, and matches nobody yet. */
  noteContacts(person: Person, giver: Giver): void {
    for (const contact of contactsOf(giver)) if (!person.contacts.has(contact)) person.contacts.set(contact, false);
  }

  /** From now on the contact matches. @returns whether there is such a one. */
  confirm(personId: number, contact: string): boolean {
    const contacts = this.byId.get(personId)?.contacts;
    if (contacts?.has(contact) !== true) return false;
    contacts.set(contact, true);
    return true;
  }

  /** Makes one of the two. @returns why that cannot be; nothing when it was done. */
  merge(fromId: number, intoId: number): string[] {
    const [from, into] = [this.byId.get(fromId), this.byId.get(intoId)];
    const faults = [
      ...(from === undefined || into === undefined ? ['person_not_found'] : []),
      ...(fromId === intoId || from?.mergedInto || into?.mergedInto ? ['cannot_merge'] : []),
    ];
    if (from === undefined || into === undefined || faults.length > 0) return faults;
    for (const [contact, confirmed] of from.contacts) {
      into.contacts.set(contact, confirmed || into.contacts.get(contact) === true);
    }
    into.names.push(...from.names);
    from.contacts.clear();
    from.mergedInto = into;
    return [];
  }
}

/**
 * The rule: last name, first name, and e-mail or phone; where the first name is only a short form of the other, both.
 * One or no match.
 */
function matchOf(person: Person, giver: Giver): Match[] {
  if (person.mergedInto !== undefined) return [];
  const firstNames = person.names.filter(({ last }) => last === giver.last.same).map(({ first }) => first);
  const exact = firstNames.includes(giver.first.same);
  const short = firstNames.includes(shortFormOf(giver));
  const contacts = CONTACTS.filter((kind) => person.contacts.get(`${kind} ${giver[kind].same}`) === true);
  if (!(exact && contacts.length > 0) && !(short && contacts.length === 2)) return [];
  return [{ person, on: ['lastName', exact ? 'firstName' : 'shortForm', ...contacts] }];
}

export function contactsOf(giver: Giver): string[] {
  return CONTACTS.filter((kind) => giver[kind].same !== null).map((kind) => `${kind} ${giver[kind].same}`);
}

/** The one other first name that is short for the giver's, or for which it is short. */
export function shortFormOf(giver: Giver): string {
  return SHORT_FORMS[giver.first.same ?? ''] ?? 'none';
}
