import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/index.js';
import { Idempotency } from './idempotency.js';
import { PurgeKeysWorker } from './purge-keys.worker.js';

/** Makes calls with an `Idempotency-Key` safe to repeat. */
@Module({ imports: [JobsModule], providers: [Idempotency, PurgeKeysWorker], exports: [Idempotency] })
export class IdempotencyModule {}
