import { IANAZone } from 'luxon';
import { isFault, readGiftDate, resolveGiftDate, type SlashDates, trimText } from '../../values/index.js';

/** The orders of day, month and year in dates. */
export type DateOrder = SlashDates | 'Y-M-D';

/** A date as a file writes it: in one column, or with the time and its zone in columns of their own. */
export interface CellsOfDate {
  readonly date: string;
  readonly time?: string | undefined;
  readonly zone?: string | undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = '(?<month>[A-Za-z]{3,9})\\.?';
const TIME = '(?<rest>(?:,?[T ] ?.*)?)';

const NOTATIONS = [
  new RegExp(`^(?<year>\\d{4})(?<separator>[-/.])(?<second>\\d{1,2})\\k<separator>(?<third>\\d{1,2})${TIME}$`),
  new RegExp(`^(?<first>\\d{1,2})(?<separator>[-/.])(?<second>\\d{1,2})\\k<separator>(?<year>\\d{4})${TIME}$`),
  new RegExp(`^(?:[A-Za-z]{3,9},? )?${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})${TIME}$`),
  new RegExp(`^(?:[A-Za-z]{3,9},? )?(?<day>\\d{1,2})[. -]+${MONTH}[ -](?<year>\\d{4})${TIME}$`),
];

const CLOCK =
  /^,?[T ] ?(?:at )?(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?<fraction>\.\d{1,9})?)? ?(?<half>[AaPp]\.?[Mm]\.?)? ?(?<zone>\S.*)?$/;

/** Offsets of time zones by their abbreviations, which say whether daylight saving time applies. */
const OFFSETS: Readonly<Record<string, string>> = {
  ...{ UTC: 'Z', GMT: 'Z', Z: 'Z', WET: 'Z', BST: '+01:00', WEST: '+01:00', CET: '+01:00', CEST: '+02:00' },
  ...{ EET: '+02:00', EEST: '+03:00', AEST: '+10:00', AEDT: '+11:00', NZST: '+12:00', NZDT: '+13:00' },
  ...{ EST: '-05:00', EDT: '-04:00', CST: '-06:00', CDT: '-05:00', MST: '-07:00', MDT: '-06:00' },
  ...{ PST: '-08:00', PDT: '-07:00', AKST: '-09:00', AKDT: '-08:00', HST: '-10:00' },
};

type Groups = Partial<Record<string, string>>;

/**
 * A date of a file in a notation that AddContribution reads. A date that is written in none of the known ways is returned
 * as it is, and refused.
 * @param order of dates in the file, or of the church.
 * @param isOfFile whether the mapping names the order. Then dates may also have full stops or hyphens.
 */
export function readCellDate(cells: CellsOfDate, order: DateOrder | undefined, isOfFile: boolean): string {
  const { date, time, zone } = cells;
  const text = trimText(time === undefined ? date : `${trimText(date)} ${trimText(time)}`);
  const slashes = slashOrder(order);
  const known = isFault(readGiftDate(text, slashes)) ? rewritten(text, order, isOfFile) : text;
  const inOneText = zone === undefined ? known : inZone(known, trimText(zone), slashes);
  // A message about the original text is clearer.
  return isFault(readGiftDate(inOneText, slashes)) && zone === undefined ? text : inOneText;
}

/** The order of dates with slashes; undefined if such dates are refused. */
export function slashOrder(order: DateOrder | undefined): SlashDates | undefined {
  return order === 'Y-M-D' ? undefined : order;
}

/** Whether a date can only have the other order of day and month, such as 26/7/2026 in `M/D/Y`. */
export function contradicts(text: string, order: DateOrder | undefined): boolean {
  const { first = '', second = '' } = NOTATIONS[1]?.exec(trimText(text))?.groups ?? {};
  if (order === undefined || order === 'Y-M-D' || first === '') return false;
  const [month, day] = order === 'M/D/Y' ? [Number(first), Number(second)] : [Number(second), Number(first)];
  return month > 12 && month <= 31 && day <= 12;
}

function rewritten(text: string, order: DateOrder | undefined, isOfFile: boolean): string {
  for (const notation of NOTATIONS) {
    const groups = notation.exec(text)?.groups;
    if (groups === undefined) continue;
    const day = dayOf(groups, order, isOfFile);
    const { rest = '' } = groups;
    if (day === undefined) return text;
    return rest === '' ? day : (withClock(day, rest) ?? text);
  }
  return text;
}

/** YYYY-MM-DD; undefined if the order does not allow the notation. */
function dayOf(groups: Groups, order: DateOrder | undefined, isOfFile: boolean): string | undefined {
  const { year = '', separator, first, second = '', third = '', month, day = '' } = groups;
  if (month !== undefined) {
    const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
    return number === 0 ? undefined : iso(year, String(number), day);
  }
  if (first === undefined) return separator === '-' || order === 'Y-M-D' ? iso(year, second, third) : undefined;
  if (order === undefined || order === 'Y-M-D' || (separator !== '/' && !isOfFile)) return undefined;
  return order === 'M/D/Y' ? iso(year, first, second) : iso(year, second, first);
}

function iso(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function withClock(day: string, rest: string): string | undefined {
  const groups = CLOCK.exec(rest)?.groups;
  if (groups === undefined) return undefined;
  const { hour = '', minute = '', second = '00', fraction = '', half, zone } = groups;
  const hour24 = half === undefined ? Number(hour) : hourOfHalfDay(Number(hour), half);
  if (hour24 === undefined) return undefined;
  const clock = `${day}T${String(hour24).padStart(2, '0')}:${minute}:${second}${fraction}`;
  return zone === undefined ? clock : inZone(clock, zone, undefined);
}

function hourOfHalfDay(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toUpperCase().startsWith('P') ? 12 : 0);
}

/** Applies a time zone to a time without an offset: an IANA name, an offset, or an abbreviation. */
function inZone(text: string, zone: string, slashes: SlashDates | undefined): string {
  const reading = readGiftDate(text, slashes);
  if (isFault(reading) || reading.value.kind !== 'local') return text;
  const { local } = reading.value;
  const offset =
    OFFSETS[zone.toUpperCase()] ?? /^(?:UTC|GMT)?(?<offset>[+-]\d\d:?\d\d)$/i.exec(zone)?.groups?.['offset'];
  if (offset !== undefined) return `${local}${offset}`;
  // An unknown zone stays beside the time, so that the date is refused.
  if (!IANAZone.isValidZone(zone)) return `${text} ${zone}`;
  return resolveGiftDate(reading.value, zone).instant.toISOString();
}
