import { IANAZone } from 'luxon';
import type { JsonSchema, Leniency } from '../json-schema.js';
import { fault, read, type Reading } from '../reading.js';
import { trimText } from '../texts/text.js';

/** The order in which a church writes dates with slashes. */
export type SlashDates = 'M/D/Y' | 'D/M/Y';

/**
 * A gift's date as sent, before the church's time zone is applied: a day, a local time without offset, or an instant.
 * Each has one ISO 8601 spelling, so that two notations of one date are equal.
 */
export type GiftDate =
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'local'; readonly local: string }
  | { readonly kind: 'instant'; readonly instant: string };

/** When a gift was given, and on which day (`YYYY-MM-DD`) of the church's calendar. */
export interface ResolvedGiftDate {
  readonly instant: Date;
  readonly day: string;
}

/** The first day that a gift can have. */
export const FIRST_GIFT_DAY = '1900-01-01';
const DAY_MS = 86_400_000;

const ISO =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.(?<fraction>\d{1,9}))?)?(?<offset>Z|[+-](?:(?:0\d|1[0-3])(?::?[0-5]\d)?|14(?::?00)?))?)?$/u;
const SLASHES =
  /^(?<first>\d{1,2})\/(?<second>\d{1,2})\/(?<year>\d{4})(?: (?<hour>\d{1,2}):(?<minute>[0-5]\d)(?::(?<seconds>[0-5]\d))?(?: ?(?<half>[AaPp])[Mm])?)?$/u;

const ISO_NOTATION = 'must be an ISO 8601 date or date and time, such as 2026-07-26 or 2026-07-26T10:30:00-05:00';
const NO_SUCH_DAY = 'must be a day that the calendar has';
const NO_SLASHES =
  'must be an ISO 8601 date such as 2026-04-03: with slashes it may be either of two days, ' +
  'and this church has not said which (setting CHURCH_SLASH_DATES)';
const SLASH_NOTATION: Record<SlashDates, string> = { 'M/D/Y': 'M/D/YYYY', 'D/M/Y': 'D/M/YYYY' };

/** A date or a moment as clients should send it: ISO 8601, with an offset of hours and minutes if it has one. */
export const GIFT_DATE_SCHEMA: JsonSchema = {
  type: 'string',
  minLength: '2026-07-26'.length,
  maxLength: '2026-07-26T09:30:00.000000000-05:00'.length,
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$',
};

/** What {@link readGiftDate} accepts. It has too many notations for a pattern. */
export const GIFT_DATE_LENIENCY: Leniency = {
  schema: { type: 'string' },
  words:
    'A space in place of the `T` is accepted too. A date with slashes, optionally with `h:mm AM`, is read in the order that ' +
    'the church has set: `M/D/YYYY` in the United States. If it has set none, such a date is refused.',
};

type Groups = Partial<Record<string, string>>;

/**
 * Reads the notations that the contract lists for Date. The result depends on no time zone and no clock.
 * @param slashDates the order of dates with slashes. If undefined, they are refused: 3/4 may be either of two days.
 */
export function readGiftDate(value: unknown, slashDates: SlashDates | undefined): Reading<GiftDate> {
  // Trimming is enough: NFC never produces a character of a date from another character.
  const text = typeof value === 'string' ? trimText(value) : '';
  const iso = ISO.exec(text)?.groups;
  if (iso !== undefined) return readIso(iso);
  const slashes = SLASHES.exec(text)?.groups;
  if (slashDates === undefined) return fault(slashes === undefined ? ISO_NOTATION : NO_SLASHES);
  if (slashes !== undefined) return readSlashes(slashes, slashDates);
  return fault(`${ISO_NOTATION}, or ${SLASH_NOTATION[slashDates]} with an optional h:mm AM or PM`);
}

/**
 * Resolves the date in the church's time zone (IANA name). A day becomes its first instant. A local time in the hour
 * that daylight saving time skips moves forward by the length of the gap. In the repeated hour, the earlier instant
 * counts.
 */
export function resolveGiftDate(date: GiftDate, zone: string): ResolvedGiftDate {
  switch (date.kind) {
    case 'day':
      // The day remains as sent, even if the zone skipped the whole day (Apia, 2011-12-30).
      return { instant: new Date(firstInstantOf(date.day, zone)), day: date.day };
    case 'local': {
      const instant = new Date(instantOf(Date.parse(`${date.local}Z`), zone).instant);
      return { instant, day: churchDay(instant, zone) };
    }
    case 'instant': {
      const instant = new Date(date.instant);
      return { instant, day: churchDay(instant, zone) };
    }
  }
}

/** True from 1900-01-01 to the end of tomorrow, church time. Tomorrow is allowed because a sender's clock may be ahead. */
export function isGiftDateInRange(resolved: ResolvedGiftDate, zone: string, now: Date): boolean {
  const tomorrow = isoDay(Date.parse(`${churchDay(now, zone)}T00:00:00Z`) + DAY_MS);
  return resolved.day >= FIRST_GIFT_DAY && resolved.day <= tomorrow;
}

