import { isBlank } from '../../values/index.js';
import type { Giver } from './giver.js';

/** Words of an address that are written in full or shortened. */
const SHORT_WORDS: Readonly<Record<string, string>> = {
  ...{ street: 'st', avenue: 'ave', road: 'rd', drive: 'dr', lane: 'ln', boulevard: 'blvd', court: 'ct', place: 'pl' },
  ...{ square: 'sq', circle: 'cir', highway: 'hwy', parkway: 'pkwy', terrace: 'ter', apartment: 'apt', suite: 'ste' },
  ...{
    north: 'n',
    south: 's',
    east: 'e',
    west: 'w',
    northeast: 'ne',
    northwest: 'nw',
    southeast: 'se',
    southwest: 'sw',
  },
};

/** A postal address in the form that is compared. */
export interface FoldedAddress {
  /** Its words without letter case, accents and punctuation. */
  readonly street: string;
  /** Null if it is not known. */
  readonly zip: string | null;
}

type PostalAddress = Pick<Giver, 'address' | 'zip'>;

/** Folds an address for comparison. Null for a blank one, which equals nothing. */
export function foldAddress({ address, zip }: PostalAddress): FoldedAddress | null {
  const words = wordsOf(address ?? '').map((word) => SHORT_WORDS[word] ?? word);
  if (words.length === 0) return null;
  // Of a US code with its extension, such as 38103-1234, the first five digits count.
  const code = wordsOf(zip ?? '')
    .join('')
    .replace(/^(\d{5})\d{4}$/, '$1');
  return { street: words.join(' '), zip: code === '' ? null : code };
}

/** Whether two addresses are the same. A postal code that one of them lacks does not count. */
export function isSameAddress(one: PostalAddress, other: PostalAddress): boolean {
  const [a, b] = [foldAddress(one), foldAddress(other)];
  if (a === null || b === null) return false;
  return a.street === b.street && (a.zip === null || b.zip === null || a.zip === b.zip);
}

/** Whether a giver has neither e-mail nor phone. Only an import accepts such givers. */
export function hasNoContacts({ email, phone }: Pick<Giver, 'email' | 'phone'>): boolean {
  return isBlank(email) && isBlank(phone);
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
