import { DateTime } from 'luxon';

/** Months for readers: "January 2025", or "January to December 2025", or "July 2024 to June 2025". @param from YYYY-MM */
export function monthsInWords(from: string, to: string): string {
  const [first, last] = [monthInWords(from).name, monthInWords(to).name];
  if (from === to) return first;
  return from.slice(0, 4) === to.slice(0, 4) ? `${first.split(' ')[0] ?? ''} to ${last}` : `${first} to ${last}`;
}

/** A month for readers. @param month YYYY-MM */
export function monthInWords(month: string): { readonly label: string; readonly name: string } {
  const first = DateTime.fromISO(`${month}-01`, { zone: 'UTC' }).setLocale('en');
  return { label: first.toFormat('LLL'), name: first.toFormat('LLLL yyyy') };
}
