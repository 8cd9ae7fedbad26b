export { FirstAnswers, type Outcome } from './first-answers.js';
export { IdempotencyKey } from './idempotency-key.js';
export { IdempotencyModule } from './idempotency.module.js';
export { requestDigest } from './request-digest.js';
