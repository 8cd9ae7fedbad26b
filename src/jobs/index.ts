export { inSteps } from './in-steps.js';
export type { JobHandler, RunningJob } from './job-handler.js';
export { JOB_PACE, type JobPace, SERVICE_PACE } from './job-pace.js';
export { JobQueue } from './job-queue.js';
export { JobsModule } from './jobs.module.js';
export { Job } from './job.entity.js';
