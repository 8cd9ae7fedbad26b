import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { GiftScreening } from '../contributions/index.js';
import { HttpModule } from '../http/index.js';
import { ModeDoctorCheck } from './mode-doctor-check.js';
import { ProvokeAnswers } from './provoking/provoke-answers.interceptor.js';
import { ProvokedAnswers } from './provoking/provoked-answers.service.js';
import { ScreenBatches } from './provoking/screen-batches.service.js';

/**
 * What only a test system has (ADR 61): names that provoke answers. AppModule lists it in the mode `test` only, so that the live
 * service has none of it. Global, so that GiftsModule gets its screening.
 */
@Global()
@Module({
  imports: [HttpModule],
  providers: [
    ModeDoctorCheck,
    ProvokedAnswers,
    { provide: GiftScreening, useClass: ScreenBatches },
    { provide: APP_INTERCEPTOR, useClass: ProvokeAnswers },
  ],
  exports: [GiftScreening],
})
export class TestModeModule {}
