import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * How long one request may take of the database in all, in milliseconds: waiting for connections, locks and answers,
 * however often. Each has its own limit (connection.ts); those of one request could add up to far more.
 */
const REQUEST_LIMIT_MS = 5_500;

const times = new AsyncLocalStorage<{ left: number }>();

/** A request has used up its time; what it had begun is rolled back, unless its commit was under way. */
export class DatabaseTimeExceededError extends Error {
  constructor() {
    super('The database took longer than one request waits for it');
  }
}

/** Runs a request's work, which may then take only so much of the database's time. Jobs and commands have no such limit. */
export function limitDatabaseTime<T>(work: () => T): T {
  return times.run({ left: REQUEST_LIMIT_MS }, work);
}

/**
 * Gives a part of a request's work as much time as a whole request has: an answer that is sent while it is made, page by
 * page, may take as long as its reader does.
 */
export function renewDatabaseTime<T>(work: () => T): T {
  return times.getStore() === undefined ? work() : limitDatabaseTime(work);
}

/**
 * Names what has to be cut when the time is up. @returns what takes that back.
 * @throws DatabaseTimeExceededError when it is up already.
 */
export type OnExpiry = (cut: () => void) => () => void;

const NOTHING = (): void => undefined;

/**
 * Counts `work` against the request's time, if this is in a request.
 * @throws DatabaseTimeExceededError as soon as the time is up, and what `work` throws.
 */
export async function withinDatabaseTime<T>(work: (onExpiry: OnExpiry) => Promise<T>): Promise<T> {
  const time = times.getStore();
  if (time === undefined) return work(() => NOTHING);
  const begin = performance.now();
  let expired = false;
  let cut = NOTHING;
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      expired = true;
      cut();
      reject(new DatabaseTimeExceededError());
    }, time.left);
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
    time.left = Math.max(0, time.left - (performance.now() - begin));
  }
}
