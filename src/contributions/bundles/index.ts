export { BundlesModule } from './bundles.module.js';
export { BundleTypeNotFoundError, BUNDLE_TYPE_NOT_FOUND } from './errors.js';
export { BUNDLE_ACTIONS } from './audit-actions.js';
export { Bundle } from './bundle.entity.js';
