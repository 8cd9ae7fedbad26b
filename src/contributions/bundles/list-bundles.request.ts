import { anyCaseOf, day, filterId, OptionalField } from '../../http/index.js';
import { BUNDLE_STATUSES } from './bundle-view.js';

/** By what the list of bundles is narrowed down; what is left out does not matter. */
export class ListBundlesRequest {
  @OptionalField(anyCaseOf(BUNDLE_STATUSES), {
    description: 'Only those that are open, or closed.',
    examples: ['Open'],
  })
  status?: (typeof BUNDLE_STATUSES)[number];

  @OptionalField(day, { description: 'Of this day or later.', examples: ['2026-07-01'] })
  from?: string;

  @OptionalField(day, { description: 'Of this day or earlier.', examples: ['2026-07-31'] })
  to?: string;

  @OptionalField(filterId, {
    description: 'For the next page: the last bundleId of the page before.',
    examples: [207],
  })
  before?: number;
}
