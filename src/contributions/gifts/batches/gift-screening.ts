import type { ExpectedError } from '../../../http/index.js';
import type { Giver } from '../../../people/index.js';

/**
 * Refuses gifts of a batch for a reason outside the books. At most one module provides it, and so far only that of a test system does (ADR 61).
 */
export abstract class GiftScreening {
  /** Why the gift is refused; undefined if it is not. What it throws is the failure of the whole batch. */
  abstract refusalOf(giver: Giver): ExpectedError | undefined;
}
