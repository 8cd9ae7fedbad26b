const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Codes that are also ordinary words. They count as currencies only in brackets and capitals. */
const WORDS = /^(all|bam|bob|cop|cup|gel|mad|mop|pen|ron|rub|sos|std|top|try)$/i;

const DOLLARS_AND_PESOS = (
  'USD AUD BBD BMD BND BSD BZD CAD FJD GYD HKD JMD KYD LRD NAD NZD SBD SGD SRD TTD TWD XCD ' +
  'ARS BRL CLP COP CUP CVE DOP MXN NIO TOP UYU'
).split(' ');

/** Currencies by their signs, the more specific signs first. Several currencies may share a sign. */
const SIGNS: readonly (readonly [sign: RegExp, currencies: readonly string[]])[] = [
  [/\bUS ?\$/i, ['USD']],
  [/\bCA? ?\$/i, ['CAD']],
  [/\bAU? ?\$/i, ['AUD']],
  [/\bNZ ?\$/i, ['NZD']],
  [/€|\beuros?\b/i, ['EUR']],
  [/£/, ['GBP', 'EGP', 'FKP', 'GIP', 'LBP', 'SDG', 'SHP', 'SSP', 'SYP']],
  [/¥/, ['JPY', 'CNY']],
  [/₹/, ['INR']],
  [/\$/, DOLLARS_AND_PESOS],
];

/** The currency in the name of a column. */
interface HeaderCurrency {
  /** The text in the name. */
  readonly text: string;
  /** ISO 4217. */
  readonly currencies: readonly string[];
}

/** The currency in the name of a column, such as `Amount (CAD)`, `amount_eur`, `Betrag in €`; undefined if there is none. */
export function currencyInHeader(name: string): HeaderCurrency | undefined {
  const text = name.normalize('NFKC');
  const inBrackets = [...text.matchAll(/[([]\s*([A-Z]{3})\s*[)\]]/g)].map(([, code = '']) => code);
  const words = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').match(/\p{L}+/gu) ?? [];
  const code = [...inBrackets, ...words.filter((word) => !WORDS.test(word))].find((word) =>
    CODES.has(word.toUpperCase()),
  );
  if (code !== undefined) return { text: code.toUpperCase(), currencies: [code.toUpperCase()] };
  for (const [sign, currencies] of SIGNS) {
    const [found] = sign.exec(text) ?? [];
    if (found !== undefined) return { text: found, currencies };
  }
  return undefined;
}
