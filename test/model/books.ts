import { ExactlyOnceModel } from './exactly-once-model.js';
import type { Deposit, Fund, Payment } from './entry.js';
import { LedgerModel } from './ledger-model.js';
import type { GiftRequest } from './operation.js';
import { lastReversalOf } from './payment-model.js';
import { PeopleModel } from './people-model.js';
import { ReviewModel } from './review-model.js';
import type { Expected } from './answers.js';

/** A gift that was sent with a TransactionId. */
export interface SentTransaction {
  readonly request: GiftRequest;
  readonly payment: Payment;
  readonly answer: { readonly PeopleId: number };
}

/** A reversal that was sent with a refund id. */
export interface SentRefund {
  readonly content: string;
  readonly body: unknown;
}

/** The state of the model. */
export class Books {
  readonly people = new PeopleModel();
  readonly ledger: LedgerModel;
  readonly reviews: ReviewModel;
  readonly keys = new ExactlyOnceModel();
  /** By user, source and transaction. */
  readonly transactions = new Map<string, SentTransaction>();
  /** By user, source and refund id. */
  readonly refunds = new Map<string, SentRefund>();
  /** By id. */
  readonly deposits = new Map<number, Deposit>();
  /** The notices for Finance. */
  readonly notices: Readonly<Record<string, unknown>>[] = [];

  /** `today` is YYYY-MM-DD in church time. The first fund is the default fund. */
  constructor(
    readonly timeZone: string,
    today: string,
    funds: readonly [Fund, ...Fund[]],
  ) {
    this.ledger = new LedgerModel(today, funds);
    this.reviews = new ReviewModel(this.ledger, this.people);
  }
}

/** The refusal of a reversal of which nothing is left to reverse. It names the source of the last reversal. */
export function alreadyReversed(payment: Payment): Expected {
  const source = lastReversalOf(payment)?.source ?? null;
  return { codes: ['already_reversed'], mentions: source === null ? 'by Finance' : `by source ${source}.` };
}
