export type { JobHandler, RunningJob } from './job-handler.js';
export { JobQueue } from './job-queue.js';
export { JobsModule } from './jobs.module.js';
