import type { Giver } from './giver-pool.js';

/** The two API users. */
export const API_USERS = ['api', 'second'] as const;
/** A user who adds and reverses gifts. */
export type ApiUser = (typeof API_USERS)[number];
/** The user of Finance, who corrects, reassigns and accepts. */
export const TREASURER = 'treasurer';
export type User = ApiUser | typeof TREASURER;

/** An unused id. */
export const UNKNOWN_ID = 2_147_483_647;

export const METHODS = ['card', 'ach', 'check', 'cash', 'wallet', 'other'] as const;
export type PaymentMethod = (typeof METHODS)[number];

export const REASONS = ['refund', 'returned', 'chargeback', 'duplicate', 'error'] as const;
export type Reason = (typeof REASONS)[number];

/** The content of a request to add a gift, independent of its notation. Undefined fields are left out. */
export interface GiftRequest {
  readonly giver: Giver;
  /** The request is invalid if this is not positive. */
  readonly cents: number;
  readonly date: GiftDate | undefined;
  readonly notes: string | undefined;
  readonly source: string | undefined;
  /** The ISO 4217 code as sent. The books are in USD. */
  readonly currency: 'USD' | 'EUR' | undefined;
  /** Without a source the request is invalid. */
  readonly transactionId: string | undefined;
  readonly fundId: number | undefined;
  readonly peopleId: number | undefined;
  readonly ignoreUnknownPerson: true | undefined;
  readonly bundleTypeId: number | undefined;
  readonly contributionTypeId: number | undefined;
  /** The request is invalid with any text that is no method. */
  readonly method: PaymentMethod | 'cheque' | undefined;
  /** The request is invalid with more than 20 characters. */
  readonly checkNumber: string | undefined;
  /** The request is invalid if this is more than the amount. */
  readonly feeCents: number | undefined;
  /** Without a source the request is invalid. */
  readonly payoutId: string | undefined;
  readonly fundName: FundName | undefined;
  /** The request is invalid unless they are 1 to 20, positive, and add up to the amount, without a fund beside them. */
  readonly splits: readonly Split[] | undefined;
}

/** A part of a payment as sent. */
export interface Split {
  readonly cents: number;
  readonly fundId: number | undefined;
  readonly fundName: FundName | undefined;
  readonly notes: string | undefined;
  readonly contributionTypeId: number | undefined;
}

/** The name of a fund as sent, and the fund that it means; undefined if no fund, or more than one, has the name. */
export interface FundName {
  readonly sent: string;
  readonly fundId: number | undefined;
}

/** A date as sent, and its day or time in ISO 8601, in church time. */
export interface GiftDate {
  readonly sent: string;
  readonly iso: string;
}

/** A call that may carry an Idempotency-Key. */
interface Keyed {
  readonly user: User;
  readonly key: string | undefined;
  /** The header may have the key in quotes or bare. */
  readonly quoted: boolean;
  /** Whether the call is sent twice at the same moment. Only for calls that have an effect at most once. */
  readonly twice: boolean;
}

/** AddContribution. `body` is the request as sent. */
export interface AddGift extends Keyed {
  readonly kind: 'add';
  readonly user: ApiUser;
  readonly request: GiftRequest;
  readonly body: string;
  readonly dryRun: boolean;
}

/** AddContributions. `body` is the request as sent. */
export interface AddBatch {
  readonly kind: 'add batch';
  readonly user: ApiUser;
  readonly requests: readonly GiftRequest[];
  readonly body: string;
}

/** What is to be taken back of a payment. */
export interface TakeBack {
  /** Undefined: all that is left. */
  readonly cents: number | undefined;
  readonly reason: Reason | undefined;
  /** Only what is left in this fund. */
  readonly fundId: number | undefined;
  /** The sender's own id of the refund. Finance has none. */
  readonly refundId: string | undefined;
}

