import { type ErrorKind, ExpectedError } from '../../http/index.js';

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
  when: 'The bundle does not hold what you say that you compared with the bank. It stays open.',
  example: 'Bundle 7 holds something else than you expect: 13 of USD 490.50. Compare it again; it was not closed.',
};

/** A BundleTypeId that is no bundle type's. */
export class BundleTypeNotFoundError extends ExpectedError {
  readonly kind = BUNDLE_TYPE_NOT_FOUND;

  constructor(bundleTypeId: number) {
    super(`There is no bundle type with BundleTypeId ${bundleTypeId}.`);
  }
}

/** A BundleId that is no bundle's. */
export class BundleNotFoundError extends ExpectedError {
  readonly kind = BUNDLE_NOT_FOUND;

  constructor(bundleId: number) {
    super(`There is no bundle ${bundleId}.`);
  }
}

/** A bundle does not hold what was compared with the bank: a gift may have come meanwhile. */
export class BundleChangedError extends ExpectedError {
  readonly kind = BUNDLE_CHANGED;

  /** @param held its totals, in words */
  constructor(bundleId: number, held: string) {
    super(`Bundle ${bundleId} holds something else than you expect: ${held}. Compare it again; it was not closed.`);
  }
}
