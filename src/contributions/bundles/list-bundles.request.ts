import { anyCaseOf, day, filterId, OptionalField, text } from '../../http/index.js';
import { BUNDLE_STATUSES } from './bundle-view.js';

/** The filter of the list of bundles. Omitted fields do not filter. */
export class ListBundlesRequest {
  @OptionalField(anyCaseOf(BUNDLE_STATUSES), {
    description: 'Only bundles with this status.',
    examples: ['Open'],
  })
  status?: (typeof BUNDLE_STATUSES)[number];

  @OptionalField(day, { description: 'Only bundles of this day or later.', examples: ['2026-07-01'] })
  from?: string;

  @OptionalField(day, { description: 'Only bundles of this day or earlier.', examples: ['2026-07-31'] })
  to?: string;

  @OptionalField(text(100), { description: 'Only bundles of this user.', examples: ['txt2give'] })
  user?: string;

  @OptionalField(filterId, {
    description: 'Only bundles of this type. See `BundleTypeId` of AddContribution.',
    examples: [4],
  })
  bundleTypeId?: number;

  @OptionalField(filterId, {
    description: 'For the next page: the last bundleId of the previous page.',
    examples: [207],
  })
  before?: number;
}
