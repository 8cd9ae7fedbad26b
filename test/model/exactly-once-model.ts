import type { Expected } from './answers.js';
import type { AddGift, CorrectPayment } from './operation.js';

interface KeptAnswer {
  readonly content: string;
  readonly body: unknown;
  age: number;
}

const KEPT_DAYS = 30;

/** The stored answers of Idempotency-Keys. */
export class ExactlyOnceModel {
  private readonly kept = new Map<string, KeptAnswer>();

  /** The stored answer, or the answer of `work`, which is stored if it is a success. */
  once({ kind, user, key }: AddGift | CorrectPayment, content: string, work: () => Expected): Expected {
    if (key === undefined) return work();
    const id = JSON.stringify([user, kind, key]);
    const first = this.kept.get(id);
    if (first !== undefined) {
      return first.content === content ? { body: first.body, replayed: true } : { codes: ['idempotency_key_reused'] };
    }
    const answer = work();
    if ('body' in answer) this.kept.set(id, { content, body: answer.body, age: 0 });
    return answer;
  }

  /** Makes all keys older and removes expired ones. */
  age(days: number): void {
    for (const [id, answer] of this.kept) {
      answer.age += days;
      if (answer.age > KEPT_DAYS) this.kept.delete(id);
    }
  }
}
