import { IANAZone } from 'luxon';
import type { SlashDates } from '../../../values/index.js';

/** Time zones by the abbreviations in exports. Standard and daylight saving time of a place are one zone. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  UTC: 'UTC',
  GMT: 'UTC',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  ET: 'America/New_York',
  EASTERN: 'America/New_York',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  CT: 'America/Chicago',
  CENTRAL: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  MT: 'America/Denver',
  MOUNTAIN: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  PT: 'America/Los_Angeles',
  PACIFIC: 'America/Los_Angeles',
  BST: 'Europe/London',
  CET: 'Europe/Berlin',
  CEST: 'Europe/Berlin',
  AEST: 'Australia/Sydney',
  AEDT: 'Australia/Sydney',
  NZST: 'Pacific/Auckland',
  NZDT: 'Pacific/Auckland',
};

/** Whether a column holds the time zone of another column. @param compactName its name without separators. */
export function isZoneColumn(compactName: string): boolean {
  return /^(date|time|payment|transaction)?(timezone|tz|utcoffset|gmtoffset)(id|name)?$/.test(compactName);
}

/**
 * The time zone (IANA name) in the name of a column, such as `Created (UTC)`, `created_at_utc`, `Paid [EST]`,
 * `Date (Europe/London)`; undefined if there is none.
 */
export function zoneInHeader(name: string): string | undefined {
  const text = name.normalize('NFKC').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  // UTC and GMT are unlikely to mean anything else, so they count anywhere in the name.
  if (/utc\W*$|(?<!\p{L})(utc|gmt|zulu)(?!\p{L})/iu.test(text)) return 'UTC';
  const [, place] = /[([]\s*(\p{L}+\/[\p{L}_/-]+)\s*[)\]]/u.exec(text) ?? [];
  // The same notation may be the order of a date: (DD/MM/YYYY).
  if (place !== undefined && IANAZone.isValidZone(place)) return place;
  const inBrackets = /[([]\s*(\p{L}+)(?:\s+(?:standard\s+|daylight\s+)?time)?\s*[)\]]/iu.exec(text)?.[1];
  const words = text.replaceAll('_', ' ');
  const isOfTime = /\b(date|time|at|on|created|paid|received)\b/i.test(words);
  const atEnd = isOfTime ? /\b([A-Z]{2,4})\W*$/.exec(words)?.[1] : undefined;
  const abbreviation = (inBrackets ?? atEnd)?.toUpperCase() ?? '';
  return Object.hasOwn(ABBREVIATIONS, abbreviation) ? ABBREVIATIONS[abbreviation] : undefined;
}

/** The order of dates in the name of a column, such as `Date (MM/DD/YYYY)`, `Paid [D/M/Y]`, `Date Day/Month`. */
export function orderInHeader(name: string): SlashDates | undefined {
  const text = name.normalize('NFKC');
  if (/(?<!\p{L})(m{1,2}|mon|month)\s*\/\s*(d{1,2}|day)(?!\p{L})/iu.test(text)) return 'M/D/Y';
  if (/(?<!\p{L})(d{1,2}|day)\s*\/\s*(m{1,2}|mon|month)(?!\p{L})/iu.test(text)) return 'D/M/Y';
  return undefined;
}
