import {
  displayAmount,
  fromCents,
  type StoredAmount,
  storedAmount,
  sumOfAmounts,
  toCents,
} from '../../../../values/index.js';
import type { DepositView } from '../../deposit-view.js';
import { itemInWords } from '../../filling/named-item.js';
import type { CauseFacts, UnknownItem } from './cause-facts.js';
import type { CauseCode } from './cause-codes.js';
import { type LikelyCause, LISTED_IDS } from './likely-cause.js';

/** The most names in the words of a cause. */
const NAMES_IN_WORDS = 5;

/** A deposit that is compared. */
export type ComparedDeposit = Pick<DepositView, 'currency' | 'difference' | 'amount' | 'bankAmount'>;

/** A cause before it is compared with the difference. */
interface Cause {
  readonly code: CauseCode;
  readonly words: string;
  readonly count: number;
  readonly amount: StoredAmount | null;
  readonly itemIds?: readonly number[];
  readonly contributionIds?: readonly number[];
}

/**
 * The likely causes of the difference of a deposit: first those that explain all of it. The amount of a cause is the part of
 * the difference that it would explain, so a cause with the whole difference explains it alone.
 */
export function likelyCauses(deposit: ComparedDeposit, facts: CauseFacts): LikelyCause[] {
  if (deposit.difference === null) return [];
  const difference = toCents(storedAmount(deposit.difference));
  const money = (amount: StoredAmount): string => `${deposit.currency} ${displayAmount(amount, deposit.currency)}`;
  const causes = [...causesOfItems(facts, money), ...(difference === 0n ? [] : otherCauses(deposit, facts, money))];
  const all = causes.map(({ amount, itemIds = [], contributionIds = [], ...cause }): LikelyCause => ({
    ...cause,
    amount: amount === null ? null : displayAmount(amount, deposit.currency),
    explains: difference !== 0n && amount !== null && toCents(amount) === difference,
    itemIds: itemIds.slice(0, LISTED_IDS),
    contributionIds: contributionIds.slice(0, LISTED_IDS),
  }));
  return [...all.filter(({ explains }) => explains), ...all.filter(({ explains }) => !explains)];
}

type Money = (amount: StoredAmount) => string;

/** The causes that keep a deposit from being reconciled even if it has no difference. */
function causesOfItems({ unknown }: CauseFacts, money: Money): Cause[] {
  const absent = unknown.filter(({ inDeposit }) => inDeposit === null);
  const held = unknown.filter(({ inDeposit }) => inDeposit !== null);
  const causes: Cause[] = [];
  if (absent.length > 0) {
    causes.push({
      code: 'not_in_books',
      words: `${counted(absent.length, 'item is', 'items are')} not in the books: ${listed(absent.map(itemInWords))}.`,
      count: absent.length,
      amount: null,
      itemIds: absent.map(({ itemId }) => itemId),
    });
  }
  if (held.length > 0) {
    const amount = sumOfAmounts(held.map(({ net }) => net ?? fromCents(0n)));
    causes.push({
      code: 'in_other_deposit',
      words: `${counted(held.length, 'item is', 'items are')} in another deposit (${depositsOf(held)}): ${money(amount)} without fees.`,
      count: held.length,
      amount,
      itemIds: held.map(({ itemId }) => itemId),
      contributionIds: held.flatMap(({ paymentId }) => paymentId ?? []),
    });
  }
  return causes;
}

function otherCauses(deposit: ComparedDeposit, facts: CauseFacts, money: Money): Cause[] {
  return [
    ...causesOfPayout(facts, money),
    ...causesOfFees(facts, money),
    ...causesOfBank(deposit, money),
    ...equalCauses(deposit, facts),
  ];
}

function causesOfPayout({ unknown, missing, reversed }: CauseFacts, money: Money): Cause[] {
  const named = new Set(unknown.map(({ paymentId }) => paymentId));
  const free = missing.filter(({ inDeposit }) => inDeposit === null);
  const held = missing.filter(({ inDeposit, paymentId }) => inDeposit !== null && !named.has(paymentId));
  const causes: Cause[] = [];
  if (held.length > 0) {
    const amount = sumOfAmounts(held.map(({ net }) => net));
    causes.push({
      code: 'in_other_deposit',
      words: `${counted(held.length, 'gift', 'gifts')} of this payout ${held.length === 1 ? 'is' : 'are'} in another deposit (${depositsOf(held)}): ${money(amount)} without fees.`,
      count: held.length,
      amount,
      contributionIds: held.map(({ paymentId }) => paymentId),
    });
  }
  if (free.length > 0) {
    const amount = sumOfAmounts(free.map(({ net }) => net));
    causes.push({
      code: 'payout_incomplete',
      words: `${counted(free.length, 'gift', 'gifts')} of this payout ${free.length === 1 ? 'is' : 'are'} in no deposit: ${money(amount)} without fees.`,
      count: free.length,
      amount,
      contributionIds: free.map(({ paymentId }) => paymentId),
    });
  }
  if (reversed.length > 0) {
    const amount = sumOfAmounts(reversed.map((reversal) => reversal.amount));
    causes.push({
      code: 'reversed_since',
      words: `${counted(reversed.length, 'reversal', 'reversals')} of these gifts ${reversed.length === 1 ? 'is' : 'are'} in no deposit: ${money(amount)} taken back.`,
      count: reversed.length,
      amount: fromCents(-toCents(amount)),
      contributionIds: reversed.map(({ reversalId }) => reversalId),
    });
  }
  return causes;
}

