import { InvalidRequestError } from '../../http/index.js';
import { isAbsent, isFault, LONGEST, readEmail, type Reading, readText } from '../../values/index.js';
import type { Person } from '../person.entity.js';

/** The details of a person that can be edited. An absent one stays unchanged, null clears it. */
export interface PersonDetails {
  readonly first?: string | undefined;
  readonly last?: string | undefined;
  readonly nickname?: string | null | undefined;
  readonly formerLast?: string | null | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly address?: string | null | undefined;
  readonly zip?: string | null | undefined;
  readonly deceased?: boolean | undefined;
}

type Text = string | null | undefined;

/** The columns of the table for the details that are named. @throws InvalidRequestError */
export function columnsOf(details: PersonDetails): Partial<Person> {
  const { first, last, nickname, formerLast, email, phone, address, zip, deceased } = details;
  return {
    ...column('firstName', name(first)),
    ...column('lastName', name(last)),
    ...column('nickname', name(nickname)),
    ...column('formerLastName', name(formerLast)),
    ...column('email', valid(email, 'Email', readEmail)),
    ...column('phone', valid(phone, 'Phone', text(LONGEST.phone))),
    ...column('address', valid(address, 'Address', text(LONGEST.address))),
    ...column('zip', valid(zip, 'Zip', text(LONGEST.zip))),
    ...(deceased !== undefined && { deceased }),
  };
}

/** The columns that differ from those of the person. */
export function changesOf(person: Person, columns: Partial<Person>): Partial<Person> {
  const changed = Object.entries(columns).filter(([key, value]) => person[key as keyof Person] !== value);
  return Object.fromEntries(changed);
}

function column(key: keyof Person, value: Text): Partial<Person> {
  return value === undefined ? {} : { [key]: value };
}

const text =
  (max: number) =>
  (value: unknown): Reading<string> =>
    readText(value, { max, lineBreaks: true });

function name(value: Text): Text {
  if (value === undefined || value === null) return value;
  const reading = readText(value, { max: LONGEST.name });
  if (isAbsent(value) || isFault(reading)) {
    throw new InvalidRequestError(`A name has 1 to ${LONGEST.name} characters on one line.`);
  }
  return reading.value;
}

function valid(value: Text, field: string, read: (value: unknown) => Reading<string>): Text {
  if (value === undefined || value === null) return value;
  const reading = read(value);
  if (isFault(reading)) throw InvalidRequestError.ofReadings({ [field]: reading });
  return reading.value;
}
