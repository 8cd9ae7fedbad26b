import { Global, Module } from '@nestjs/common';
import { DoctorChecks } from './doctor-checks.js';
import { HealthController } from './health.controller.js';
import { HealthWarnings } from './health-warnings.js';
import { Readiness } from './readiness.js';
import { WarningsController } from './warnings.controller.js';

/** Liveness and readiness. Global, so that any module can add warnings and checks for the doctor. */
@Global()
@Module({
  controllers: [HealthController, WarningsController],
  providers: [DoctorChecks, HealthWarnings, Readiness],
  exports: [DoctorChecks, HealthWarnings],
})
export class HealthModule {}
