import { fault, read, type Reading } from '../../../values/index.js';

const HOURS = { h: 1, d: 24 } as const;
const MAX_DAYS = 3_650;

/** Reads how long a token is valid: `365d`, `12h`. The value is in hours, from one hour to ten years. */
export function readLifetime(text: string): Reading<number> {
  const { count = '', unit } = /^(?<count>[1-9]\d{0,5})(?<unit>[dh])$/.exec(text)?.groups ?? {};
  const hours = Number(count) * (unit === 'd' ? HOURS.d : HOURS.h);
  if (unit === undefined || hours > MAX_DAYS * HOURS.d) {
    return fault(`must be a number of days or hours, such as 365d or 12h, of at most ${MAX_DAYS} days`);
  }
  return read(hours);
}
