/**
 * How long one transaction or one statement may take in total, in milliseconds, including all waits for a connection,
 * locks and answers. Each wait has its own limit (connection.ts), but their sum could be far larger.
 */
export const TIME_LIMIT_MS = 5_500;

/**
 * How long the server works on one statement, including waits for locks, in milliseconds. The server gives up before
 * the service does, so a statement has ended when its caller gets the 503, unless server, disk or network hang.
 */
export const STATEMENT_LIMIT_MS = 5_000;

/** No limit, for commands and for work at the start, because no HTTP caller waits for them. */
export const NO_TIME_LIMIT = Infinity;

/** The time limit was exceeded. The transaction is rolled back, unless its COMMIT was already sent. */
export class DatabaseTimeExceededError extends Error {
  constructor() {
    super('The database did not answer within the time limit');
  }
}

/**
 * Registers what to call when the time is up. @returns a function that cancels the registration.
 * @throws DatabaseTimeExceededError when the time is up already.
 */
export type OnExpiry = (cut: () => void) => () => void;

const NOTHING = (): void => undefined;

/**
 * Runs `work` with a time limit. @throws DatabaseTimeExceededError when the time is up, or was before the beginning, and the
 * errors of `work`.
 */
export async function withinTime<T>(milliseconds: number, work: (onExpiry: OnExpiry) => Promise<T>): Promise<T> {
  if (milliseconds === NO_TIME_LIMIT) return work(() => NOTHING);
  if (milliseconds <= 0) throw new DatabaseTimeExceededError();
  let expired = false;
  let cut = NOTHING;
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      expired = true;
      cut();
      reject(new DatabaseTimeExceededError());
    }, milliseconds);
  });
  const onExpiry: OnExpiry = (what) => {
    if (expired) throw new DatabaseTimeExceededError();
    cut = what;
    return () => {
      cut = NOTHING;
    };
  };
  try {
    return await Promise.race([work(onExpiry), expiry]);
  } finally {
    clearTimeout(timer);
  }
}
