import type { Expected } from './answers.js';
import type { AddGift, ReverseGift } from './operation.js';

interface KeptAnswer {
  readonly content: string;
  readonly body: unknown;
  age: number;
}

const KEPT_DAYS = 30;

/** The first answers to Idempotency-Keys. */
export class ExactlyOnceModel {
  private readonly kept = new Map<string, KeptAnswer>();

  /** The answer of `work`, which is kept if it is a success, or the one that is kept. */
  once({ kind, user, key }: AddGift | ReverseGift, content: string, work: () => Expected): Expected {
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

  /** Keys become so many days older, and are forgotten in the end. */
  age(days: number): void {
    for (const [id, answer] of this.kept) {
      answer.age += days;
      if (answer.age > KEPT_DAYS) this.kept.delete(id);
    }
  }
}
