import { DateTime } from 'luxon';
import type { VNode } from 'preact';
import type { Church } from '../../config/index.js';
import { usePage } from '../frame/page-context.js';

type Place = Pick<Church, 'country' | 'timeZone'>;

/** The church's way to write a day: "Nov 29, 2026" in the US, "29 Nov 2026" elsewhere. @param day YYYY-MM-DD */
export function displayDay(day: string, { country }: Pick<Place, 'country'>): string {
  return DateTime.fromISO(day, { zone: 'UTC' }).setLocale('en').toFormat(formatFor(country));
}

/** A moment in church time: "Nov 29, 2026, 14:05". */
export function displayMoment(moment: Date, { country, timeZone }: Place): string {
  return DateTime.fromJSDate(moment, { zone: timeZone })
    .setLocale('en')
    .toFormat(`${formatFor(country)}, HH:mm`);
}

function formatFor(country: string): string {
  return country === 'US' ? 'LLL d, yyyy' : 'd LLL yyyy';
}

/** A day. @param value YYYY-MM-DD */
export function Day({ value }: { readonly value: string }): VNode {
  return <time dateTime={value}>{displayDay(value, usePage().church)}</time>;
}

/** A moment, in church time. */
export function Moment({ value }: { readonly value: Date }): VNode {
  return <time dateTime={value.toISOString()}>{displayMoment(value, usePage().church)}</time>;
}
