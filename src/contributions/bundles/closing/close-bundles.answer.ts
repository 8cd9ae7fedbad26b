import { ExpectedError, listOf, Problem, problemOf, Property } from '../../../http/index.js';
import { PLAIN_ID_SCHEMA } from '../../../values/index.js';
import { BundleDetails } from '../bundle-view.js';
import { MAX_BUNDLES } from './close-bundles.request.js';
import type { ClosingResult } from './close-bundles.service.js';

/** The result of one bundle. */
class ClosedBundleResult {
  @Property(PLAIN_ID_SCHEMA, { description: 'The bundle.', examples: [7] })
  readonly bundleId!: number;

  @Property(
    { type: 'integer', format: 'int32', minimum: 200, maximum: 499 },
    { description: 'The status that CloseBundle would have answered.', examples: [200] },
  )
  readonly status!: number;

  @Property(BundleDetails, { description: 'With status 200: the closed bundle.', optional: true })
  readonly bundle?: BundleDetails;

  @Property(Problem, { description: 'With any other status: why the bundle was not closed.', optional: true })
  readonly problem?: Problem;
}

/** The answer of CloseBundles. */
export class CloseBundlesAnswer {
  @Property(listOf(ClosedBundleResult, MAX_BUNDLES), {
    description: 'One result for each bundle, in the order of `Bundles`.',
  })
  readonly results!: readonly ClosedBundleResult[];
}

/** @param bundleIds the bundles, in the order of their results. */
export function closeBundlesAnswer(
  bundleIds: readonly number[],
  results: readonly ClosingResult[],
  requestId: string,
): CloseBundlesAnswer {
  return {
    results: results.map((result, index) => {
      const bundleId = bundleIds[index] ?? 0;
      return result instanceof ExpectedError
        ? { bundleId, status: result.kind.status, problem: problemOf(result, requestId) }
        : { bundleId, status: 200, bundle: result };
    }),
  };
}
