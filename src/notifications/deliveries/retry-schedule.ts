const FIRST_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 3_600;

/** A mail server may be unavailable for three days, as docs/operating.md promises. */
const KEEP_TRYING_SECONDS = 3 * 24 * 3_600;

/**
 * The number of tries until the waits stop growing. A delivery gets at least this many, even if it is already old at its
 * first try because the service was stopped.
 */
const MIN_TRIES = 12;

/**
 * The wait before the next try: 5 s after the first, doubled after each further one, up to an hour. A random part of up
 * to a quarter is subtracted, so that the mails of one outage are not all retried at once.
 * @param tries made so far, at least 1
 * @param ageSeconds seconds since the delivery was created or last requested again
 * @param chance random number from 0 to 1, evenly distributed
 * @param factor multiplies all these times (MAIL_RETRY_FACTOR); below 1 for trials
 * @returns seconds, or undefined to give up.
 */
export function secondsToNextTry(tries: number, ageSeconds: number, chance: number, factor = 1): number | undefined {
  if (tries >= MIN_TRIES && ageSeconds >= KEEP_TRYING_SECONDS * factor) return undefined;
  const longest = Math.min(FIRST_WAIT_SECONDS * 2 ** (tries - 1), MAX_WAIT_SECONDS);
  return longest * (1 - chance / 4) * factor;
}
