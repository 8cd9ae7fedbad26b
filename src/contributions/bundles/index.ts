export { Bundles } from './bundles.service.js';
export { TotalsInWords } from './bundle-parts.js';
export { BundleDetails, type TypeTotals } from './bundle-view.js';
export { BundlesModule } from './bundles.module.js';
export { BundleTypeNotFoundError, BUNDLE_TYPE_NOT_FOUND } from './errors.js';
export { BUNDLE_ACTIONS } from './audit-actions.js';
export { Bundle } from './bundle.entity.js';
export { CloseBundles, type ClosingResult } from './closing/close-bundles.service.js';
export { CloseBundlesAnswer, closeBundlesAnswer } from './closing/close-bundles.answer.js';
