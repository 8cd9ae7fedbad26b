const FIRST_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 3_600;

/** A mail server may be unavailable for three days, as docs/operating.md promises. */
const KEEP_TRYING_SECONDS = 3 * 24 * 3_600;

/**
 * The number of tries until the waits stop growing. A delivery gets at least this many, even if it is already old at its
 * first try because the service was stopped.
 */
const MIN_TRIES = 12;

/** A delivery that failed once more. */
export interface FailedDelivery {
  /** The tries so far, at least 1. */
  readonly tries: number;
  /** Seconds since the delivery was created or last requested again. */
  readonly ageSeconds: number;
  /** A random number from 0 to 1, evenly distributed. */
  readonly chance: number;
  /** Multiplies all these times (MAIL_RETRY_FACTOR); below 1 for trials. Default: 1. */
  readonly factor?: number;
}

/**
 * The wait before the next try: 5 s after the first, doubled after each further one, up to an hour. A random part of up
 * to a quarter is subtracted, so that the mails of one outage are not all retried at once.
 * @returns seconds, or undefined to give up.
 */
export function secondsToNextTry({ tries, ageSeconds, chance, factor = 1 }: FailedDelivery): number | undefined {
  if (tries >= MIN_TRIES && ageSeconds >= KEEP_TRYING_SECONDS * factor) return undefined;
  const longest = Math.min(FIRST_WAIT_SECONDS * 2 ** (tries - 1), MAX_WAIT_SECONDS);
  return longest * (1 - chance / 4) * factor;
}
