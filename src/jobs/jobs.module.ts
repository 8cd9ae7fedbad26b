import { Module } from '@nestjs/common';
import { JobQueue } from './job-queue.js';

/** The queue: work that a transaction leaves for after its commit. */
@Module({ providers: [JobQueue], exports: [JobQueue] })
export class JobsModule {}
