import { DateTime } from 'luxon';

/** A month for readers. @param month YYYY-MM */
export function monthInWords(month: string): { readonly label: string; readonly name: string } {
  const first = DateTime.fromISO(`${month}-01`, { zone: 'UTC' }).setLocale('en');
  return { label: first.toFormat('LLL'), name: first.toFormat('LLLL yyyy') };
}
