import { type ErrorKind, ExpectedError } from '../../http/index.js';
import type { DepositView } from './deposit-view.js';

export const DEPOSIT_NOT_FOUND: ErrorKind = {
  code: 'deposit_not_found',
  status: 404,
  when: 'No deposit has this id.',
  example: 'There is no deposit 7.',
};

export const PAYOUT_NOT_FOUND: ErrorKind = {
  code: 'payout_not_found',
  status: 404,
  when: 'No gift of this source has this PayoutId, or none in this currency.',
  example: 'No gift of the source txt2give has the PayoutId po_1042.',
};

export const DEPOSIT_ID_REUSED: ErrorKind = {
  code: 'deposit_id_reused',
  status: 422,
  when:
    'A deposit with this `DepositId` and `Source` has another `Date` or `Amount`, or an item has another `Fee`. Nothing was ' +
    'stored.',
  example: 'DepositId po_1042 of this Source was sent before, with another Amount. Nothing was stored.',
};

export const DEPOSIT_ITEM_NOT_FOUND: ErrorKind = {
  code: 'deposit_item_not_found',
  status: 422,
  when:
    'An item names a ContributionId that does not exist, that your user has not added, or that is no gift, or an itemId that ' +
    'is not in the deposit. Nothing was stored.',
  example: 'Item 3: there is no contribution 17. Nothing was stored.',
};

export const DEPOSIT_ITEM_UNCLEAR: ErrorKind = {
  code: 'deposit_item_unclear',
  status: 422,
  when:
    'An item can mean several gifts or reversals, or is not in the currency of the deposit. `detail` says what to do. ' +
    'Nothing was stored.',
  example:
    'Item 3: contribution 1 has several reversals. Name one by its RefundId, or by ReversalOf: 4, 6. Nothing was stored.',
};

export const IN_OTHER_DEPOSIT: ErrorKind = {
  code: 'in_other_deposit',
  status: 409,
  when: 'An item is in another deposit already. Nothing was stored.',
  example: 'Contribution 1 is in deposit 6 already. Nothing was stored.',
};

export const DEPOSIT_RECONCILED: ErrorKind = {
  code: 'deposit_reconciled',
  status: 409,
  when: 'The deposit is reconciled, and never changes. Nothing was stored.',
  example: 'Deposit 7 is reconciled, and never changes. Nothing was stored.',
};

export const DEPOSIT_NOT_RECONCILED: ErrorKind = {
  code: 'deposit_not_reconciled',
  status: 409,
  when: 'Only the bundles of a reconciled deposit can be closed with it.',
  example: 'Deposit 7 is not reconciled. Its bundles stay as they are.',
};

export const DEPOSIT_DIFFERS: ErrorKind = {
  code: 'deposit_differs',
  status: 409,
  when:
    'The deposit differs from the bank, has items that are not in the books, or there is no amount to compare with. `current` ' +
    'is the deposit as it is now.',
  example: 'Deposit 7 differs by USD -0.01. It was not reconciled.',
};

export const DEPOSIT_CHANGED: ErrorKind = {
  code: 'deposit_changed',
  status: 409,
  when: 'The deposit is not as you have seen it any more. Nothing was stored. `current` is the deposit as it is now.',
  example: 'Deposit 7 has 5 items and expects USD 1610.66 now. Compare it again; it was not reconciled.',
};

export const BANK_CHANGED: ErrorKind = {
  code: 'bank_changed',
  status: 409,
  when: 'Something else is entered for the bank than you have seen. Nothing was stored. `current` is the deposit as it is now.',
  example: 'USD 1610.65 is entered for deposit 7 by now. Nothing was stored.',
};

export const BUNDLE_NOT_COVERED: ErrorKind = {
  code: 'bundle_not_covered',
  status: 409,
  when: 'In the result of a bundle: it has entries that are in no reconciled deposit, so it stays open.',
  example: 'Bundle 7 has 2 entries that are in no reconciled deposit. It was not closed.',
};

/** What a call that adds items answers if it cannot add them. */
export const ITEM_FAILURES: readonly ErrorKind[] = [
  DEPOSIT_ID_REUSED,
  DEPOSIT_ITEM_NOT_FOUND,
  DEPOSIT_ITEM_UNCLEAR,
  IN_OTHER_DEPOSIT,
  DEPOSIT_RECONCILED,
];

/** There is no deposit with this id. */
export class DepositNotFoundError extends ExpectedError {
  readonly kind = DEPOSIT_NOT_FOUND;

