import { fieldReader, OptionalField, pageLimitUpTo, text } from '../../../http/index.js';
import type { PersonPosition } from '../../../people/index.js';
import { fault, isFault, read, readPathId } from '../../../values/index.js';
import { PEOPLE_PER_PAGE } from './people-page.js';

/** People on a page if the caller sends no limit. */
const DEFAULT_LIMIT = 20;

const POSITION = /^(?<rank>[012])\.(?<id>[1-9]\d{0,9})$/u;

const POSITION_SCHEMA = {
  type: 'string',
  minLength: '0.1'.length,
  maxLength: '2.2147483647'.length,
  pattern: POSITION.source.replaceAll(/\?<\w+>/g, ''),
} as const;

const position = fieldReader<PersonPosition>(POSITION_SCHEMA, (value) => {
  const { rank, id } = POSITION.exec(String(value))?.groups ?? {};
  const peopleId = readPathId(id ?? '');
  if (isFault(peopleId)) return fault('must be what the page before calls "next", unchanged');
  return read({ rank: Number(rank) as PersonPosition['rank'], id: peopleId.value });
});

/** Whom to search for, and the requested page. */
export class SearchPeopleRequest {
  @OptionalField(text(200), {
    description:
      'Whom to search for: the beginning of words of the name, or of an e-mail address; a phone number in any spelling; or a ' +
      'PeopleId. Letter case and accents do not matter in names; Bob also finds Robert. A person has all words. Without `q`: everybody, in the order of PeopleIds.',
    examples: ['apple'],
  })
  q?: string;

  @OptionalField(position, {
    description: 'For the next page: the value of `next` on the previous page, unchanged.',
    examples: ['2.152'],
  })
  after?: PersonPosition;

  @OptionalField(pageLimitUpTo(PEOPLE_PER_PAGE), {
    description: `The most people on a page. The default is ${DEFAULT_LIMIT}.`,
    examples: [DEFAULT_LIMIT],
  })
  limit?: number;
}

/** The page of a request, for the use case. */
export function toPersonPage({ after, limit = DEFAULT_LIMIT }: SearchPeopleRequest): {
  after: PersonPosition | undefined;
  limit: number;
} {
  return { after, limit };
}
