import { setTimeout as sleep } from 'node:timers/promises';
import { ANSWER_LIMIT_MS, type CallOptions, Client, type ReceivedAnswer } from '../support/client.js';
import type { Login } from '../support/test-app.js';
import { type Caller, newCaller, type Protocol, type Site } from './callers.js';

/** A connection that is kept, or a new one for each call. */
export type Connection = Protocol | 'anew';

/** A processor that calls a site behind a proxy. */
export class ClientOfSite extends Client {
  private kept: Caller | undefined;

  constructor(
    private readonly site: Site,
    login: Login,
    private readonly connection: Connection,
  ) {
    super(`https://${site.name}:${site.port}`, ...login);
  }

  close(): void {
    this.kept?.close();
  }

  protected override async exchange(path: string, { method, headers, body }: CallOptions): Promise<ReceivedAnswer> {
    const caller =
      this.connection === 'anew'
        ? newCaller('HTTP/1.1', this.site)
        : (this.kept ??= newCaller(this.connection, this.site));
    try {
      const call = {
        path,
        ...(headers && { headers }),
        ...(method === 'POST' && ({ method, body: body ?? '' } as const)),
      };
      const answer = await Promise.race([caller.call(call), sleep(ANSWER_LIMIT_MS, undefined, { ref: false })]);
      if (answer === undefined) throw new Error('There is no answer');
      // A proxy's own answer is not JSON.
      const isJson = String(answer.headers['content-type']).includes('json');
      return { status: answer.status, headers: headersOf(answer.headers), text: isJson ? answer.text : '{}' };
    } finally {
      if (this.connection === 'anew') caller.close();
    }
  }
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) all.set(name, String(value));
  }
  return all;
}
