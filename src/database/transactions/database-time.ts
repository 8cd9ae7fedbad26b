/**
 * How long one transaction or one statement may take in all, in milliseconds: waiting for a connection, for locks and
 * for answers, however often. Each has its own limit (connection.ts); those of one transaction could add up to far more.
 */
export const TIME_LIMIT_MS = 5_500;

/**
 * How long the server works on one statement, waiting for locks included, in milliseconds. The server gives up before the
 * service does, so a statement is over when its caller gets the 503, unless the server, its disk or the network hangs.
 */
export const STATEMENT_LIMIT_MS = 5_000;

/** For work at the server's own console or at a start, which nobody waits for at the other end of a line. */
export const UNHURRIED = Infinity;

/** The time was used up; what had begun is rolled back, unless its commit was under way. */
export class DatabaseTimeExceededError extends Error {
  constructor() {
    super('The database took longer than it is waited for');
  }
}

/**
 * Names what has to be cut when the time is up. @returns what takes that back.
 * @throws DatabaseTimeExceededError when it is up already.
 */
export type OnExpiry = (cut: () => void) => () => void;

const NOTHING = (): void => undefined;

/**
 * Gives `work` so many milliseconds.
 * @throws DatabaseTimeExceededError as soon as the time is up, and what `work` throws.
 */
export async function withinTime<T>(milliseconds: number, work: (onExpiry: OnExpiry) => Promise<T>): Promise<T> {
  if (milliseconds === UNHURRIED) return work(() => NOTHING);
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
