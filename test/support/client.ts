import { setTimeout as sleep } from 'node:timers/promises';
import { noteSecret } from './kept-logs.js';

/** An answer to an HTTP call. */
export interface Answer {
  /** 0: no answer, the connection was cut or refused. */
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  readonly milliseconds: number;
}

/** A call besides its path. */
export interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** An answer before its body is parsed. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How long an answer may take before it counts as none, in milliseconds. */
export const ANSWER_LIMIT_MS = 20_000;

/** A processor with its credentials. */
export class Client {
  private readonly authorization: string;

  constructor(
    public url: string,
    username: string,
    password: string,
    /** Headers of every call. */
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    noteSecret(password);
    this.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  add(fields: object, key?: string): Promise<Answer> {
    return this.request('/Api/AddContribution', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...keyHeader(key) },
      body: JSON.stringify(fields),
    });
  }

  reverse(contributionId: number, source = 'test', key?: string): Promise<Answer> {
    const path = `/Api/ReverseContribution/${contributionId}/${source}`;
    return this.request(path, { method: 'POST', headers: keyHeader(key) });
  }

  read(contributionId: number): Promise<Answer> {
    return this.request(`/Api/Contributions/${contributionId}`, {});
  }

  /** Makes any call with the credentials. */
  async request(path: string, options: CallOptions): Promise<Answer> {
    const begin = performance.now();
    try {
      const headers = { ...this.headers, ...options.headers, Authorization: this.authorization };
      const answer = await this.exchange(path, { ...options, headers });
      const body = JSON.parse(answer.text) as Record<string, unknown>;
      return { status: answer.status, body, headers: answer.headers, milliseconds: performance.now() - begin };
    } catch {
      return { status: 0, body: {}, headers: new Headers(), milliseconds: performance.now() - begin };
    }
  }

  /** Sends a call with all its headers. Rejects if there is no answer. */
  protected async exchange(path: string, options: CallOptions): Promise<ReceivedAnswer> {
    const response = await fetch(this.url + path, { ...options, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'Idempotency-Key': key };
}

/** Shorter than Retry-After asks for, as of an impatient caller. */
const PAUSE_MS = 100;

/**
 * Repeats a call while it gets no answer or a 503, as a processor does. The call must have a key, so that this is safe.
 * @throws Error if there is no other answer in time.
 */
export async function untilAnswered(
  call: (attempt: number) => Promise<Answer>,
  milliseconds = 120_000,
): Promise<Answer> {
  const deadline = Date.now() + milliseconds;
  for (let attempt = 0; ; attempt++) {
    const answer = await call(attempt);
    if (answer.status !== 0 && answer.status !== 503) return answer;
    if (Date.now() > deadline) throw new Error(`No answer but ${answer.status} within ${milliseconds} ms`);
    await sleep(PAUSE_MS);
  }
}

/** The median of these numbers. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
