import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/index.js';
import { FirstAnswers } from './first-answers.js';
import { PurgeKeysWorker } from './purge-keys.worker.js';

/** Lets a call be repeated without being done twice. */
@Module({ imports: [JobsModule], providers: [FirstAnswers, PurgeKeysWorker], exports: [FirstAnswers] })
export class IdempotencyModule {}
