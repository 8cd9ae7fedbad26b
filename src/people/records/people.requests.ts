import {
  digits,
  email,
  fieldReader,
  flag,
  id,
  IgnoresNothing,
  InvalidRequestError,
  lines,
  OptionalField,
  RequiredField,
  text,
} from '../../http/index.js';
import { fault, listUpTo, LONGEST, read } from '../../values/index.js';
import type { PersonDetails } from './person-details.js';

/** The details of a person that may be missing, in a body. */
abstract class OptionalDetails {
  @OptionalField(text(LONGEST.name), { description: 'Matches like the first name.', examples: ['Johnny'] })
  Nickname?: string;

  @OptionalField(text(LONGEST.name), {
    description: 'A former last name. Matches like the last name.',
    examples: ['Chapman'],
  })
  FormerLast?: string;

  @OptionalField(email, { description: 'One e-mail address.', examples: ['john@example.org'] })
  Email?: string;

  @OptionalField(digits(LONGEST.phone), {
    description: 'A valid phone number in any notation.',
    examples: ['901-489-0611'],
  })
  Phone?: string;

  @OptionalField(lines(LONGEST.address), { description: 'Postal address.', examples: ['1 Main Street\nMemphis'] })
  Address?: string;

  @OptionalField(digits(LONGEST.zip), { description: 'Postal code.', examples: ['38103'] })
  Zip?: string;

  @OptionalField(flag, { description: 'If true, gifts are listed for review.', examples: [false] })
  Deceased?: boolean;
}

/** The body of CreatePerson. */
@IgnoresNothing()
export class CreatePersonRequest extends OptionalDetails {
  @RequiredField(text(LONGEST.name), { description: 'First name.', examples: ['John'] })
  First!: string;

  @RequiredField(text(LONGEST.name), { description: 'Last name.', examples: ['Appleseed'] })
  Last!: string;

  @OptionalField(flag, {
    description: 'If true, the person is added although others may be the same.',
    examples: [false],
  })
  Confirm?: boolean;
}

/** The details that can be cleared. The others are never empty. */
export const CLEARABLE = ['Nickname', 'FormerLast', 'Address', 'Zip'] as const;
type Clearable = (typeof CLEARABLE)[number];

const isClearable = (value: unknown): value is Clearable => CLEARABLE.some((name) => name === value);

const clear = Object.assign(
  fieldReader<readonly Clearable[]>(listUpTo({ type: 'string', enum: CLEARABLE }), (value) =>
    Array.isArray(value) && value.every(isClearable) ? read(value) : fault(`must be a list of ${CLEARABLE.join(', ')}`),
  ),
  { acceptsObjects: true },
);

/** The body of EditPerson. A detail that is left out stays as it is. */
@IgnoresNothing()
export class EditPersonRequest extends OptionalDetails {
  @RequiredField(text(64), {
    description: 'The `version` of the person that you have read. If it is another one by now, nothing is changed.',
    examples: ['5f3a1c0b9e8d7a64'],
  })
  Version!: string;

  @OptionalField(text(LONGEST.name), { description: 'First name.', examples: ['John'] })
  First?: string;

  @OptionalField(text(LONGEST.name), { description: 'Last name.', examples: ['Appleseed'] })
  Last?: string;

  @OptionalField(clear, { description: 'The details to remove.', examples: [['Nickname']] })
  Clear?: readonly Clearable[];
}

/** The body of MergePersons. */
@IgnoresNothing()
export class MergePersonsRequest {
  @RequiredField(id, { description: 'The person who is kept.', examples: [187] })
  Into!: number;

  @RequiredField(text(64), {
    description: 'The `version` of the person in the path that you have read. Another one by now: nothing is merged.',
    examples: ['5f3a1c0b9e8d7a64'],
  })
  Version!: string;

  @RequiredField(text(64), {
    description: 'The `version` of the person who is kept, likewise.',
    examples: ['0c4b7d2e6a915f38'],
  })
  IntoVersion!: string;
}

/** The details of a body. */
export function detailsOf(
  request: CreatePersonRequest,
): PersonDetails & { readonly first: string; readonly last: string } {
  return { ...optionalDetailsOf(request), first: request.First, last: request.Last };
}

/** The changes of a body. @throws InvalidRequestError if a detail is both given and to be removed. */
export function changesOf(request: EditPersonRequest): PersonDetails {
  const cleared = request.Clear ?? [];
  const both = cleared.filter((name) => request[name] !== undefined);
  if (both.length > 0) {
    throw InvalidRequestError.ofFields(both.map((field) => ({ field, message: 'must not be in Clear as well' })));
  }
  const orNull = (name: Clearable): string | null | undefined => (cleared.includes(name) ? null : request[name]);
  return {
    ...optionalDetailsOf(request),
    first: request.First,
    last: request.Last,
    nickname: orNull('Nickname'),
    formerLast: orNull('FormerLast'),
    address: orNull('Address'),
    zip: orNull('Zip'),
  };
}

function optionalDetailsOf({
  Nickname: nickname,
  FormerLast: formerLast,
  Email,
  Phone: phone,
  Address: address,
  Zip: zip,
  Deceased: deceased,
}: OptionalDetails): PersonDetails {
  return { nickname, formerLast, email: Email, phone, address, zip, deceased };
}
