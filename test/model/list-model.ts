import type { Books } from './books.js';
import type { Entry } from './entry.js';
import { type List, type ListFilter, TREASURER } from './operation.js';
import { isReversed } from './payment-model.js';
import { viewOf } from './views.js';

/** The first page of a list. */
export function listed(books: Books, { user, filter, limit }: List): Record<string, unknown> {
  const conditions = conditionsOf(books, filter);
  const found = [...books.ledger.entries.values()]
    .filter((entry) => (user === TREASURER || entry.payment.user === user) && conditions.every((holds) => holds(entry)))
    .sort((a, b) => a.id - b.id);
  return { contributions: found.slice(0, limit).map(viewOf), more: found.length > limit };
}

type Condition = (entry: Entry) => boolean;

function conditionsOf({ people }: Books, filter: ListFilter): Condition[] {
  const size = ({ cents }: Entry): number => Math.abs(cents);
  const all: { readonly [Name in keyof ListFilter]-?: (wanted: NonNullable<ListFilter[Name]>) => Condition } = {
    peopleId: (wanted) => (entry) => entry.personId === people.survivorOf(wanted)?.id,
    fundId: (wanted) => (entry) => entry.fundId === wanted,
    bundleId: (wanted) => (entry) => entry.bundle.id === wanted,
    source: (wanted) => (entry) => entry.source === wanted,
    transactionId: (wanted) => (entry) => entry.transactionId === wanted,
    status: (wanted) => (entry) => (isReversed(entry) ? 'Reversed' : 'Recorded') === wanted,
    method: (wanted) => (entry) => entry.payment.method === wanted,
    payoutId: (wanted) => (entry) => entry.payment.payoutId === wanted,
    checkNumber: (wanted) => (entry) => entry.payment.checkNumber === wanted,
    reason: (wanted) => (entry) =>
      entry.payment.entries.some((each) => each.reversal?.reason === wanted && (each === entry || each.of === entry)),
    amount: (wanted) => (entry) => size(entry) === wanted,
    minAmount: (wanted) => (entry) => size(entry) >= wanted,
    maxAmount: (wanted) => (entry) => size(entry) <= wanted,
    from: (wanted) => (entry) => entry.day >= wanted,
    to: (wanted) => (entry) => entry.day <= wanted,
  };
  return Object.entries(filter).map(([name, wanted]) =>
    (all[name as keyof ListFilter] as (wanted: unknown) => Condition)(wanted),
  );
}
