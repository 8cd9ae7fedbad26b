import { InvalidArgumentError } from 'commander';
import { DateTime } from 'luxon';

/** A day on the command line, YYYY-MM-DD. */
export function dayArgument(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid) return text;
  throw new InvalidArgumentError('It must be a day: YYYY-MM-DD.');
}
