import anyAscii from 'any-ascii';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isBlank, normalizeText } from '../http/index.js';

/**
 * Raised with every change of a rule below: the next start then folds anew what is stored (refold-persons.service.ts).
 * folding-sample.spec.ts fails when a rule changes without it.
 */
export const FOLDING_VERSION = 1;

/**
 * The longest folded name, in code points. One character can be folded into 18, and the index that is searched by
 * names holds at most 2,704 bytes an entry: without a cap such a name could not be stored.
 */
const MAX_FOLDED_NAME = 200;

const SHORT_ENGLISH = new RegExp(`^[A-Za-z]{1,${MAX_FOLDED_NAME}}$`);

// What people leave out, or write in another way, within one name. White space, hyphens (Pd and the likes of it that
// are symbols), characters that cannot be seen, and every character that stands for an apostrophe:
const UNWRITTEN = new RegExp(
  [
    '[\\p{White_Space}\\p{Pd}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u{2800}',
    '\\u{2212}\\u{02D7}\\u{2043}', // minus signs and the hyphen bullet
    '\\u{0027}\\u{0060}\\u{00B4}', // typewriter apostrophe, grave and acute accent
    '\\u{2018}\\u{2019}\\u{201B}\\u{275B}\\u{275C}', // quotation marks
    '\\u{2032}\\u{2035}\\u{02B9}', // primes
    '\\u{02BB}-\\u{02C1}\\u{02C8}\\u{02CA}\\u{02CB}\\u{02EE}', // letters that modify: okina, ayin, hamza
    '\\u{0384}\\u{1FBD}\\u{1FBF}\\u{1FFE}', // Greek accents and breathings that stand alone
    '\\u{055A}\\u{05F3}\\u{07F4}\\u{07F5}\\u{A78B}\\u{A78C}', // Armenian, Hebrew, N'Ko, the saltillo
    '\\u{FF07}\\u{FF40}]', // full-width forms
  ].join(''),
  'gu',
);
// Those at the very start as well: they have no letter that they could be a part of.
const MARKS_OF_LATIN_OR_GREEK = /(?<=^|[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const LATIN_BEYOND_ASCII = /[^\P{Script=Latin}a-z]/gu;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * A name as it is compared: without case, spaces, hyphens and apostrophes; Latin letters plain, Greek ones without
 * accents (contract, "Matching"). At most 200 code points; null for a blank name, which equals nothing.
 */
export function foldName(name: string): string | null {
  // As most are written here; all that follows would come to the same.
  if (SHORT_ENGLISH.test(name)) return name.toLowerCase();
  // Without the unwritten before compatibility forms are dissolved, which makes a space and an accent of U+00B4,
  // and once more for those that come out of it.
  const written = name.normalize('NFD').replace(UNWRITTEN, '').normalize('NFKD').replace(UNWRITTEN, '');
  const plain = foldCase(written).replace(MARKS_OF_LATIN_OR_GREEK, '').replace(LATIN_BEYOND_ASCII, spellPlainly);
  const folded = Array.from(plain.normalize('NFC')).slice(0, MAX_FOLDED_NAME).join('');
  return folded === '' ? null : folded;
}

/** An e-mail address as it is compared: lower-cased; null for a blank one. */
export function foldEmail(email: string): string | null {
  // Lower case letters compose with marks that the upper case ones do not (H with a line below): NFC again.
  return isBlank(email) ? null : normalizeText(email).toLowerCase().normalize('NFC');
}

/**
 * A phone number as it is compared: E.164 without extension, read as people of the country (ISO 3166) write it; null
 * for anything but one valid number, so that "n/a" equals nothing.
 */
export function foldPhone(phone: string, country: string): string | null {
  // Numbers copied out of a phone's contacts are wrapped in invisible marks of writing direction.
  const text = normalizeText(phone.replace(INVISIBLE, ''));
  const number = parsePhoneNumberFromString(text, { defaultCountry: country as CountryCode, extract: false });
  return number?.isValid() ? number.number : null;
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
