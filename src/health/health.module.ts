import { Global, Module } from '@nestjs/common';
import { DoctorChecks } from './doctor-checks.js';
import { HealthController } from './health.controller.js';
import { HealthWarnings } from './health-warnings.js';
import { Readiness } from './readiness.js';

/** Liveness and readiness. Global, so that any module can hand in a warning, and what the doctor should look at. */
@Global()
@Module({
  controllers: [HealthController],
  providers: [DoctorChecks, HealthWarnings, Readiness],
  exports: [DoctorChecks, HealthWarnings],
})
export class HealthModule {}
