import type { PersonView } from '../person-view.js';
import { foldEmail, foldName, foldPhone } from './folding.js';
import type { Giver } from './giver.js';
import type { Evidence } from './match-points.js';
import { shortFormsOf } from './short-forms.js';

/**
 * The details in which a person and a giver as sent agree, as matching compares them; unconfirmed contacts count, too.
 * @param country of phone numbers without a country code (ISO 3166)
 */
export function agreementOf(person: PersonView, giver: Giver, country: string): Evidence[] {
  const first = foldName(giver.first);
  const firstNames = foldedNames(person.first, person.nickname);
  const hasFirst = first !== null && firstNames.includes(first);
  const isShortForm = !hasFirst && first !== null && shortFormsOf(first).some((form) => firstNames.includes(form));
  const emails = valuesOf(person, 'email').map(foldEmail);
  const phones = valuesOf(person, 'phone').map((phone) => foldPhone(phone, country));
  return [
    ...(isAmong(foldName(giver.last), foldedNames(person.last, person.formerLast)) ? (['lastName'] as const) : []),
    ...(hasFirst ? (['firstName'] as const) : []),
    ...(isShortForm ? (['shortForm'] as const) : []),
    ...(isAmong(foldEmail(giver.email), emails) ? (['email'] as const) : []),
    ...(isAmong(foldPhone(giver.phone, country), phones) ? (['phone'] as const) : []),
  ];
}

function foldedNames(...names: readonly (string | null)[]): (string | null)[] {
  return names.map((name) => (name === null ? null : foldName(name)));
}

function valuesOf(person: PersonView, kind: 'email' | 'phone'): string[] {
  return [person[kind], ...person.contacts.filter((contact) => contact.kind === kind).map(({ value }) => value)];
}

/** Null equals nothing. */
function isAmong(folded: string | null, others: readonly (string | null)[]): boolean {
  return folded !== null && others.includes(folded);
}
