import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/index.js';
import { Idempotency } from './idempotency.js';
import { PurgeKeysWorker } from './purge-keys.worker.js';

/** Lets a call be repeated without being done twice. */
@Module({ imports: [JobsModule], providers: [Idempotency, PurgeKeysWorker], exports: [Idempotency] })
export class IdempotencyModule {}
