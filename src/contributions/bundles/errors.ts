import { ExpectedError } from '../../http/index.js';

/** A BundleTypeId that is no bundle type's. */
export class BundleTypeNotFoundError extends ExpectedError {
  readonly code = 'bundle_type_not_found';

  constructor(bundleTypeId: number) {
    super(`There is no bundle type with BundleTypeId ${bundleTypeId}.`);
  }
}

/** A BundleId that is no bundle's. */
export class BundleNotFoundError extends ExpectedError {
  readonly code = 'bundle_not_found';

  constructor(bundleId: number) {
    super(`There is no bundle ${bundleId}.`);
  }
}

/** A bundle does not hold what was compared with the bank: a gift may have come meanwhile. */
export class BundleChangedError extends ExpectedError {
  readonly code = 'bundle_changed';

  /** @param held its totals, in words */
  constructor(bundleId: number, held: string) {
    super(`Bundle ${bundleId} holds something else than you expect: ${held}. Compare it again; it was not closed.`);
  }
}
