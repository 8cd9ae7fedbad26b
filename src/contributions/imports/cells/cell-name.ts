import { normalizeText } from '../../../values/index.js';

/** How a column writes a whole name. */
export const NAME_ORDERS = ['Last, First', 'First Last'] as const;

export type NameOrder = (typeof NAME_ORDERS)[number];

/** A name in two parts. A part that the text does not have is undefined. */
export interface SplitName {
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/** Belongs to the last name in front of it: `Smith Jr.`. */
const SUFFIX = /^(jr|sr|ii|iii|iv|v|esq|md|phd)\.?$/i;
/** Belongs to the last name behind it: `van der Berg`, `De La Cruz`. */
const PARTICLE =
  /^(d[aeiou]s?|de[lnr]|della|dos|du|el|al|la|le|los|las|st\.?|san|santa|te[nr]|v[ao]n|vande[nr]?|y|zu[mr]?)$/i;

/** Splits a whole name into first and last name. */
export function splitName(text: string, order: NameOrder): SplitName {
  const name = normalizeText(text).replace(/\s+/gu, ' ');
  return order === 'Last, First' ? splitAtComma(name) : splitAtLastName(name);
}

function splitAtComma(name: string): SplitName {
  const [last = '', ...others] = name.split(',').map((part) => part.trim());
  const suffixes = others.filter((part) => SUFFIX.test(part));
  const first = others.filter((part) => !SUFFIX.test(part) && part !== '').join(' ');
  return { first: orNone(first), last: orNone([last, ...suffixes].join(' ')) };
}

function splitAtLastName(name: string): SplitName {
  const words = name.replace(/,/g, ' ').split(' ').filter(Boolean);
  let begin = words.length - 1;
  while (begin > 1 && SUFFIX.test(words[begin] ?? '')) begin--;
  // The first word is always a first name, so that "Van Morrison" has one.
  while (begin > 1 && PARTICLE.test(words[begin - 1] ?? '')) begin--;
  return { first: orNone(words.slice(0, begin).join(' ')), last: orNone(words.slice(begin).join(' ')) };
}

function orNone(part: string): string | undefined {
  return part === '' ? undefined : part;
}
