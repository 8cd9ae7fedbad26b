import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { Call } from './load.js';

/** What gifts experienced while something else ran. Times are in milliseconds. */
export interface GiftsBeside {
  readonly sent: number;
  /** Gifts that were not answered with 200. */
  readonly failed: number;
  readonly median: number;
  readonly slowest: number;
  /** The lock on a table that made gifts wait for the longest time; undefined if no sample saw one. */
  readonly longestLock: TableLock | undefined;
}

/** A lock on a table that an INSERT of a gift has to wait for. */
export interface TableLock {
  readonly table: string;
  readonly mode: string;
  readonly milliseconds: number;
}

const GIFT_EVERY_MS = 100;
/** Further gifts wait in the bench if so many are unanswered. */
const MOST_UNANSWERED = 32;
const SAMPLE_EVERY_MS = 50;

/** Modes that conflict with ROW EXCLUSIVE. Also those that are only requested: later requests queue up behind them. */
const LOCKS = `
  SELECT l.pid, c.relname AS table, l.mode
  FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

/** Runs `work` while a gift is sent every 100 ms, and the locks of the database are read every 50 ms. */
export async function besideGifts<T>(
  { url, watcher, next }: { readonly url: string; readonly watcher: ClientBase; readonly next: () => Call },
  work: () => Promise<T>,
): Promise<{ result: T; gifts: GiftsBeside }> {
  const ending = new AbortController();
  const sending = sendGifts(url, next, ending.signal);
  const watching = watchLocks(watcher, ending.signal);
  // It is awaited below; until then its failure must not end the process.
  watching.catch(() => undefined);
  try {
    const result = await work();
    ending.abort();
    const [sent, longestLock] = [await sending, await watching];
    if (sent.length > 0 && !sent.some(({ isRecorded }) => isRecorded))
      throw new Error('None of the gifts was recorded: has the service ended?');
    const times = sent.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
    return {
      result,
      gifts: {
        sent: sent.length,
        failed: sent.filter(({ isRecorded }) => !isRecorded).length,
        median: times[Math.floor(times.length / 2)] ?? 0,
        slowest: times.at(-1) ?? 0,
        longestLock,
      },
    };
  } finally {
    ending.abort();
    await Promise.allSettled([sending, watching]);
  }
}

interface SentGift {
  readonly milliseconds: number;
  readonly isRecorded: boolean;
}

async function sendGifts(url: string, next: () => Call, signal: AbortSignal): Promise<SentGift[]> {
  const sent: SentGift[] = [];
  const unanswered = new Set<Promise<void>>();
  while (!signal.aborted) {
    const call = sendGift(url, next()).then((gift) => void sent.push(gift));
    unanswered.add(call);
    void call.finally(() => unanswered.delete(call));
    if (unanswered.size >= MOST_UNANSWERED) await Promise.race(unanswered);
    await sleep(GIFT_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(unanswered);
  return sent;
}

async function sendGift(url: string, { path, headers, body }: Call): Promise<SentGift> {
  const begin = performance.now();
  const isRecorded = await fetch(url + path, { method: 'POST', headers, body })
    .then(async (answer) => (await answer.text()) !== '' && answer.status === 200)
    .catch(() => false);
  return { milliseconds: performance.now() - begin, isRecorded };
}

/** @returns the lock that was seen for the longest time, accurate to the time between two samples. */
async function watchLocks(watcher: ClientBase, signal: AbortSignal): Promise<TableLock | undefined> {
  const held = new Map<string, number>();
  let longest: TableLock | undefined;
  while (!signal.aborted) {
    const { rows } = await watcher.query<{ pid: number; table: string; mode: string }>(LOCKS);
    const now = performance.now();
    const seen = new Map(rows.map(({ pid, table, mode }) => [`${pid} ${table} ${mode}`, { table, mode }]));
    for (const key of held.keys()) if (!seen.has(key)) held.delete(key);
    for (const [key, { table, mode }] of seen) {
      const since = held.get(key) ?? now;
      held.set(key, since);
      const milliseconds = now - since + SAMPLE_EVERY_MS;
      if (milliseconds > (longest?.milliseconds ?? 0)) longest = { table, mode, milliseconds };
    }
    await sleep(SAMPLE_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return longest;
}
