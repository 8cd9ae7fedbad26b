import type { Response } from 'express';
import type { Outcome } from './answer-once.js';

/** The answer of an outcome. Sets a header if it is the answer of an earlier call. */
export function answerOf<T>({ answer, replayed }: Outcome<T>, response: Response): T {
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  return answer;
}
