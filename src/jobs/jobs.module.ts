import { Module } from '@nestjs/common';
import { JOB_PACE, SERVICE_PACE } from './job-pace.js';
import { JobQueue } from './job-queue.js';

/** The queue: work that a transaction leaves for after its commit. */
@Module({ providers: [{ provide: JOB_PACE, useValue: SERVICE_PACE }, JobQueue], exports: [JobQueue] })
export class JobsModule {}
