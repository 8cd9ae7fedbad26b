import { InvalidArgumentError } from 'commander';
import { isDay } from '../values/index.js';

/** A day on the command line, YYYY-MM-DD. */
export function dayArgument(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('It must be a day: YYYY-MM-DD.');
}
