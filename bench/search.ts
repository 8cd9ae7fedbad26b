import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchDatabase, type BenchDatabases, PASSWORD } from './databases.js';
import type { Extent } from './extent.js';
import { FIRST_NUMBER, type Size } from './fill.js';
import { filledDatabase, nameOf } from './growth.js';
import { startService } from './programs.js';
import { createTreasurer, TREASURER } from './treasurer.js';

/** The figures of one kind of call. Times are in milliseconds. */
export interface SearchFigures {
  readonly what: string;
  /** Whether it is a page, which has to be faster than a search. */
  readonly isPage: boolean;
  /** The fewest and the most rows of the answers. */
  readonly rows: string;
  readonly p50: number;
  readonly p95: number;
  readonly slowest: number;
}

export interface SearchResult {
  readonly size: Size;
  readonly times: number;
  /** How long the jobs took to index the filled database; undefined if an earlier run did. */
  readonly indexingSeconds: number | undefined;
  readonly figures: readonly SearchFigures[];
}

/** A kind of call. */
interface Kind {
  readonly what: string;
  readonly isPage?: boolean;
  /** The address of the call with a number from 0. */
  readonly address: (call: number) => string;
}

/** Measures searches for gifts and people, pages and totals, in the largest database of growth. */
export async function search(
  databases: BenchDatabases,
  extent: Extent,
  keep: boolean,
  log: (line: string) => void,
): Promise<SearchResult> {
  const size = extent.sizes.at(-1);
  if (size === undefined) throw new Error('There is no size');
  const database = await filledDatabase(databases, size, log);
  try {
    await createTreasurer(database);
    return { size, times: extent.searches, ...(await measureAll(database, size, extent.searches, log)) };
  } finally {
    if (keep) await databases.keep(nameOf(size));
  }
}

async function measureAll(
  database: BenchDatabase,
  size: Size,
  times: number,
  log: (line: string) => void,
): Promise<Pick<SearchResult, 'indexingSeconds' | 'figures'>> {
  const service = await startService({ DATABASE_URL: database.url });
  try {
    const indexingSeconds = await waitUntilIndexed(database, log);
    const figures: SearchFigures[] = [];
    for (const kind of kindsOf(size)) {
      const measured = await measure(kind, service.url, times);
      figures.push(measured);
      const { what, rows, p50, p95 } = measured;
      log(`search: ${what}, ${rows} rows: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms`);
    }
    return { indexingSeconds, figures };
  } finally {
    await service.stop();
  }
}

/** $1: the newest gift that counts. Gifts that are added meanwhile do not. */
const REMAINING = `
  SELECT (SELECT count(*) FROM person_to_index)::integer AS people,
    (SELECT COALESCE(sum(last_gift_id - first_gift_id + 1), 0) FROM gift_to_index)::integer
      + greatest(0, $1 - (SELECT up_to FROM reading_progress WHERE reader = 'gift terms')) AS gifts,
    greatest(0, $1 - (SELECT up_to FROM reading_progress WHERE reader = 'totals')) AS totals`;

/** Waits for the jobs of the running service. @returns the seconds; undefined if there was nothing to do. */
export async function waitUntilIndexed(
  { pool }: BenchDatabase,
  log: (line: string) => void,
): Promise<number | undefined> {
  const begin = performance.now();
  const { rows: newest } = await pool.query<{ id: number }>('SELECT max(id) AS id FROM contribution');
  for (let lastLog = begin - 30_000, isFirst = true; ; isFirst = false) {
    const values = [newest[0]?.id ?? 0];
    const { rows } = await pool.query<{ people: number; gifts: number; totals: number }>(REMAINING, values);
    const [left] = rows;
    if (left === undefined) throw new Error('A SELECT without FROM returned no row');
    if (left.people + left.gifts + left.totals === 0) {
      if (isFirst) return undefined;
      const seconds = (performance.now() - begin) / 1_000;
      await pool.query('VACUUM ANALYZE person_term');
      await pool.query('VACUUM ANALYZE gift_term');
      return seconds;
    }
    if (performance.now() - lastLog >= 30_000) {
      log(`search: ${left.people} people and ${left.gifts} gifts to index, ${left.totals} gifts to sum up`);
      lastLog = performance.now();
    }
    await sleep(500);
  }
}

