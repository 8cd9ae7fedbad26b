import { done, type Expected, refused, type Seen } from './answers.js';
import { alreadyReversed, type Books } from './books.js';
import type { Entry, Payment, Reversal } from './entry.js';
import type {
  CorrectPayment,
  Move,
  Reinstate,
  ReverseAsFinance,
  ReverseGift,
  ReverseTransaction,
} from './operation.js';
import {
  currentFundOf,
  giftsOf,
  idOf,
  isReversed,
  leftOf,
  leftOfPayment,
  reinstatementOf,
  type Share,
  spread,
  sum,
} from './payment-model.js';
import { decimal } from './views.js';

/** A reversal, a reinstatement or a move: changes the books and returns the expected answer. */
export function correct(books: Books, operation: CorrectPayment, seen: Seen): Expected {
  if (operation.kind === 'reverse as finance' && operation.reason === undefined) return invalid('Reason');
  if (operation.kind === 'move' && operation.note === undefined) return invalid('Reason');
  return books.keys.once(operation, contentOf(operation), () => {
    switch (operation.kind) {
      case 'reverse':
      case 'reverse as finance':
        return reverseById(books, operation, seen);
      case 'reverse transaction':
        return reverseByTransaction(books, operation, seen);
      case 'reinstate':
        return reinstate(books, operation, seen);
      case 'move':
        return move(books, operation, seen);
    }
  });
}

function invalid(...fields: readonly string[]): Expected {
  return { codes: ['invalid_request'], fields };
}

/** What does not belong to the content of a call. */
const ABOUT_THE_CALL = ['user', 'key', 'quoted', 'twice', 'query'];

/** Two calls are the same if their contents are equal. Undefined fields count as missing. */
function contentOf(operation: CorrectPayment): string {
  const content = Object.entries(operation).filter(
    ([name, value]) => !ABOUT_THE_CALL.includes(name) && value !== undefined,
  );
  return JSON.stringify(content.sort());
}

type TakeBackCall = ReverseGift | ReverseTransaction | ReverseAsFinance;

function reverseById(books: Books, operation: ReverseGift | ReverseAsFinance, seen: Seen): Expected {
  const named = books.ledger.entries.get(operation.contributionId);
  if (named === undefined) return refused('contribution_not_found');
  if (named.kind === 'reversing entry') return refused('not_reversible');
  return reverseUnlessRefunded(books, operation, named, seen);
}

function reverseByTransaction(books: Books, operation: ReverseTransaction, seen: Seen): Expected {
  const { user, source, transactionId } = operation;
  const [part] = books.transactions.get(JSON.stringify([user, source, transactionId]))?.payment.entries ?? [];
  return part === undefined ? refused('contribution_not_found') : reverseUnlessRefunded(books, operation, part, seen);
}

function reverseUnlessRefunded(books: Books, operation: TakeBackCall, named: Entry, seen: Seen): Expected {
  const { refundId, cents, reason, fundId, user } = operation;
  if (refundId === undefined) return reverse(books, operation, named, seen);
  const id = JSON.stringify([user, sourceOf(operation), refundId]);
  const content = JSON.stringify([idOf(named.payment), cents, reason, fundId]);
  const first = books.refunds.get(id);
  if (first !== undefined) {
    return first.content === content ? { body: first.body, replayed: true } : refused('transaction_id_reused');
  }
  const answer = reverse(books, operation, named, seen);
  if ('body' in answer) books.refunds.set(id, { content, body: answer.body });
  return answer;
}

function reverse(books: Books, operation: TakeBackCall, named: Entry, seen: Seen): Expected {
  const { user, reason = null, refundId = null, fundId } = operation;
  const { payment } = named;
  if (leftOfPayment(payment) === 0) return alreadyReversed(payment);
  const gifts = giftsOf(payment).filter(
    (gift) => leftOf(gift) > 0 && (fundId === undefined || currentFundOf(gift) === fundId),
  );
  const left = gifts.reduce((total, gift) => total + leftOf(gift), 0);
  const cents = operation.cents ?? left;
  if (gifts.length === 0 || cents > left) {
    return { codes: ['reversal_exceeds_gift'], mentions: `USD ${decimal(left)} is left` };
  }
  const shares = spread(cents, gifts);
  const made = seen.created.take(shares.length);
  if (made === undefined) return done(`${shares.length} reversing entries`);
  const source = sourceOf(operation);
  const notes = operation.kind === 'reverse as finance' ? (operation.note ?? null) : null;
  const reversal = books.ledger.reverse(shares, { source, reason, refundId, notes, by: user }, made);
  const emptied = shares.map(({ gift }) => gift).filter(isReversed);
  // The review of the first part is about the giver, too, so it stays open while another gift of the payment is left.
  const settled = leftOfPayment(payment) === 0 ? payment.entries : emptied.filter(({ id }) => id !== idOf(payment));
  books.reviews.closeReversed(emptied, settled, user);
  books.notices.push(noticeOf(books, payment, reversal, shares));
  return done({
    operation: 'Reversal',
    peopleId: named.personId,
    contributionId: named.id,
    source: source === null ? 'Finance' : `API Reverse (source=${source})`,
  });
}

