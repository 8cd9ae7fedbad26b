import type { Giver } from './giver-pool.js';

/** The two API users. */
export const API_USERS = ['api', 'second'] as const;
/** Who adds and reverses. */
export type ApiUser = (typeof API_USERS)[number];
/** The user of Finance, who reassigns and accepts. */
export const TREASURER = 'treasurer';

/** An id that nothing has. */
export const UNKNOWN_ID = 2_147_483_647;

/** What a request to add a gift says, in whatever notation it is written. What is undefined is left out. */
export interface GiftRequest {
  readonly giver: Giver;
  /** Not positive: the request is invalid. */
  readonly cents: number;
  readonly date: GiftDate | undefined;
  readonly notes: string | undefined;
  readonly source: string | undefined;
  /** ISO 4217, as it is sent; the books are in USD. */
  readonly currency: 'USD' | 'EUR' | undefined;
  /** Without a source the request is invalid. */
  readonly transactionId: string | undefined;
  readonly fundId: number | undefined;
  readonly peopleId: number | undefined;
  readonly ignoreUnknownPerson: true | undefined;
  readonly bundleTypeId: number | undefined;
  readonly contributionTypeId: number | undefined;
}

/** A date as it is sent, and the day or instant in ISO 8601 that it means in church time. */
export interface GiftDate {
  readonly sent: string;
  readonly iso: string;
}

/** A call that may carry an Idempotency-Key. */
interface Keyed {
  readonly user: ApiUser;
  readonly key: string | undefined;
  /** The header may have the key in quotes or bare. */
  readonly quoted: boolean;
  /** Sent twice at the same moment; for a call of which one does something at most. */
  readonly twice: boolean;
}

/** AddContribution; `body` is the request as it is written on the wire. */
export interface AddGift extends Keyed {
  readonly kind: 'add';
  readonly request: GiftRequest;
  readonly body: string;
  readonly dryRun: boolean;
}

/** ReverseContribution */
export interface ReverseGift extends Keyed {
  readonly kind: 'reverse';
  readonly contributionId: number;
  readonly source: string;
}

/** What the church's staff does, without a call over HTTP. */
export type StaffOperation =
  | { readonly kind: 'merge'; readonly from: number; readonly into: number }
  | { readonly kind: 'confirm contact'; readonly peopleId: number; readonly contact: string }
  | { readonly kind: 'close bundle'; readonly bundleId: number }
  | { readonly kind: 'open or close fund'; readonly fundId: number; readonly open: boolean }
  | { readonly kind: 'choose default fund'; readonly fundId: number }
  | { readonly kind: 'let days pass'; readonly days: number };

/** One thing that happens. */
export type Operation =
  | AddGift
  | ReverseGift
  | StaffOperation
  | { readonly kind: 'read'; readonly user: ApiUser; readonly contributionId: number }
  | { readonly kind: 'reassign'; readonly contributionId: number; readonly peopleId: number }
  | { readonly kind: 'accept'; readonly contributionId: number };
