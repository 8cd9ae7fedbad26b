import type { Giver } from './giver-pool.js';

/** The two API users. */
export const API_USERS = ['api', 'second'] as const;
/** A user who adds and reverses gifts. */
export type ApiUser = (typeof API_USERS)[number];
/** The user of Finance, who reassigns and accepts. */
export const TREASURER = 'treasurer';

/** An unused id. */
export const UNKNOWN_ID = 2_147_483_647;

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
}

/** A date as sent, and its day or time in ISO 8601, in church time. */
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
  /** Whether the call is sent twice at the same moment. Only for calls that have an effect at most once. */
  readonly twice: boolean;
}

/** AddContribution. `body` is the request as sent. */
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

/** An action of the church's staff without a call over HTTP. */
export type StaffOperation =
  | { readonly kind: 'merge'; readonly from: number; readonly into: number }
  | { readonly kind: 'confirm contact'; readonly peopleId: number; readonly contact: string }
  | { readonly kind: 'close bundle'; readonly bundleId: number }
  | { readonly kind: 'open or close fund'; readonly fundId: number; readonly open: boolean }
  | { readonly kind: 'choose default fund'; readonly fundId: number }
  | { readonly kind: 'let days pass'; readonly days: number };

/** One operation of a run. */
export type Operation =
  | AddGift
  | ReverseGift
  | StaffOperation
  | { readonly kind: 'read'; readonly user: ApiUser; readonly contributionId: number }
  | { readonly kind: 'reassign'; readonly contributionId: number; readonly peopleId: number }
  | { readonly kind: 'accept'; readonly contributionId: number };
