const MINUTE = 60;
const HOUR = 3_600;

/** The waits after the first to the ninth attempt, in seconds: three days in total. */
const WAITS = [5, 30, 5 * MINUTE, 25 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 23.5 * HOUR, 28 * HOUR] as const;

/** After so many attempts without a success, a message is given up. */
export const MAX_ATTEMPTS = WAITS.length + 1;

/** A random part of a wait, so that the messages of one outage are not all repeated at the same moment. */
const SPREAD = 0.1;

interface FailedAttempt {
  /** The attempts so far, at least 1. */
  readonly tries: number;
  /** A random number from 0 to 1, evenly distributed. */
  readonly chance: number;
  /** Multiplies the wait (WEBHOOK_RETRY_FACTOR); below 1 for trials. Default: 1. */
  readonly factor?: number;
}

/**
 * The wait before the next attempt, from 95 % to 105 % of what is planned.
 * @returns seconds, or undefined to give up.
 */
export function secondsToNextAttempt({ tries, chance, factor = 1 }: FailedAttempt): number | undefined {
  const wait = WAITS[tries - 1];
  return wait === undefined ? undefined : wait * (1 + SPREAD * (chance - 0.5)) * factor;
}
