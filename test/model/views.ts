import type { Bundle, Entry } from './entry.js';

/** Whole cents as the decimal text of the API. */
export function decimal(cents: number): string {
  const digits = Math.abs(cents).toString().padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The read-back of an entry, with the fields in the order of the contract. */
export function viewOf(entry: Entry): Record<string, unknown> {
  const { giver, reversal } = entry;
  return {
    contributionId: entry.id,
    peopleId: entry.personId,
    amount: decimal(entry.cents),
    currency: 'USD',
    date: entry.date,
    day: entry.day,
    fundId: entry.fundId,
    bundleId: entry.bundle.id,
    bundleTypeId: entry.bundle.typeId,
    contributionTypeId: entry.typeId,
    status: reversal === null ? 'Recorded' : 'Reversed',
    source: entry.source,
    transactionId: entry.transactionId,
    notes: entry.notes,
    giver: giver && {
      first: giver.first.sent,
      last: giver.last.sent,
      email: giver.email.sent,
      phone: giver.phone.sent,
      address: null,
      zip: null,
    },
    createdBy: entry.by,
    createdAt: entry.createdAt,
    match: entry.match,
    reverses: entry.reverses?.id ?? null,
    reversal: reversal && {
      contributionId: reversal.id,
      source: reversal.source,
      by: reversal.by,
      at: reversal.createdAt,
    },
  };
}

/** A bundle with its contributions. */
export function bundleView(bundle: Bundle, entries: readonly Entry[]): Record<string, unknown> {
  const own = entries.filter((entry) => entry.bundle === bundle);
  return {
    id: bundle.id,
    bundle_type_id: bundle.typeId,
    username: bundle.user,
    age: bundle.age,
    open: bundle.open,
    contents: own.map(({ id }) => id).sort((a, b) => a - b),
    total: decimal(own.reduce((sum, { cents }) => sum + cents, 0)),
  };
}
