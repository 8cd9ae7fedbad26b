import { noteSecret } from './kept-logs.js';

/** Calls over HTTP from outside the process, as a processor makes them. */
export interface Answer {
  /** 0: no answer, the connection was cut or refused. */
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  readonly milliseconds: number;
}

/** A processor with its credentials. */
export class Client {
  private readonly authorization: string;

  constructor(
    public url: string,
    username: string,
    password: string,
  ) {
    noteSecret(password);
    this.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  add(fields: object): Promise<Answer> {
    return this.request('/Api/AddContribution', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    });
  }

  reverse(contributionId: number, source = 'test'): Promise<Answer> {
    return this.request(`/Api/ReverseContribution/${contributionId}/${source}`, { method: 'POST' });
  }

  read(contributionId: number): Promise<Answer> {
    return this.request(`/Api/Contributions/${contributionId}`, {});
  }

  /** Any call, with the credentials. */
  async request(
    path: string,
    options: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Answer> {
    const begin = performance.now();
    try {
      const response = await fetch(this.url + path, {
        ...options,
        headers: { ...options.headers, Authorization: this.authorization },
        signal: AbortSignal.timeout(20_000),
      });
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body, headers: response.headers, milliseconds: performance.now() - begin };
    } catch {
      return { status: 0, body: {}, headers: new Headers(), milliseconds: performance.now() - begin };
    }
  }
}

/** The middle one of these numbers. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