/** The day (`YYYY-MM-DD`) on the church's calendar at an instant. */
export function churchDay(now: Date, zone: string): string {
  return isoDay(now.getTime() + offsetMs(now.getTime(), zone));
}

let today: { readonly zone: string; readonly day: string; readonly from: number; readonly until: number } | undefined;

/** {@link churchDay} of the current time `now`, computed once a day. */
export function churchToday(now: Date, zone: string): string {
  const instant = now.getTime();
  if (today?.zone !== zone || instant < today.from || instant >= today.until) {
    const day = churchDay(now, zone);
    const until = firstInstantOf(isoDay(Date.parse(`${day}T00:00:00Z`) + DAY_MS), zone);
    today = { zone, day, from: instant, until };
  }
  return today.day;
}

function readIso(groups: Groups): Reading<GiftDate> {
  const { day = '', hour, minute = '', second = '00', fraction = '', offset } = groups;
  if (!isCalendarDay(day)) return fault(NO_SUCH_DAY);
  if (hour === undefined) return read({ kind: 'day', day });
  const local = `${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  if (offset === undefined) return read({ kind: 'local', local });
  const instant = Date.parse(`${local}Z`) - offsetTextMs(offset);
  return read({ kind: 'instant', instant: new Date(instant).toISOString() });
}

function readSlashes(groups: Groups, order: SlashDates): Reading<GiftDate> {
  const { first = '', second = '', year = '', hour, minute = '', seconds = '00', half } = groups;
  const [month, dayOfMonth] = order === 'M/D/Y' ? [first, second] : [second, first];
  const day = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
  if (!isCalendarDay(day)) return fault(`${NO_SUCH_DAY}, read as ${SLASH_NOTATION[order]}`);
  if (hour === undefined) return read({ kind: 'day', day });
  const hour24 = half === undefined ? Number(hour) : hourOfHalfDay(Number(hour), half);
  if (hour24 === undefined || hour24 > 23) return fault('must have an hour of 0 to 23, or of 1 to 12 with AM or PM');
  return read({ kind: 'local', local: `${day}T${String(hour24).padStart(2, '0')}:${minute}:${seconds}.000` });
}

function hourOfHalfDay(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
}

function isCalendarDay(day: string): boolean {
  // JavaScript parses 30 February as 2 March, so a day is valid only if it is printed as it was written.
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(midnight) && isoDay(midnight) === day;
}

function offsetTextMs(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(':', ''));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}

function firstInstantOf(day: string, zone: string): number {
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  const { instant, gap } = instantOf(midnight, zone);
  if (gap === 0) return instant;
  // Clocks may jump from 23:30 to 00:30 (Toronto, 1919). The day begins at the jump, at most one gap earlier.
  let before = instant - gap;
  let after = instant;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offsetMs(middle, zone) < midnight) before = middle;
    else after = middle;
  }
  return after;
}

/**
 * The instant at which the zone's clocks show `clock` (milliseconds, as if it were UTC), and the length in milliseconds
 * of the gap that contains `clock`, or 0. Luxon's DateTime is not used, because it chooses between two possible instants
 * by today's offset.
 */
function instantOf(clock: number, zone: string): { instant: number; gap: number } {
  // No zone has ever changed its clocks twice within two days, so no other offset can apply.
  const earlier = offsetMs(clock - DAY_MS, zone);
  const later = offsetMs(clock + DAY_MS, zone);
  const candidates = [clock - earlier, clock - later].filter((instant) => instant + offsetMs(instant, zone) === clock);
  if (candidates.length > 0) return { instant: Math.min(...candidates), gap: 0 };
  return { instant: clock - earlier, gap: later - earlier };
}

/**
 * The offsets of days (UTC) on which the zone does not change its clocks, by zone and day. Time zones are slow, and the gifts of
 * a batch or a file have few days.
 */
const offsetsOfDays = new Map<string, number>();
const MAX_KEPT_DAYS = 1_000;

function offsetMs(instant: number, zone: string): number {
  const day = Math.floor(instant / DAY_MS);
  const key = `${zone} ${day}`;
  const kept = offsetsOfDays.get(key);
  if (kept !== undefined) return kept;
  const offset = exactOffsetMs(instant, zone);
  // No zone has ever changed its clocks twice within two days, so equal offsets at both ends apply to the whole day.
  const isSame = [day, day + 1].every((begin) => exactOffsetMs(begin * DAY_MS, zone) === offset);
  if (isSame) {
    if (offsetsOfDays.size >= MAX_KEPT_DAYS) offsetsOfDays.clear();
    offsetsOfDays.set(key, offset);
  }
  return offset;
}

function exactOffsetMs(instant: number, zone: string): number {
  const minutes = IANAZone.create(zone).offset(instant);
  if (Number.isNaN(minutes)) throw new RangeError('no such time zone, or an instant out of range');
  // Local mean times, in use until 1972, have seconds: fractions of minutes that floats represent inexactly.
  return Math.round(minutes * 60_000);
}

function isoDay(instant: number): string {
  const text = new Date(instant).toISOString();
  return text.slice(0, text.indexOf('T'));
}