/** ReverseContribution. `query` is what is to be taken back, as sent. */
export interface ReverseGift extends Keyed, TakeBack {
  readonly kind: 'reverse';
  readonly user: ApiUser;
  readonly contributionId: number;
  readonly source: string;
  readonly query: string;
}

/** ReverseTransaction */
export interface ReverseTransaction extends Keyed, TakeBack {
  readonly kind: 'reverse transaction';
  readonly user: ApiUser;
  readonly source: string;
  readonly transactionId: string;
  readonly query: string;
}

/** A correction by Finance. */
interface Correction extends Keyed {
  readonly user: typeof TREASURER;
  readonly contributionId: number;
  /** The request is invalid without the text if it is a move. */
  readonly note: string | undefined;
}

/** ReverseAsFinance. The request is invalid without a reason. */
export interface ReverseAsFinance extends Correction, TakeBack {
  readonly kind: 'reverse as finance';
  readonly refundId: undefined;
}

export interface Reinstate extends Correction {
  readonly kind: 'reinstate';
}

export interface Move extends Correction {
  readonly kind: 'move';
  readonly fundId: number;
}

/** All calls that change the books of a payment. */
export type CorrectPayment = ReverseGift | ReverseTransaction | ReverseAsFinance | Reinstate | Move;

/** The filter of a list. Undefined fields do not filter. */
export interface ListFilter {
  readonly peopleId?: number;
  readonly fundId?: number;
  readonly bundleId?: number;
  readonly source?: string;
  readonly transactionId?: string;
  readonly status?: 'Recorded' | 'Reversed';
  readonly method?: PaymentMethod;
  readonly payoutId?: string;
  readonly checkNumber?: string;
  readonly reason?: Reason;
  /** In cents, without sign. */
  readonly amount?: number;
  readonly minAmount?: number;
  readonly maxAmount?: number;
  /** YYYY-MM-DD, both included. */
  readonly from?: string;
  readonly to?: string;
}

/** ListContributions, its first page. */
export interface List {
  readonly kind: 'list';
  readonly user: User;
  readonly filter: ListFilter;
  readonly limit: number;
}

/** An action of the church's staff without a call over HTTP. */
export type StaffOperation =
  | { readonly kind: 'merge'; readonly from: number; readonly into: number }
  | { readonly kind: 'confirm contact'; readonly peopleId: number; readonly contact: string }
  | { readonly kind: 'close bundle'; readonly bundleId: number }
  | { readonly kind: 'open or close fund'; readonly fundId: number; readonly open: boolean }
  | { readonly kind: 'choose default fund'; readonly fundId: number }
  | { readonly kind: 'let days pass'; readonly days: number };

/** A payment, named by its first part, or a reversal, named by its first entry. */
export interface DepositItem {
  readonly isReversal: boolean;
  readonly contributionId: number;
  /** Undefined: that of the payment. */
  readonly feeCents: number | undefined;
}

/** SendDeposit */
export interface SendDeposit {
  readonly kind: 'send deposit';
  readonly user: ApiUser;
  readonly depositId: string;
  /** Null: not sent. */
  readonly cents: number | null;
  readonly items: readonly DepositItem[];
}

/** A call about a deposit. All but the first are made by Finance. */
export type DepositOperation =
  | SendDeposit
  | { readonly kind: 'enter bank'; readonly depositId: number; readonly cents: number }
  | { readonly kind: 'adjust deposit'; readonly depositId: number; readonly cents: number }
  | { readonly kind: 'reconcile deposit'; readonly depositId: number };

/** One operation of a run. */
export type Operation =
  | AddGift
  | AddBatch
  | CorrectPayment
  | DepositOperation
  | List
  | StaffOperation
  | { readonly kind: 'read'; readonly user: ApiUser; readonly contributionId: number }
  | { readonly kind: 'read giving'; readonly peopleId: number }
  | { readonly kind: 'reassign'; readonly contributionId: number; readonly peopleId: number }
  | { readonly kind: 'accept'; readonly contributionId: number };