function causesOfFees({ otherFees, unknownFees }: CauseFacts, money: Money): Cause[] {
  const causes: Cause[] = [];
  if (otherFees.length > 0) {
    const amount = sumOfAmounts(otherFees.map(({ higher }) => higher));
    causes.push({
      code: 'fee_differs',
      words: `The ${otherFees.length === 1 ? 'fee of 1 item differs' : `fees of ${otherFees.length} items differ`} from what came with the gift: together by ${money(amount)}.`,
      count: otherFees.length,
      amount,
      itemIds: otherFees.map(({ itemId }) => itemId),
    });
  }
  if (unknownFees.length > 0) {
    causes.push({
      code: 'fee_unknown',
      words: `The ${unknownFees.length === 1 ? 'fee of 1 item is' : `fees of ${unknownFees.length} items are`} unknown, and ${unknownFees.length === 1 ? 'counts' : 'count'} as 0.`,
      count: unknownFees.length,
      amount: null,
      itemIds: unknownFees,
    });
  }
  return causes;
}

function causesOfBank({ amount, bankAmount }: ComparedDeposit, money: Money): Cause[] {
  if (amount === null || bankAmount === null) return [];
  const [said, received] = [storedAmount(amount), storedAmount(bankAmount)];
  const difference = toCents(received) - toCents(said);
  if (difference === 0n) return [];
  const words = `The bank received ${money(received)}, and the processor says that it paid ${money(said)}.`;
  return [{ code: 'bank_amount_differs', words, count: 1, amount: fromCents(difference) }];
}

/** What is exactly as large as the difference. */
function equalCauses({ difference }: ComparedDeposit, { equalGifts, equalReversals, equalItems }: CauseFacts): Cause[] {
  const amount = storedAmount(difference ?? '0');
  const causes: Cause[] = [];
  if (equalGifts.length > 0) {
    causes.push({
      code: 'gift_missing',
      words: `${counted(equalGifts.length, 'gift', 'gifts')} in no deposit ${equalGifts.length === 1 ? 'is' : 'are each'} exactly as large: ${listed(equalGifts.map(String))}.`,
      count: equalGifts.length,
      amount,
      contributionIds: equalGifts,
    });
  }
  if (equalReversals.length > 0) {
    causes.push({
      code: 'reversal_missing',
      words: `${counted(equalReversals.length, 'reversal', 'reversals')} in no deposit ${equalReversals.length === 1 ? 'is' : 'are each'} exactly as large: ${listed(equalReversals.map(String))}.`,
      count: equalReversals.length,
      amount,
      contributionIds: equalReversals,
    });
  }
  if (equalItems.length > 0) {
    causes.push({
      code: 'item_too_many',
      words: `${counted(equalItems.length, 'item of the deposit is', 'items of the deposit are each')} exactly as large. ${equalItems.length === 1 ? 'It' : 'One of them'} may have been refunded or charged back.`,
      count: equalItems.length,
      amount,
      itemIds: equalItems.map(({ itemId }) => itemId),
      contributionIds: equalItems.map(({ paymentId }) => paymentId),
    });
  }
  return causes;
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** "T-1, T-2 and 3 others" */
function listed(names: readonly string[]): string {
  const more = names.length - NAMES_IN_WORDS;
  const shown = names.slice(0, NAMES_IN_WORDS).join(', ');
  return more > 0 ? `${shown} and ${more} ${more === 1 ? 'other' : 'others'}` : shown;
}

/** "deposit 6" or "deposits 6, 8" */
function depositsOf(held: readonly Pick<UnknownItem, 'inDeposit'>[]): string {
  const ids = [...new Set(held.map(({ inDeposit }) => String(inDeposit)))];
  return `${ids.length === 1 ? 'deposit' : 'deposits'} ${listed(ids)}`;
}
