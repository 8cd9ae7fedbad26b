import { foldName, foldPhone } from '../matching/folding.js';
import { shortFormsOf } from '../matching/short-forms.js';
import { normalizeText, withoutInvisible } from '../../values/index.js';

/** Where a word of a name begins: names are written with spaces or with hyphens. */
const WORD_START = /(?<=^|[\p{White_Space}\p{Pd}])[^\p{White_Space}\p{Pd}]/gu;
const WHITE_SPACE = /\p{White_Space}+/u;
const HYPHENS = /\p{Pd}+/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const NO_LETTER_OR_DIGIT = /[^\p{L}\p{M}\p{N}]+/u;

/** A phone number as people write it: digits and signs between them. */
const LIKE_A_PHONE = /^[\d\s()+./\u{2010}-\u{2015}-]+$/u;
const FEWEST_PHONE_DIGITS = 4;

/** The most words of a name, of notes and of a search that count. */
const MAX_NAME_WORDS = 8;
const MAX_NOTES_WORDS = 300;
const MAX_SEARCH_WORDS = 8;

/** A word of a search. */
export interface SearchWord {
  /** The folded word. It finds names, and the names and addresses that begin with it. */
  readonly prefix: string;
  /** Short forms of the word, which find whole names only: Robert for Bob. */
  readonly shortForms: readonly string[];
}

/**
 * The folded name from each of its words to its end: `delacruz`, `lacruz` and `cruz` of De La Cruz. So the beginning of
 * each word finds the name, and several words do, whether they are written as one or not.
 */
export function nameEndings(name: string): string[] {
  const starts = [...name.matchAll(WORD_START)].slice(0, MAX_NAME_WORDS).map(({ index }) => index);
  return foldedOnce([name, ...starts.map((start) => name.slice(start))]);
}

/** The folded words of a name, besides {@link nameEndings}. */
export function nameWords(name: string): string[] {
  return foldedOnce([...nameEndings(name), ...name.split(/[\p{White_Space}\p{Pd}]+/u).slice(0, MAX_NAME_WORDS)]);
}

/** The folded words of notes. */
export function notesWords(notes: string): string[] {
  return foldedOnce(notes.split(NO_LETTER_OR_DIGIT).slice(0, MAX_NOTES_WORDS));
}

/**
 * The words of a search for a name or an e-mail address; a person must have all of them. Beside other words, signs do not
 * count.
 */
export function searchWords(text: string): SearchWord[] {
  const parts = normalizeText(text)
    .split(WHITE_SPACE)
    .flatMap((part) => (part.includes('@') ? [part] : part.split(HYPHENS)))
    .filter((part) => LETTER_OR_DIGIT.test(part));
  return (parts.length === 0 ? [text] : parts.slice(0, MAX_SEARCH_WORDS)).flatMap((word): SearchWord[] => {
    if (word.includes('@')) return [{ prefix: withoutInvisible(word).toLowerCase().normalize('NFC'), shortForms: [] }];
    const prefix = foldName(word);
    return prefix === null ? [] : [{ prefix, shortForms: shortFormsOf(prefix) }];
  });
}

/**
 * The form in which a phone number is found: E.164, or of an unusable number its digits after `tel:`, which no word of a
 * search has. Null if it has too few digits.
 * @param country of numbers without a country code (ISO 3166)
 */
export function phoneTerm(phone: string, country: string): string | null {
  const digits = phone.replace(/\D/gu, '');
  return foldPhone(phone, country) ?? (digits.length < FEWEST_PHONE_DIGITS ? null : `tel:${digits}`);
}

/** {@link phoneTerm} of a search that may be a phone number; null if it is none. */
export function searchedPhone(text: string, country: string): string | null {
  const written = withoutInvisible(text);
  return LIKE_A_PHONE.test(written) ? phoneTerm(written, country) : null;
}

function foldedOnce(texts: readonly string[]): string[] {
  return [...new Set(texts.map(foldName).filter((folded) => folded !== null))];
}
