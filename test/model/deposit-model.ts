import { done, type Expected, refused, type Seen } from './answers.js';
import type { Books } from './books.js';
import { type Deposit, type PaidItem, NEW_ID } from './entry.js';
import type { ApiUser, DepositItem, DepositOperation, SendDeposit } from './operation.js';
import { idOf, sum } from './payment-model.js';
import { decimal } from './views.js';

/** The source of all deposits. */
export const DEPOSIT_SOURCE = 'payouts';

/** Sends, compares, adjusts or reconciles a deposit: changes the books and returns the expected answer. */
export function settle(books: Books, operation: DepositOperation, seen: Seen): Expected {
  if (operation.kind === 'send deposit') return send(books, operation, seen);
  const deposit = books.deposits.get(operation.depositId);
  if (deposit === undefined) return refused('deposit_not_found');
  if (operation.kind === 'reconcile deposit') {
    if (!deposit.reconciled && statusOf(deposit) !== 'Matches') return refused('deposit_differs');
    deposit.reconciled = true;
    return done(churchView(deposit));
  }
  if (deposit.reconciled) return refused('deposit_reconciled');
  if (operation.kind === 'enter bank') deposit.bankCents = operation.cents;
  else deposit.adjustments.push(operation.cents);
  return done(churchView(deposit));
}

function send(books: Books, { user, depositId, cents, items }: SendDeposit, seen: Seen): Expected {
  const present = [...books.deposits.values()].find((one) => one.user === user && one.depositId === depositId);
  const added = new Map<string, PaidItem>();
  const faults = present !== undefined && present.amountCents !== cents ? ['deposit_id_reused'] : [];
  for (const sent of items) {
    const [key, own] = [keyOf(sent), present?.items.get(keyOf(sent))];
    const known = itemOf(books, user, sent);
    if (known === undefined) faults.push('deposit_item_not_found');
    else if (own === undefined) added.set(key, known);
    else if (own.sent.feeCents !== sent.feeCents) faults.push('deposit_id_reused');
    if (own === undefined && holderOf(books, key) !== undefined) faults.push('in_other_deposit');
  }
  if (present?.reconciled === true && added.size > 0) faults.push('deposit_reconciled');
  if (faults.length > 0) return refused(...faults);
  const deposit = present ?? create(books, Number(seen.answer.body['id']), { user, depositId, cents });
  for (const [key, item] of added) deposit.items.set(key, item);
  return { body: processorView(deposit), replayed: present !== undefined && added.size === 0 };
}

function create(books: Books, id: number, sent: Pick<SendDeposit, 'user' | 'depositId' | 'cents'>): Deposit {
  const deposit: Deposit = {
    id: books.deposits.has(id) ? NEW_ID : id,
    user: sent.user,
    depositId: sent.depositId,
    amountCents: sent.cents,
    items: new Map(),
    adjustments: [],
    bankCents: null,
    reconciled: false,
  };
  books.deposits.set(deposit.id, deposit);
  return deposit;
}

/** The name of a payment or a reversal, which is in one deposit at most. */
export function keyOf({ isReversal, contributionId }: DepositItem): string {
  return `${isReversal ? 'reversal' : 'payment'} ${contributionId}`;
}

/** The deposit that has this payment or reversal. */
export function holderOf(books: Books, key: string): Deposit | undefined {
  return [...books.deposits.values()].find(({ items }) => items.has(key));
}

/** What a user names by the first part of a payment, or by the first entry of a reversal. */
function itemOf({ ledger }: Books, user: ApiUser, sent: DepositItem): PaidItem | undefined {
  const entry = ledger.entries.get(sent.contributionId);
  if (entry?.payment.user !== user) return undefined;
  const cents = entry.reversal === null ? entry.payment.cents : -sum(entry.reversal.entries);
  return { sent, cents, feeCents: sent.feeCents ?? (sent.isReversal ? null : entry.payment.feeCents) };
}

interface Sums {
  readonly gross: number;
  readonly fees: number;
  readonly reversed: number;
  readonly adjusted: number;
  /** What should be at the bank. */
  readonly expected: number;
}

/** The sums of a deposit, in cents. */
export function sumsOf({ items, adjustments }: Pick<Deposit, 'items' | 'adjustments'>): Sums {
  const all = [...items.values()];
  const gross = sum(all.filter(({ sent }) => !sent.isReversal));
  const reversed = sum(all.filter(({ sent }) => sent.isReversal));
  const fees = all.reduce((total, { feeCents }) => total + (feeCents ?? 0), 0);
  const adjusted = adjustments.reduce((total, cents) => total + cents, 0);
  return { gross, fees, reversed, adjusted, expected: gross - fees - reversed + adjusted };
}

/** What should be paid out for these items of a user, in cents. */
export function payoutOf(books: Books, user: ApiUser, items: readonly DepositItem[]): number {
  const found = items.flatMap((sent) => itemOf(books, user, sent) ?? []);
  return sumsOf({ items: new Map(found.map((item) => [keyOf(item.sent), item])), adjustments: [] }).expected;
}

