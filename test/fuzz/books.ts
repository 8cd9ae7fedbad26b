import type { TestDatabase } from '../support/test-database.js';
import { type Body, must, type Shape } from './answers.js';

/** All tables to which a call can add a row, except the count of failed logins. */
const TABLES = [
  'person',
  'payment',
  'contribution',
  'refund',
  'bundle',
  'review',
  'notice',
  'idempotency_key',
  'contact',
  'match_key',
  'deposit',
  'deposit_item',
] as const;

/** The number of rows in each table. */
export type Books = Readonly<Record<(typeof TABLES)[number], number>>;

const COUNT = `SELECT ${TABLES.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ')}`;

export async function countRows(database: TestDatabase): Promise<Books> {
  const [books] = await database.query<Books>(COUNT);
  if (books === undefined) throw new Error('A count returned no row');
  return books;
}

/** What an answer says about the result of a call. */
export interface Reported {
  readonly shape: Shape;
  readonly replayed: boolean;
  /** The answers to the gifts that were recorded: one, or several of a batch. */
  readonly gifts: readonly Body[];
  /** How many entries these gifts have, or how many the answer names. Undefined for a reversal: at least one. */
  readonly entries: number | undefined;
  /** How many items the answer of a deposit names. */
  readonly items: number;
  /** Whether a key was sent; undefined if the changed bytes make that unclear. */
  readonly keyed: boolean | undefined;
}

/** Checks that the books have changed as the answer says. @throws Fault */
export function assertBooked(
  before: Books,
  after: Books,
  { shape, replayed, gifts, entries, items, keyed }: Reported,
): void {
  const more = difference(before, after);
  const recorded = shape !== 'problem' && shape !== 'none' && shape !== 'dry run' && !replayed;
  const reversed = recorded && shape === 'reversal';
  must(
    reversed ? more.contribution >= 1 : more.contribution === (recorded ? entries : 0),
    `${more.contribution} contributions were added`,
  );
  must(more.payment === gifts.length, `${more.payment} payments were added`);
  must(more.notice === (reversed ? 1 : 0), `${more.notice} notices were added`);
  must(more.refund === 0 || (reversed && more.refund === 1), `${more.refund} refunds were added`);
  const newPersons = gifts.filter((gift) => gift['NewPerson'] === true).length;
  must(more.person === newPersons, `${more.person} persons were added`);
  must(more.bundle >= 0 && more.bundle <= more.contribution, `${more.bundle} bundles were added`);
  must(
    more.review >= 0 && more.review <= (gifts.length === 0 ? 0 : more.contribution),
    `${more.review} reviews were added`,
  );
  if (gifts.length === 0) must(more.contact === 0 && more.match_key === 0, 'contacts were added');
  const keys = more.idempotency_key;
  const isDeposit = recorded && shape === 'deposit';
  must(more.deposit === (isDeposit ? 1 : 0), `${more.deposit} deposits were added`);
  must(more.deposit_item === (isDeposit ? items : 0), `${more.deposit_item} items of deposits were added`);
  const takesKey = !['problem', 'none', 'dry run', 'batch', 'deposit'].includes(shape);
  if (!takesKey) must(keys === 0, `${keys} keys were stored`);
  else if (keyed !== undefined) must(replayed ? keys <= 1 : keys === (keyed ? 1 : 0), `${keys} keys were stored`);
}

/** Checks that a call without an answer was recorded completely or not at all. @throws Fault */
export function assertWhole(before: Books, after: Books): void {
  const more = difference(before, after);
  must(more.contribution >= 0, `${more.contribution} contributions were added`);
  if (more.contribution === 0)
    must(
      Object.values(more).every((count) => count === 0),
      'something was added without a gift',
    );
}

function difference(before: Books, after: Books): Books {
  return Object.fromEntries(TABLES.map((table) => [table, after[table] - before[table]])) as unknown as Books;
}
