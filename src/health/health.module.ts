import { Global, Module } from '@nestjs/common';
import { Examinations } from './examinations.js';
import { HealthController } from './health.controller.js';
import { HealthWarnings } from './health-warnings.js';
import { Readiness } from './readiness.js';

/** Liveness and readiness. Global, so that any module can hand in a warning, and what the doctor should look at. */
@Global()
@Module({
  controllers: [HealthController],
  providers: [Examinations, HealthWarnings, Readiness],
  exports: [Examinations, HealthWarnings],
})
export class HealthModule {}