/** By how much a deposit differs from the bank, or else from the processor; null without an amount. */
export function differenceOf(deposit: Deposit): number | null {
  const compared = deposit.bankCents ?? deposit.amountCents;
  return compared === null ? null : compared - sumsOf(deposit).expected;
}

function statusOf(deposit: Deposit): string {
  return deposit.reconciled ? 'Reconciled' : statusBy(differenceOf(deposit));
}

function statusBy(difference: number | null): string {
  if (difference === null) return 'Open';
  return difference === 0 ? 'Matches' : 'Differs';
}

/** The processor sees neither adjustments nor what the bank says. */
function processorView(deposit: Deposit): object {
  const { gross, fees, reversed } = sumsOf(deposit);
  const expected = gross - fees - reversed;
  const difference = deposit.amountCents === null ? null : deposit.amountCents - expected;
  return {
    id: deposit.id,
    status: deposit.reconciled ? 'Reconciled' : statusBy(difference),
    itemCount: deposit.items.size,
    unknownCount: 0,
    ...{ gross: decimal(gross), fees: decimal(fees), reversed: decimal(reversed), expected: decimal(expected) },
    amount: decimalIfAny(deposit.amountCents),
    difference: decimalIfAny(difference),
  };
}

function churchView(deposit: Deposit): object {
  const { gross, fees, reversed, adjusted, expected } = sumsOf(deposit);
  return {
    id: deposit.id,
    status: statusOf(deposit),
    itemCount: deposit.items.size,
    unknownCount: 0,
    ...{ gross: decimal(gross), fees: decimal(fees), reversed: decimal(reversed), adjusted: decimal(adjusted) },
    expected: decimal(expected),
    amount: decimalIfAny(deposit.amountCents),
    bankAmount: decimalIfAny(deposit.bankCents),
    difference: decimalIfAny(differenceOf(deposit)),
  };
}

/** The fields of an answer about a deposit that are compared. The other ones are as sent, or times. */
export const DEPOSIT_FIELDS = [
  ...['id', 'status', 'itemCount', 'unknownCount', 'gross', 'fees', 'reversed', 'adjusted', 'expected', 'amount'],
  ...['bankAmount', 'difference'],
];

/** The rows of the tables of deposits. */
export function depositRows({ deposits }: Books): { readonly deposit: object[]; readonly deposit_item: object[] } {
  const all = [...deposits.values()];
  return {
    deposit: all.map((deposit) => {
      const { gross, fees, reversed, adjusted } = sumsOf(deposit);
      return {
        id: deposit.id,
        sent_by: deposit.user,
        deposit_id: deposit.depositId,
        amount: decimalIfAny(deposit.amountCents),
        bank_amount: decimalIfAny(deposit.bankCents),
        ...{ gross: decimal(gross), fees: decimal(fees), reversed: decimal(reversed), adjusted: decimal(adjusted) },
        adjustments: deposit.adjustments.map(decimal),
        reconciled: deposit.reconciled,
      };
    }),
    deposit_item: all.flatMap(({ id, items }) =>
      [...items].map(([item, { cents, feeCents, sent }]) => ({
        item,
        deposit_id: id,
        amount: decimal(cents),
        fee: decimalIfAny(feeCents),
        has_own_fee: sent.feeCents !== undefined,
      })),
    ),
  };
}

/** The same rows in the database. */
export const DEPOSIT_STATEMENTS = {
  deposit: `
    SELECT d.id, u.username AS sent_by, d.deposit_id, amount::text, bank_amount::text, gross::text, fees::text, reversed::text,
      adjusted::text, ARRAY(SELECT a.amount::text FROM deposit_adjustment a WHERE a.deposit_id = d.id ORDER BY a.id) AS adjustments,
      reconciled_at IS NOT NULL AS reconciled
    FROM deposit d JOIN app_user u ON u.id = d.user_id`,
  deposit_item: `
    SELECT CASE WHEN is_reversal THEN 'reversal ' || reversal_id ELSE 'payment ' || payment_id END AS item, deposit_id,
      amount::text, fee::text, has_own_fee
    FROM deposit_item`,
};

function decimalIfAny(cents: number | null): string | null {
  return cents === null ? null : decimal(cents);
}

/** The payments and reversals of a user that a deposit can name, the oldest first. */
export function nameableBy({ ledger }: Books, user: ApiUser): DepositItem[] {
  const items = [...ledger.entries.values()]
    .filter(({ payment }) => payment.user === user)
    .map(({ payment, reversal }) =>
      reversal === null
        ? { isReversal: false, contributionId: idOf(payment), feeCents: undefined }
        : { isReversal: true, contributionId: reversal.entries[0]?.id ?? 0, feeCents: undefined },
    );
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
