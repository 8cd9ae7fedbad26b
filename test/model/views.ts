import type { Bundle, Entry, Payment } from './entry.js';
import { idOf, isReversed, partsOf, reinstatementOf, reversalsOf, reversedOf, sum } from './payment-model.js';

/** Whole cents as the decimal text of the API. */
export function decimal(cents: number): string {
  const digits = Math.abs(cents).toString().padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The read-back of an entry, with the fields in the order of the contract. */
export function viewOf(entry: Entry): Record<string, unknown> {
  const { giver, payment } = entry;
  const reversals = reversalsOf(entry).map(reversalView);
  const ofKind = (kind: Entry['kind']): number | null => (entry.kind === kind ? (entry.of?.id ?? null) : null);
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
    status: isReversed(entry) ? 'Reversed' : 'Recorded',
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
    reverses: ofKind('reversing entry'),
    reversal: reversals.at(-1) ?? null,
    payment: paymentView(payment),
    reversedAmount: decimal(reversedOf(entry)),
    reversals,
    reason: entry.reversal?.reason ?? null,
    refundId: entry.reversal?.refundId ?? null,
    reinstatedBy: reinstatementOf(entry)?.id ?? null,
    reinstates: ofKind('reinstatement'),
    moves: ofKind('move'),
  };
}

function reversalView(entry: Entry): object {
  return {
    contributionId: entry.id,
    source: entry.source,
    by: entry.by,
    at: entry.createdAt,
    amount: decimal(-entry.cents),
    reason: entry.reversal?.reason ?? null,
    refundId: entry.reversal?.refundId ?? null,
    reinstatedBy: reinstatementOf(entry)?.id ?? null,
  };
}

function paymentView(payment: Payment): object {
  const { cents, feeCents, method, checkNumber, payoutId } = payment;
  return {
    paymentId: idOf(payment),
    amount: decimal(cents),
    fee: feeCents === null ? null : decimal(feeCents),
    net: feeCents === null ? null : decimal(cents - feeCents),
    method,
    checkNumber,
    payoutId,
    parts: partsOf(payment).map(({ id }) => id),
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
    total: decimal(sum(own)),
  };
}
