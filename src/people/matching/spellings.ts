import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Spellings that matching distinguishes although they may mean the same. A person found by one of them is never matched,
 * only listed in a review. All functions here take folded values (folding.ts).
 */

/** Pairs of letters that are often written for one: `ae`, `oe`, `ue` for umlauts and `ø`, `aa` for `å`. */
const TWO_LETTERS_FOR_ONE = /([aou])e|aa/g;

/** Returns `muller` for both `mueller` and `muller` (the folded `Müller`), and `jorgensen` for `joergensen`. */
export function looseName(folded: string): string {
  return folded.replace(TWO_LETTERS_FOR_ONE, (_pair, vowel: string | undefined) => vowel ?? 'a');
}

/** Whether two folded names are equal in loose spelling; null equals nothing. */
export function isLikeName(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && looseName(one) === looseName(other);
}

/** The address, and the same address with its domain in Unicode or in Punycode (`xn--…`). */
export function emailSpellings(folded: string): string[] {
  const at = folded.lastIndexOf('@') + 1;
  const [local, domain] = [folded.slice(0, at), folded.slice(at)];
  // Other domains are not converted, because the functions below would change them: "123.4" to an IP address.
  if (!/[^\0-\x7f]|xn--/.test(domain)) return [folded];
  const domains = [domain, domainToASCII(domain), domainToUnicode(domain)].filter((spelling) => spelling !== '');
  return [...new Set(domains.map((spelling) => local + spelling))];
}

/** Countries whose mobile numbers are written with and without a digit after the country code. */
const MOBILE_DIGITS = [
  { with: /^\+521(\d{10})$/, without: /^\+52(\d{10})$/, code: '+52', digit: '1' },
  { with: /^\+549(\d{10})$/, without: /^\+54(\d{10})$/, code: '+54', digit: '9' },
] as const;

/** The number in E.164, and the same number with or without the digit for mobile phones: `+52 1 …`, `+54 9 …`. */
export function phoneSpellings(number: string): string[] {
  for (const country of MOBILE_DIGITS) {
    const [long, short] = [country.with.exec(number), country.without.exec(number)];
    if (long !== null) return [number, `${country.code}${long[1]}`];
    if (short !== null) return [number, `${country.code}${country.digit}${short[1]}`];
  }
  return [number];
}

/** International dialling prefixes: of most countries, and of North America. */
const PREFIXES_ABROAD = ['00', '011'] as const;
const PREFIX_ABROAD = new RegExp(`^(?:${PREFIXES_ABROAD.join('|')})`);

/** The digits of the stored forms of abolished numbers, which are stored as sent. */
export function abolishedDigits(phones: readonly string[]): string[] {
  return phones
    .filter((phone) => abolishedNumber(phone) !== null)
    .map((phone) => phone.slice(1))
    .flatMap((digits) => [digits, ...PREFIXES_ABROAD.map((prefix) => prefix + digits)]);
}

/**
 * An abolished number in E.164, which matching does not accept. Mexico has abolished the 1, so `+52 1 …` is no longer
 * valid. Null for all other numbers.
 */
export function abolishedNumber(phone: string): string | null {
  const number = `+${phone.replace(/\D/g, '').replace(PREFIX_ABROAD, '')}`;
  return MOBILE_DIGITS[0].with.test(number) ? number : null;
}