function sourceOf(operation: TakeBackCall): string | null {
  return operation.kind === 'reverse as finance' ? null : operation.source;
}

/** The notice to Finance, at the first entry of the reversal. */
function noticeOf(
  books: Books,
  payment: Payment,
  reversal: Reversal,
  shares: readonly Share[],
): Record<string, unknown> {
  const { people, ledger } = books;
  const [entry] = reversal.entries;
  const giver = people.survivorOf(entry?.personId ?? 0)?.details;
  const cents = sum(shares);
  const fundName = (id: number | undefined): string | undefined => ledger.fund(id)?.name;
  return {
    reversing_contribution_id: entry?.id,
    contribution_id: idOf(payment),
    people_id: entry?.personId,
    first: giver?.first.sent,
    last: giver?.last.sent,
    amount: decimal(cents),
    currency: 'USD',
    fund_id: entry?.fundId,
    fund_name: fundName(entry?.fundId),
    day: entry?.of?.day,
    source: reversal.source,
    username: entry?.by,
    left: decimal(leftOfPayment(payment)),
    partial: cents < payment.cents,
    reason: reversal.reason,
    entries: reversal.entries.map(
      (each) => `${each.of?.id ?? 0} ${each.id} ${decimal(-each.cents)} ${fundName(each.fundId) ?? ''}`,
    ),
  };
}

/** Undoes the reversal of a reversing entry, or the only one of a payment that is not undone. */
function reinstate(books: Books, { contributionId, note, user }: Reinstate, seen: Seen): Expected {
  const named = books.ledger.entries.get(contributionId);
  if (named === undefined) return refused('contribution_not_found');
  const isUndone = (entry: Entry | undefined): boolean => entry !== undefined && reinstatementOf(entry) !== undefined;
  const open = named.payment.entries.filter((entry) => entry.kind === 'reversing entry' && !isUndone(entry));
  const reversals = new Set(open.map((entry) => entry.reversal));
  const reversal = named.reversal ?? (reversals.size === 1 ? open[0]?.reversal : undefined);
  if (!reversal || isUndone(reversal.entries[0])) return refused('not_reinstatable');
  const made = seen.created.take(reversal.entries.length);
  if (made === undefined) return done(`${reversal.entries.length} reinstatements`);
  const added = books.ledger.reinstate(reversal, { by: user, notes: note ?? null }, made);
  return done({ peopleId: named.personId, contributionIds: added.map(({ id }) => id) });
}

/** Moves what is left of a payment to a fund, as far as it is not there. */
function move(books: Books, { contributionId, fundId, note, user }: Move, seen: Seen): Expected {
  const named = books.ledger.entries.get(contributionId);
  const unknown = books.ledger.fund(fundId) === undefined ? ['fund_not_found'] : [];
  if (named === undefined) return refused('contribution_not_found', ...unknown);
  const gifts =
    named.kind === 'reversing entry'
      ? []
      : giftsOf(named.payment).filter((gift) => leftOf(gift) > 0 && currentFundOf(gift) !== fundId);
  if (gifts.length === 0) return refused('not_movable', ...unknown);
  if (unknown.length > 0) return refused(...unknown);
  const made = seen.created.take(2 * gifts.length);
  if (made === undefined) return done(`${gifts.length} moves`);
  const added = books.ledger.moveToFund(gifts, { fundId, by: user, notes: note ?? null }, made);
  books.reviews.closeMoved(gifts, user);
  return done({ contributionIds: added.map(({ id }) => id) });
}
