import type { Books } from './books.js';
import { API_USERS, type List, type ListFilter, METHODS, REASONS, TREASURER } from './operation.js';
import type { Random } from './random.js';

/** Generates lists with one or two filters, mostly such that something is found. */
export class ListGenerator {
  constructor(
    private readonly random: Random,
    private readonly books: Books,
  ) {}

  next(): List {
    const { random } = this;
    const filter = random.percent(60) ? this.condition() : { ...this.condition(), ...this.condition() };
    const user = random.percent(70) ? TREASURER : random.pick(API_USERS);
    return { kind: 'list', user, filter, limit: random.pick([3, 100]) };
  }

  private condition(): ListFilter {
    const { random } = this;
    const entry = random.recent([...this.books.ledger.entries.values()]);
    if (entry === undefined) return {};
    const { payment } = entry;
    const cents = Math.abs(entry.cents);
    return random.pick<ListFilter>([
      { peopleId: entry.personId },
      { fundId: entry.fundId },
      { bundleId: entry.bundle.id },
      entry.source === null ? {} : { source: entry.source },
      entry.transactionId === null ? {} : { transactionId: entry.transactionId },
      { status: random.pick(['Recorded', 'Reversed']) },
      { method: payment.method ?? random.pick(METHODS) },
      payment.payoutId === null ? {} : { payoutId: payment.payoutId },
      payment.checkNumber === null ? {} : { checkNumber: payment.checkNumber },
      { reason: entry.reversal?.reason ?? random.pick(REASONS) },
      { amount: cents },
      { minAmount: cents },
      { maxAmount: cents },
      { from: entry.day },
      { to: entry.day },
    ]);
  }
}
