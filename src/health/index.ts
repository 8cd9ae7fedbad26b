export { HealthModule } from './health.module.js';
export { HealthWarnings } from './health-warnings.js';
