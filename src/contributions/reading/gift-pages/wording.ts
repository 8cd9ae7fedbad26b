import { type PaymentMethod, specialType } from '../../ledger/index.js';
import { amountInWords, type Column } from '../../../pages/index.js';
import type { PersonView } from '../../../people/index.js';
import type { ContributionView } from '../contribution-view.js';
import type { FoundGift } from '../searching/found-gift-view.js';
import { REVERSAL_REASONS, type ReversalReason } from '../../events/index.js';

/** How a payment was made, in words. */
export const METHODS_IN_WORDS: Readonly<Record<PaymentMethod, string>> = {
  card: 'Card',
  ach: 'Bank transfer',
  check: 'Check',
  cash: 'Cash',
  wallet: 'Wallet',
  other: 'Other',
};

/** The reasons of a reversal, to choose from. */
export const REASON_OPTIONS: readonly (readonly [ReversalReason, string])[] = (
  Object.keys(REVERSAL_REASONS) as ReversalReason[]
).map((reason) => [reason, reasonInWords(reason)]);

/** "Refund: the church or the processor gives the money back" */
export function reasonInWords(reason: ReversalReason): string {
  return `${capitalized(reason)}: ${REVERSAL_REASONS[reason].meaning}`;
}

/** A gift in a heading: "USD 40.00 from John Appleseed". */
export function giftInWords({
  gift: { payment, currency },
  giver: { first, last },
}: {
  readonly gift: Pick<ContributionView, 'payment' | 'currency'>;
  readonly giver: Pick<PersonView, 'first' | 'last'>;
}): string {
  return `${amountInWords(payment.amount, currency)} from ${first} ${last}`;
}

/** A column with the types of gifts; none if all are plain money. */
export function typeColumn(gifts: readonly FoundGift[]): readonly Column<FoundGift>[] {
  const typeOf = (gift: FoundGift): string | undefined => specialType(gift.contributionTypeId, gift.contributionType);
  return gifts.some((gift) => typeOf(gift) !== undefined) ? [{ header: 'Type', cell: typeOf }] : [];
}

/** "Card", or "Check 1042". @returns undefined if it was not sent. */
export function methodInWords({
  method,
  checkNumber,
}: {
  readonly method: PaymentMethod | null;
  readonly checkNumber: string | null;
}): string | undefined {
  const name = method === null ? undefined : METHODS_IN_WORDS[method];
  if (checkNumber === null) return name;
  return `${name ?? 'Check'} ${checkNumber}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The name of a detail of a person: "lastName" is "last name". */
export function detailInWords(name: string): string {
  return name === 'email' ? 'e-mail' : name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
