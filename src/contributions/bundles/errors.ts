import { type ErrorKind, ExpectedError } from '../../http/index.js';
import { describeTotals } from '../ledger/index.js';
import type { BundleDetails } from './bundle-view.js';

export const BUNDLE_TYPE_NOT_FOUND: ErrorKind = {
  code: 'bundle_type_not_found',
  status: 422,
  when: '`BundleTypeId` is unknown. Nothing was stored.',
  example: 'There is no bundle type with BundleTypeId 9.',
};

export const BUNDLE_NOT_FOUND: ErrorKind = {
  code: 'bundle_not_found',
  status: 404,
  when: 'No bundle has this id.',
  example: 'There is no bundle 7.',
};

export const BUNDLE_CHANGED: ErrorKind = {
  code: 'bundle_changed',
  status: 409,
  when: 'The bundle’s count or total differs from the one you sent. It stays open. `current` is the bundle as it is now.',
  example:
    'Bundle 7 holds something else than you expect: 13 entries, USD 490.50. Compare it again; it was not closed.',
};

/** There is no bundle type with this BundleTypeId. */
export class BundleTypeNotFoundError extends ExpectedError {
  readonly kind = BUNDLE_TYPE_NOT_FOUND;

  constructor(bundleTypeId: number) {
    super(`There is no bundle type with BundleTypeId ${bundleTypeId}.`);
  }
}

/** There is no bundle with this BundleId. */
export class BundleNotFoundError extends ExpectedError {
  readonly kind = BUNDLE_NOT_FOUND;

  constructor(bundleId: number) {
    super(`There is no bundle ${bundleId}.`);
  }
}

/** A bundle's totals are not those that were compared with the bank, for example because of a new gift. */
export class BundleChangedError extends ExpectedError {
  readonly kind = BUNDLE_CHANGED;

  constructor(override readonly current: BundleDetails) {
    const [bundleId, held] = [current.bundleId, describeTotals(current.totals)];
    super(`Bundle ${bundleId} holds something else than you expect: ${held}. Compare it again; it was not closed.`);
  }
}
