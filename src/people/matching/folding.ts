import anyAscii from 'any-ascii';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isBlank, isStandardEmail, normalizeText, withoutInvisible } from '../../values/index.js';

/**
 * Raised with every change of a rule below: what is stored is then folded again (refold-persons.service.ts).
 * folding-sample.spec.ts fails when a rule changes without it. {@link foldNameBefore} and {@link foldEmailBefore} keep
 * the rule of the release before, whose program runs beside this one during an upgrade.
 */
export const FOLDING_VERSION = 2;

/** By which rule something was folded: the version, and the country of phone numbers without a country code. */
export function foldingMark(country: string): string {
  return `${FOLDING_VERSION} ${country}`;
}

/**
 * The longest folded name, in code points. One character can be folded into 18, and the index that is searched by
 * names holds at most 2,704 bytes an entry: without a cap such a name could not be stored.
 */
const MAX_FOLDED_NAME = 200;

const SHORT_ENGLISH = new RegExp(`^[A-Za-z]{1,${MAX_FOLDED_NAME}}$`);

// What people leave out, or write in another way, within one name. White space, hyphens (Pd and symbols that look like
// one), characters that cannot be seen, and every character that stands for an apostrophe:
const SPACES_HYPHENS_AND_APOSTROPHES = [
  '\\p{White_Space}\\p{Pd}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u{2800}',
  '\\u{2212}\\u{02D7}\\u{2043}', // minus signs and the hyphen bullet
  '\\u{0027}\\u{0060}\\u{00B4}', // typewriter apostrophe, grave and acute accent
  '\\u{2018}\\u{2019}\\u{201B}\\u{275B}\\u{275C}', // quotation marks
  '\\u{2032}\\u{2035}\\u{02B9}', // primes
  '\\u{02BB}-\\u{02C1}\\u{02C8}\\u{02CA}\\u{02CB}\\u{02EE}', // letters that modify: okina, ayin, hamza
  '\\u{0384}\\u{1FBD}\\u{1FBF}\\u{1FFE}', // Greek accents and breathings that stand alone
  '\\u{055A}\\u{05F3}\\u{07F4}\\u{07F5}\\u{A78B}\\u{A78C}', // Armenian, Hebrew, N'Ko, the saltillo
  '\\u{FF07}\\u{FF40}', // full-width forms
].join('');
// Every character that Unicode names a full stop or a comma, what looks like one, and signs of abbreviation:
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
const UNWRITTEN = new RegExp(`[${SPACES_HYPHENS_AND_APOSTROPHES}${STOPS_AND_COMMAS}]`, 'gu');
const UNWRITTEN_BEFORE = new RegExp(`[${SPACES_HYPHENS_AND_APOSTROPHES}]`, 'gu');
const WHITE_SPACE = /\p{White_Space}/gu;
// Those at the very start as well: they have no letter that they could be a part of.
const MARKS_OF_LATIN_OR_GREEK = /(?<=^|[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const LATIN_BEYOND_ASCII = /[^\P{Script=Latin}a-z]/gu;

/**
 * A name as it is compared: without case, spaces, hyphens, apostrophes, full stops and commas; Latin letters plain,
 * Greek ones without accents (contract, "Matching"). Of a name that has nothing else ("-"), its spelling. At most 200
 * code points; null for a blank name, which equals nothing.
 */
export function foldName(name: string): string | null {
  // As most are written here; all that follows would come to the same.
  if (SHORT_ENGLISH.test(name)) return name.toLowerCase();
  return foldLetters(name, UNWRITTEN) ?? foldSpelling(name);
}

/** A name as version 1 folded it: with its full stops and commas, and null where nothing was left of it. */
export function foldNameBefore(name: string): string | null {
  return SHORT_ENGLISH.test(name) ? name.toLowerCase() : foldLetters(name, UNWRITTEN_BEFORE);
}

/** What version 1 made of these names, where that is something else than they are folded to now; null for none. */
export function foldNamesBefore(names: readonly (string | null)[]): string[] | null {
  const before = names.filter((name) => name !== null).map((name) => [foldNameBefore(name), foldName(name)] as const);
  const other = before.flatMap(([then, now]) => (then === null || then === now ? [] : [then]));
  return other.length === 0 ? null : other;
}

/**
 * An e-mail address as it is compared: lower-cased, without invisible characters; null for a blank one, and for one that
 * the standard forbids: which mailbox that is differs from one mail system to the other.
 */
export function foldEmail(email: string): string | null {
  const folded = foldEmailBefore(withoutInvisible(email));
  return folded !== null && isStandardEmail(folded) ? folded : null;
}

/** An e-mail address as version 1 folded it: with its invisible characters. */
export function foldEmailBefore(email: string): string | null {
  // Lower case letters compose with marks that the upper case ones do not (H with a line below): NFC again.
  return isBlank(email) ? null : normalizeText(email).toLowerCase().normalize('NFC');
}

/**
 * A phone number as it is compared: E.164 without extension, read as people of the country (ISO 3166) write it; null
 * for anything but one valid number, so that "n/a" equals nothing.
 */
export function foldPhone(phone: string, country: string): string | null {
  // Numbers copied out of a phone's contacts are wrapped in invisible marks of writing direction.
  const text = normalizeText(withoutInvisible(phone));
  const number = parsePhoneNumberFromString(text, { defaultCountry: country as CountryCode, extract: false });
  return number?.isValid() ? number.number : null;
}

/** The letters of a name, without what is unwritten; null where nothing is left. */
function foldLetters(name: string, unwritten: RegExp): string | null {
  // Without the unwritten before compatibility forms are dissolved, which makes a space and an accent of U+00B4,
  // and once more for those that come out of it.
  const written = name.normalize('NFD').replace(unwritten, '').normalize('NFKD').replace(unwritten, '');
  const plain = foldCase(written).replace(MARKS_OF_LATIN_OR_GREEK, '').replace(LATIN_BEYOND_ASCII, spellPlainly);
  return atMost(plain.normalize('NFC'));
}

/**
 * A name as it is written, but for letter case, white space, invisible characters and compatibility forms: "-" is not
 * "—". It is never equal to a name that has letters, for then those are what is left.
 */
function foldSpelling(name: string): string | null {
  return atMost(foldCase(withoutInvisible(name.normalize('NFKC')).replace(WHITE_SPACE, '')).normalize('NFC'));
}

function atMost(folded: string): string | null {
  return folded === '' ? null : Array.from(folded).slice(0, MAX_FOLDED_NAME).join('');
}

/**
 * Equal for all spellings in capitals and small letters. Lower case alone keeps the dotless ı apart from I, and ß from
 * SS. The final sigma (U+03C2) is the letter at a word's end, but words are joined here.
 */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('\u{03C2}', '\u{03C3}');
}

/**
 * The plain letters of one that does not decompose: ø is o, æ is ae. What any-ascii only knows a digit or a sign for
 * (the glottal stop) stays as it is: it is a letter of the name.
 */
function spellPlainly(letter: string): string {
  const plain = anyAscii(letter)
    .toLowerCase()
    .replace(/[^a-z]/gu, '');
  return plain === '' ? letter : plain;
}