  constructor(id: number) {
    super(`There is no deposit ${id}.`);
  }
}

/** A payout, and if there is one, the currency in which its gifts were to be. */
interface PayoutName {
  readonly source: string;
  readonly payoutId: string;
  readonly currency: string | undefined;
}

/** No gift of the source has the PayoutId. */
export class PayoutNotFoundError extends ExpectedError {
  readonly kind = PAYOUT_NOT_FOUND;

  constructor({ source, payoutId, currency }: PayoutName) {
    super(
      `No gift ${currency === undefined ? '' : `in ${currency} `}of the source ${source} has the PayoutId ${payoutId}.`,
    );
  }
}

/** A deposit, or an item of it, was sent before with other content. */
export class DepositIdReusedError extends ExpectedError {
  readonly kind = DEPOSIT_ID_REUSED;

  /** @param other what differs: "another Amount". */
  constructor(depositId: string, other: string) {
    super(`DepositId ${depositId} of this Source was sent before, with ${other}. Nothing was stored.`);
  }
}

/** An item names something that does not exist. */
export class DepositItemNotFoundError extends ExpectedError {
  readonly kind = DEPOSIT_ITEM_NOT_FOUND;

  /** @param what "Item 3: there is no contribution 17". */
  constructor(what: string) {
    super(`${what}. Nothing was stored.`);
  }
}

/** An item can mean several things, or cannot belong to the deposit. */
export class DepositItemUnclearError extends ExpectedError {
  readonly kind = DEPOSIT_ITEM_UNCLEAR;

  /** @param what "Item 3: contribution 1 has several reversals". */
  constructor(what: string) {
    super(`${what}. Nothing was stored.`);
  }
}

/** A payment or a reversal is in another deposit. */
export class InOtherDepositError extends ExpectedError {
  readonly kind = IN_OTHER_DEPOSIT;

  /** @param items what is in which deposit: "Contribution 1 is in deposit 6 already". */
  constructor(items: readonly string[]) {
    super(`${items.join('. ')}. Nothing was stored.`);
  }
}

/** The deposit is reconciled. */
export class DepositReconciledError extends ExpectedError {
  readonly kind = DEPOSIT_RECONCILED;

  constructor(id: number) {
    super(`Deposit ${id} is reconciled, and never changes. Nothing was stored.`);
  }
}

/** The deposit is not reconciled, so its bundles are not closed with it. */
export class DepositNotReconciledError extends ExpectedError {
  readonly kind = DEPOSIT_NOT_RECONCILED;

  constructor(id: number) {
    super(`Deposit ${id} is not reconciled. Its bundles stay as they are.`);
  }
}

/** The deposit cannot be reconciled as it is. */
export class DepositDiffersError extends ExpectedError {
  readonly kind = DEPOSIT_DIFFERS;

  constructor(override readonly current: DepositView) {
    const { id, currency, difference, unknownCount } = current;
    const why =
      difference === null
        ? 'has no amount to compare with: enter what the bank says'
        : unknownCount > 0
          ? `has items that are not in the books: ${unknownCount}. Record them, or remove them with a reason`
          : `differs by ${currency} ${difference}`;
    super(`Deposit ${id} ${why}. It was not reconciled.`);
  }
}

/** Somebody else has changed the deposit since the caller has seen it. */
export class DepositChangedError extends ExpectedError {
  readonly kind = DEPOSIT_CHANGED;

  constructor(override readonly current: DepositView) {
    const { id, itemCount, currency, expected } = current;
    const now = `has ${itemCount} items and expects ${currency} ${expected} now`;
    super(`Deposit ${id} ${now}. Compare it again; it was not reconciled.`);
  }
}

/** Somebody else has entered what the bank says. */
export class BankChangedError extends ExpectedError {
  readonly kind = BANK_CHANGED;

  constructor(override readonly current: DepositView) {
    const { id, currency, bankAmount } = current;
    const what = bankAmount === null ? 'Nothing' : `${currency} ${bankAmount}`;
    super(`${what} is entered for deposit ${id} by now. Nothing was stored.`);
  }
}

/** A bundle has entries that are in no reconciled deposit. */
export class BundleNotCoveredError extends ExpectedError {
  readonly kind = BUNDLE_NOT_COVERED;

  constructor({ bundleId, uncovered }: { readonly bundleId: number; readonly uncovered: number }) {
    const entries = uncovered === 1 ? '1 entry that is' : `${uncovered} entries that are`;
    super(`Bundle ${bundleId} has ${entries} in no reconciled deposit. It was not closed.`);
  }
}
