import anyAscii from 'any-ascii';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isBlank, isStandardEmail, normalizeText, withoutInvisible } from '../../values/index.js';

/**
 * Raise it with every change of a rule below: stored values are then folded again (refold-persons.service.ts).
 * folding-sample.spec.ts fails if a rule changes without it. {@link foldNameByPreviousRule} and
 * {@link foldEmailByPreviousRule} keep the rule of the previous release, whose program runs beside this one during an
 * upgrade.
 */
export const FOLDING_VERSION = 2;

/** The rule of folded values, as stored in `folded_by`: version, and country of phone numbers without a country code. */
export function foldingRule(country: string): string {
  return `${FOLDING_VERSION} ${country}`;
}

/**
 * The longest folded name, in code points. One character can fold into 18, and an entry of the index on names holds at
 * most 2,704 bytes. Without a limit, some names could not be stored.
 */
const MAX_FOLDED_NAME = 200;

const SHORT_ENGLISH = new RegExp(`^[A-Za-z]{1,${MAX_FOLDED_NAME}}$`);

// Characters that people leave out or write differently within one name: white space, hyphens (Pd and symbols that look
// like one), invisible characters, and every character used as an apostrophe:
const SPACES_HYPHENS_AND_APOSTROPHES = [
  '\\p{White_Space}\\p{Pd}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u{2800}',
  '\\u{2212}\\u{02D7}\\u{2043}', // minus signs and the hyphen bullet
  '\\u{0027}\\u{0060}\\u{00B4}', // typewriter apostrophe, grave and acute accent
  '\\u{2018}\\u{2019}\\u{201B}\\u{275B}\\u{275C}', // quotation marks
  '\\u{2032}\\u{2035}\\u{02B9}', // primes
  '\\u{02BB}-\\u{02C1}\\u{02C8}\\u{02CA}\\u{02CB}\\u{02EE}', // letters that modify: okina, ayin, hamza
  '\\u{0384}\\u{1FBD}\\u{1FBF}\\u{1FFE}', // spacing Greek accents and breathings
  '\\u{055A}\\u{05F3}\\u{07F4}\\u{07F5}\\u{A78B}\\u{A78C}', // Armenian, Hebrew, N'Ko, the saltillo
  '\\u{FF07}\\u{FF40}', // full-width forms
].join('');
// Every character that Unicode names a full stop or a comma, characters that look like one, and abbreviation signs:
const STOPS_AND_COMMAS = [
  '.,\\u{FF0E}\\u{FF0C}\\u{FE52}\\u{FE50}\\u{FE10}', // ASCII, full-width, small, vertical
  '\\u{3001}\\u{3002}\\u{FF61}\\u{FF64}\\u{FE11}\\u{FE12}\\u{FE51}', // ideographic
  '\\u{060C}\\u{06D4}\\u{0701}\\u{0702}\\u{07F8}', // Arabic, Syriac, N'Ko
  '\\u{055D}\\u{0589}\\u{1362}\\u{1363}\\u{166E}', // Armenian, Ethiopic, Canadian Aboriginal
  '\\u{1802}\\u{1803}\\u{1808}\\u{1809}\\u{2CF9}\\u{2CFE}', // Mongolian, Coptic
  '\\u{A4FE}\\u{A4FF}\\u{A60D}\\u{A60E}\\u{A6F3}\\u{A6F5}', // Lisu, Vai, Bamum
  '\\u{1144D}\\u{1145A}\\u{16AF5}\\u{16E97}\\u{16E98}\\u{1BC9F}\\u{1DA87}\\u{1DA88}', // rarer scripts
  '\\u{2E32}\\u{2E34}\\u{2E3C}\\u{2E41}\\u{2E49}\\u{2E4C}\\u{201A}', // Latin, historical, and a low quotation mark
  '\\u{0970}\\u{09FD}\\u{0A76}\\u{0AF0}', // signs of abbreviation of Indic scripts
].join('');
const IGNORED = new RegExp(`[${SPACES_HYPHENS_AND_APOSTROPHES}${STOPS_AND_COMMAS}]`, 'gu');
const IGNORED_BY_PREVIOUS_RULE = new RegExp(`[${SPACES_HYPHENS_AND_APOSTROPHES}]`, 'gu');
const WHITE_SPACE = /\p{White_Space}/gu;
// Includes marks at the start of a name: they belong to no letter.
const MARKS_OF_LATIN_OR_GREEK = /(?<=^|[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const LATIN_BEYOND_ASCII = /[^\P{Script=Latin}a-z]/gu;

/**
 * Folds a name for comparison: it removes case, spaces, hyphens, apostrophes, full stops and commas, makes Latin letters
 * plain, and removes accents of Greek letters (contract, "Matching"). If nothing is left of a name ("-"), its spelling is
 * kept. The result has at most 200 code points; null for a blank name, which equals nothing.
 */
export function foldName(name: string): string | null {
  // A shortcut for most names; the code below returns the same.
  if (SHORT_ENGLISH.test(name)) return name.toLowerCase();
  return foldLetters(name, IGNORED) ?? foldSpelling(name);
}

/** Folds a name as version 1 did: full stops and commas remain, and the result is null if nothing is left. */
export function foldNameByPreviousRule(name: string): string | null {
  return SHORT_ENGLISH.test(name) ? name.toLowerCase() : foldLetters(name, IGNORED_BY_PREVIOUS_RULE);
}

/** The forms of these names by version 1 that differ from their current forms; null if none does. */
export function differingPreviousForms(names: readonly (string | null)[]): string[] | null {
  const differing = names.flatMap((name) => {
    const previous = name === null ? null : foldNameByPreviousRule(name);
    return name === null || previous === null || previous === foldName(name) ? [] : [previous];
  });
  return differing.length === 0 ? null : differing;
}

/**
 * Folds an e-mail address for comparison: lower-cased, without invisible characters. Null for a blank address, and for
 * one that the standard forbids, because mail systems disagree about its mailbox.
 */
export function foldEmail(email: string): string | null {
  const folded = foldEmailByPreviousRule(withoutInvisible(email));
  return folded !== null && isStandardEmail(folded) ? folded : null;
}

/** Folds an e-mail address as version 1 did: invisible characters remain. */
export function foldEmailByPreviousRule(email: string): string | null {
  // NFC again: some lower case letters compose with marks that their upper case letters do not (H with a line below).
  return isBlank(email) ? null : normalizeText(email).toLowerCase().normalize('NFC');
}

/**
 * Folds a phone number for comparison: E.164 without extension, read by the conventions of the country (ISO 3166). Null
 * for anything but one valid number, so that "n/a" equals nothing.
 */
export function foldPhone(phone: string, country: string): string | null {
  // Numbers copied from a phone's contacts are wrapped in invisible marks of writing direction.
  const text = normalizeText(withoutInvisible(phone));
  const number = parsePhoneNumberFromString(text, { defaultCountry: country as CountryCode, extract: false });
  return number?.isValid() ? number.number : null;
}

/** Folds an e-mail address or a phone number. */
export function foldContact(kind: 'email' | 'phone', value: string, country: string): string | null {
  return kind === 'email' ? foldEmail(value) : foldPhone(value, country);
}

/** The plain letters of a name, without the ignored characters; null if nothing is left. */
function foldLetters(name: string, ignored: RegExp): string | null {
  // Ignored characters are removed before NFKD, which turns U+00B4 into a space and an accent, and after it, because it
  // can produce others.
  const written = name.normalize('NFD').replace(ignored, '').normalize('NFKD').replace(ignored, '');
  const plain = foldCase(written).replace(MARKS_OF_LATIN_OR_GREEK, '').replace(LATIN_BEYOND_ASCII, spellPlainly);
  return truncated(plain.normalize('NFC'));
}

/**
 * The spelling of a name without letters. It removes only letter case, white space, invisible characters and
 * compatibility forms: "-" differs from "—". It never equals a name with letters, of which only the letters are left.
 */
function foldSpelling(name: string): string | null {
  return truncated(foldCase(withoutInvisible(name.normalize('NFKC')).replace(WHITE_SPACE, '')).normalize('NFC'));
}

function truncated(folded: string): string | null {
  return folded === '' ? null : Array.from(folded).slice(0, MAX_FOLDED_NAME).join('');
}

/**
 * The same text for all spellings in upper and lower case. Lower-casing alone would not make the dotless ı equal to I,
 * or ß to SS. The final sigma (U+03C2) is written at the end of a word, but words are joined here.
 */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('\u{03C2}', '\u{03C3}');
}

/**
 * The plain letters of a letter that does not decompose: o for ø, ae for æ. A letter that any-ascii replaces only by a
 * digit or a sign (the glottal stop) is kept, because it is a letter of the name.
 */
function spellPlainly(letter: string): string {
  const plain = anyAscii(letter)
    .toLowerCase()
    .replace(/[^a-z]/gu, '');
  return plain === '' ? letter : plain;
}
