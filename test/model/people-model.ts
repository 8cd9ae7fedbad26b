import { type Giver, SHORT_FORMS } from './giver-pool.js';

/** A person as expected in the books. */
export interface Person {
  readonly id: number;
  /** As first sent. */
  readonly details: Giver;
  /** The person's own names, then those of persons merged into it, in folded form. */
  readonly names: { readonly first: string | null; readonly last: string | null }[];
  /** "email a@b" or "phone +1…", and whether it is confirmed. */
  readonly contacts: Map<string, boolean>;
  mergedInto: Person | undefined;
}

/** A person who matches a giver, and the details on which they match. */
export interface Match {
  readonly person: Person;
  readonly on: readonly string[];
}

const CONTACTS = ['email', 'phone'] as const;

/** All persons and the rules of matching. */
export class PeopleModel {
  private readonly byId = new Map<number, Person>();

  all(): Person[] {
    return [...this.byId.values()];
  }

  /** The person with this id, or the survivor of its merges. */
  survivorOf(id: number): Person | undefined {
    let person = this.byId.get(id);
    while (person?.mergedInto !== undefined) person = person.mergedInto;
    return person;
  }

  has(id: number): boolean {
    return this.byId.has(id);
  }

  /** All matches of a giver, best first: both contacts, short form, one contact; then the lowest id. */
  matches(giver: Giver): Match[] {
    const rank = ({ on }: Match): number => (on.includes('shortForm') ? 3 : on.length === 4 ? 4 : 2);
    return this.all()
      .flatMap((person) => matchOf(person, giver))
      .sort((a, b) => rank(b) - rank(a) || a.person.id - b.person.id);
  }

  /** All persons with this contact, confirmed or not: "email a@b" or "phone +1…". */
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

  /** Stores the new contacts of a matched gift as unconfirmed. */
  noteContacts(person: Person, giver: Giver): void {
    for (const contact of contactsOf(giver)) if (!person.contacts.has(contact)) person.contacts.set(contact, false);
  }

  /** Confirms a contact, so that it matches. @returns false if the person does not have it. */
  confirm(personId: number, contact: string): boolean {
    const contacts = this.byId.get(personId)?.contacts;
    if (contacts?.has(contact) !== true) return false;
    contacts.set(contact, true);
    return true;
  }

  /** Merges two persons, unless they are merged already. @returns the errors; empty if they are merged. */
  merge(fromId: number, intoId: number): string[] {
    const [from, into] = [this.byId.get(fromId), this.byId.get(intoId)];
    if (into !== undefined && from?.mergedInto === into && into.mergedInto === undefined) return [];
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
 * The rule of matching: last name, first name, and e-mail or phone. If the first name matches by a short form only: both
 * e-mail and phone. Returns one match or none.
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

/** The short or long form of the giver's first name. */
export function shortFormOf(giver: Giver): string {
  return SHORT_FORMS[giver.first.same ?? ''] ?? 'none';
}
