export { BundlesModule } from './bundles.module.js';
export { BundleTypeNotFoundError } from './errors.js';
