const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3_600;

/** The promise to Finance: a mail server may be away for three days. */
const KEEP_TRYING_SECONDS = 3 * 24 * 3_600;

/**
 * The tries it takes until the waits have stopped growing. A delivery that is old when it is first tried, because the
 * service stood still, gets these all the same.
 */
const FEWEST_TRIES = 12;

/**
 * How long to wait before the next try: 5 s after the first, twice as long after each further one, up to an hour, less
 * up to a quarter, so that the mails of one outage do not all come back at once.
 * @param tries made so far, at least 1
 * @param ageSeconds since the delivery was created or asked for again
 * @param chance from 0 to 1, evenly spread
 * @param factor by which all of these times are multiplied (MAIL_RETRY_FACTOR): below 1 for trials
 * @returns seconds, or undefined when it is time to give up.
 */
export function secondsToNextTry(tries: number, ageSeconds: number, chance: number, factor = 1): number | undefined {
  if (tries >= FEWEST_TRIES && ageSeconds >= KEEP_TRYING_SECONDS * factor) return undefined;
  const longest = Math.min(FIRST_WAIT_SECONDS * 2 ** (tries - 1), LONGEST_WAIT_SECONDS);
  return longest * (1 - chance / 4) * factor;
}
