export { answerOf } from './answer-of.js';
export { keyAfter, keyAndRest } from './form-key.js';
export { answerOnce, type Outcome } from './answer-once.js';
export { IdempotencyKeyReusedError } from './errors.js';
export { Idempotency, type KeyedOperation } from './idempotency.js';
export { IdempotencyKey } from './idempotency-key.js';
export { IdempotencyModule } from './idempotency.module.js';
export { REQUEST_VERSION, requestDigest, SentRequest, type StoredRequest } from './request-digest.js';
export { StoredAnswer } from './stored-answer.entity.js';
