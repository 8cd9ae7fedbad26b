import type { Caller } from '../../../auth/index.js';
import type { SentRequest } from '../../../idempotency/index.js';

/** What all corrections by Finance have in common. */
export interface Correction {
  /** Any contribution of the payment. */
  readonly contributionId: number;
  readonly user: Pick<Caller, 'userId' | 'username' | 'session'>;
  /** The caller's Idempotency-Key, if it sent one. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
}