/** Every call has other values, spread over all people and gifts. */
function kindsOf({ people, gifts }: Size): Kind[] {
  const person = (call: number): number => FIRST_NUMBER + 1 + ((call * 7_919) % people);
  const giftOf = (call: number): number => 1 + ((call * 104_729) % gifts);
  const gift = (what: string, q: (call: number) => string | number, filter = ''): Kind => ({
    what: `Gifts: ${what}`,
    address: (call) => `Gifts?q=${encodeURIComponent(q(call))}${filter}`,
  });
  const page = (what: string, filter: (call: number) => string): Kind => ({
    what: `Page of 200 gifts: ${what}`,
    isPage: true,
    address: (call) => `Gifts?limit=200${filter(call)}`,
  });
  const someone = (what: string, q: (call: number) => string | number, limit = 20): Kind => ({
    what: `People: ${what}`,
    address: (call) => `People?limit=${limit}&q=${encodeURIComponent(q(call))}`,
  });
  const month = `${new Date().getUTCFullYear() - 1}-0`;
  return [
    gift('whole name', (call) => `Robert Lastname${person(call)}`),
    gift('last name', (call) => `lastname${person(call)}`),
    gift('beginning of the name, ten people', (call) => `lastname${Math.floor(person(call) / 10)}`),
    gift('beginning of the name, a thousand people', (call) => `lastname${Math.floor(person(call) / 1_000)}`),
    gift('beginning of the name, ten thousand people', (call) => `lastname${Math.floor(person(call) / 10_000)}`),
    gift('first name of everybody', () => 'Bob'),
    gift('e-mail address', (call) => `Giver${person(call)}@example.org`),
    gift('phone number', (call) => `(615) ${String(person(call)).slice(0, 3)}-${String(person(call)).slice(3)}`),
    gift('amount of one gift in five hundred', (call) => `$${10 + (call % 500)}.00`),
    gift('amount of no gift', (call) => `1${call}.37`),
    gift('check number', (call) => `C${giftOf(call) - (giftOf(call) % 10)}`),
    gift('transaction id', (call) => `T-${giftOf(call)}`),
    gift('id', giftOf),
    gift('rare word of the notes', (call) => `Nr${giftOf(call) - (giftOf(call) % 100)}`),
    gift('frequent words of the notes', () => 'weekly tithe'),
    gift('amount in a fund and a month', (call) => 10 + (call % 500), `&fundId=2&from=${month}3-01&to=${month}3-31`),
    gift('name of everybody in a month', () => 'robert', `&from=${month}5-01&to=${month}5-31`),
    page('the newest', () => ''),
    page('later ones', (call) => `&after=${giftOf(call) + 200}`),
    page('of a month', (call) => `&from=${month}${1 + (call % 9)}-01&to=${month}${1 + (call % 9)}-28`),
    page('of a fund', (call) => `&fundId=${1 + (call % 4)}`),
    page('checks from an amount on', (call) => `&method=check&minAmount=${100 + call}`),
    page('of an amount', (call) => `&amount=${10 + (call % 500)}`),
    someone('typing a first name', (call) => 'robert'.slice(0, 1 + (call % 6)), 8),
    someone('typing a last name', (call) => `lastname${person(call)}`.slice(0, 9 + (call % 7)), 8),
    someone('whole name', (call) => `robert lastname${person(call)}`),
    someone('e-mail address', (call) => `giver${person(call)}@example.org`),
    someone('phone number', (call) => `615-${String(person(call)).slice(0, 3)}-${String(person(call)).slice(3)}`),
    { what: 'Totals of a year', address: (call) => `Totals?year=${new Date().getUTCFullYear() - (call % 10)}` },
    { what: 'Totals of the last twelve months', address: () => 'Totals/recent' },
  ];
}

/** Calls that come first, so that code is compiled and the caches of the database are warm. */
const WARM_UP_CALLS = 5;

async function measure({ what, isPage = false, address }: Kind, url: string, times: number): Promise<SearchFigures> {
  const milliseconds: number[] = [];
  const rows: number[] = [];
  for (let call = -WARM_UP_CALLS; call < times; call++) {
    const begin = performance.now();
    const answer = await fetch(`${url}/Api/${address(Math.abs(call))}`, {
      headers: { Authorization: `Basic ${Buffer.from(`${TREASURER}:${PASSWORD}`).toString('base64')}` },
    });
    const body = (await answer.json()) as { gifts?: object[]; people?: object[]; months?: object[] };
    const took = performance.now() - begin;
    if (answer.status !== 200)
      throw new Error(`${what}: ${address(Math.abs(call))} was answered with ${answer.status}`);
    if (call < 0) continue;
    milliseconds.push(took);
    rows.push((body.gifts ?? body.people ?? body.months ?? []).length);
  }
  milliseconds.sort((one, other) => one - other);
  const at = (share: number): number => milliseconds[Math.ceil(share * times) - 1] ?? NaN;
  const [fewest, most] = [Math.min(...rows), Math.max(...rows)];
  return {
    ...{ what, isPage, rows: fewest === most ? String(most) : `${fewest}–${most}` },
    ...{ p50: at(0.5), p95: at(0.95), slowest: at(1) },
  };
}
