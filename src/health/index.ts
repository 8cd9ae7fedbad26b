export { DoctorChecks, type Finding } from './doctor-checks.js';
export { HealthModule } from './health.module.js';
export { HealthWarnings } from './health-warnings.js';
export { Readiness } from './readiness.js';
