import { isFault, type MinorUnits, readAmount, withoutInvisible } from '../../../values/index.js';

/** Signs of currencies, and ISO 4217 codes. */
const CURRENCY_SIGN = /^(?:\p{Sc}|[A-Z]{3}\s?|[A-Z]{1,2}\p{Sc})|(?:\p{Sc}|\s?[A-Z]{3})$/gu;
/** Groups of three digits, separated by commas, points, apostrophes or spaces; the decimals have the other sign. */
const GROUPED =
  /^(?<whole>\d{1,3}(?:(?<group>[,.'\u{2019} \u{A0}\u{202F}])\d{3})(?:\k<group>\d{3})*)(?:(?!\k<group>)[.,](?<decimals>\d{1,2}))?$/u;
const PLAIN = /^(?<whole>\d+)(?:[.,](?<decimals>\d{1,2}))?$/u;

/** A search for a giver together with an amount. */
export interface GiverAndAmount {
  readonly giver: string;
  /** As stored. */
  readonly amount: string;
}

/**
 * What `Perez 120` or `$120 maria perez` means: an amount, and words with letters beside it. Undefined if the text has no
 * amount, several, or nothing else.
 */
export function searchedGiverAndAmount(text: string, minorUnits: MinorUnits): GiverAndAmount | undefined {
  const words = text.split(/\p{White_Space}+/u);
  const amounts = words.flatMap((word) => searchedAmount(word, minorUnits) ?? []);
  const [amount] = amounts;
  const giver = words.filter((word) => searchedAmount(word, minorUnits) === undefined).join(' ');
  return amount === undefined || amounts.length > 1 || !/\p{L}/u.test(giver) ? undefined : { giver, amount };
}

/**
 * The amount that a search means, as stored: 1234.56 for `$1,234.56`, `1.234,56 €` and `1234.56`. Undefined if the text
 * is no amount. As no amount has three decimals, `1.234` is one thousand.
 */
export function searchedAmount(text: string, minorUnits: MinorUnits): string | undefined {
  const written = withoutInvisible(text).replace(CURRENCY_SIGN, '').trim();
  const groups = (GROUPED.exec(written) ?? PLAIN.exec(written))?.groups;
  if (groups === undefined) return undefined;
  const whole = (groups['whole'] ?? '').replace(/\D/gu, '');
  const decimals = groups['decimals'];
  const reading = readAmount(decimals === undefined ? whole : `${whole}.${decimals}`, minorUnits);
  return isFault(reading) ? undefined : reading.value;
}
