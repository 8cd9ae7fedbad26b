import type { PaymentMethod } from '../../ledger/index.js';
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

/** "lastName" as "last name". */
export function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
