export { Examinations, type Finding } from './examinations.js';
export { HealthModule } from './health.module.js';
export { HealthWarnings } from './health-warnings.js';
