import type { Books } from './books.js';
import { differenceOf, holderOf, keyOf, nameableBy, payoutOf, sumsOf } from './deposit-model.js';
import type { Deposit } from './entry.js';
import { API_USERS, type ApiUser, type DepositItem, type DepositOperation, UNKNOWN_ID } from './operation.js';
import type { Random } from './random.js';

const MOST_ITEMS = 4;

/** Generates calls about deposits, mostly such that some are reconciled. */
export class DepositGenerator {
  private count = 0;

  constructor(
    private readonly random: Random,
    private readonly books: Books,
  ) {}

  next(): DepositOperation {
    const { random } = this;
    const deposit = random.percent(97) ? random.recent([...this.books.deposits.values()]) : undefined;
    const depositId = deposit?.id ?? UNKNOWN_ID;
    return random.weighted<() => DepositOperation>([
      [5, () => this.sent()],
      [2, () => this.sentAgain(deposit)],
      [2, () => ({ kind: 'enter bank', depositId, cents: this.bankAmount(deposit) })],
      [2, () => ({ kind: 'adjust deposit', depositId, cents: this.adjustment(deposit) })],
      [4, () => ({ kind: 'reconcile deposit', depositId })],
    ])();
  }

  private sent(): DepositOperation {
    const user = this.random.pick(API_USERS);
    const items = this.items(user);
    const payout = payoutOf(this.books, user, items);
    const cents = this.random.weighted([
      [60, payout],
      [20, payout + 1],
      [20, null],
    ]);
    return { kind: 'send deposit', user, depositId: `payout ${++this.count}`, cents, items };
  }

  /** The same call again, or with other items or another amount. */
  private sentAgain(deposit: Deposit | undefined): DepositOperation {
    if (deposit === undefined) return this.sent();
    const { user, depositId, amountCents } = deposit;
    const cents = this.random.percent(90) ? amountCents : (amountCents ?? 0) + 1;
    const present = [...deposit.items.values()].map(({ sent }) => sent);
    const fees = this.random.percent(10) ? present.map((item) => ({ ...item, feeCents: 7 })) : present;
    const items = [...fees, ...(this.random.percent(50) ? this.items(user) : [])];
    return { kind: 'send deposit', user, depositId, cents, items: unique(items) };
  }

  /** Some payments and reversals of a user, mostly such that no deposit has them. */
  private items(user: ApiUser): DepositItem[] {
    const { random } = this;
    const all = nameableBy(this.books, user);
    const isFree = (item: DepositItem): boolean => holderOf(this.books, keyOf(item)) === undefined;
    const [free, held] = [all.filter(isFree), all.filter((item) => !isFree(item))];
    const items = Array.from({ length: random.below(MOST_ITEMS + 1) }, () => {
      if (random.percent(3)) return { isReversal: false, contributionId: UNKNOWN_ID, feeCents: undefined };
      const item = random.recent(random.percent(80) ? free : held);
      return item === undefined || item.isReversal || random.percent(70)
        ? item
        : { ...item, feeCents: random.below(100) };
    });
    return unique(items.filter((item) => item !== undefined));
  }

  private bankAmount(deposit: Deposit | undefined): number {
    const expected = deposit === undefined ? 0 : sumsOf(deposit).expected;
    return this.random.percent(70) ? expected : expected + this.random.pick([1, -1, 100]);
  }

  /** Often what is missing. Never zero. */
  private adjustment(deposit: Deposit | undefined): number {
    const difference = (deposit && differenceOf(deposit)) ?? 0;
    return difference !== 0 && this.random.percent(70) ? difference : this.random.pick([1, -1, 250]);
  }
}

/** Each payment and each reversal once. */
function unique(items: readonly DepositItem[]): DepositItem[] {
  return [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
}
