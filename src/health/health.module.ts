import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthWarnings } from './health-warnings.js';

/** Liveness and readiness. Global, so that any module can hand in a warning. */
@Global()
@Module({
  controllers: [HealthController],
  providers: [HealthWarnings],
  exports: [HealthWarnings],
})
export class HealthModule {}
