import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RawAnswer, RawConnection } from '../support/raw-http.js';
import { SECURITY_HEADERS } from '../support/security-headers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

const port = (): number => (service.app.getHttpServer().address() as AddressInfo).port;

/** Sends these lines unchanged. @returns the answer with its parsed body. */
async function send(...lines: readonly string[]): Promise<RawAnswer & { readonly body: Record<string, unknown> }> {
  const answer = await new RawConnection(port()).exchange(lines.join('\r\n'), { last: true });
  if (answer === undefined) throw new Error('The connection was closed without an answer');
  return { ...answer, body: JSON.parse(answer.text) as Record<string, unknown> };
}

const authorization = (): string => `Authorization: Basic ${Buffer.from(service.login.join(':')).toString('base64')}`;
const WRONG = `Authorization: Basic ${Buffer.from('api:guessed').toString('base64')}`;
const JSON_TYPE = 'Content-Type: application/json';

/** Sends the first bytes, and the others once an answer has begun. @returns all that the service sends until it closes. */
async function converse(first: string, afterwards = ''): Promise<string> {
  const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  let answer = '';
  socket.on('data', (data) => {
    if (answer === '' && afterwards !== '') socket.write(afterwards);
    answer += String(data);
  });
  socket.once('end', () => socket.end());
  socket.write(first);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

it('an answer has exactly these headers', async () => {
  const { headers } = await send('GET /health/live HTTP/1.1', 'Host: x', '', '');
  expect([...headers.keys()]).toEqual([
    'x-request-id',
    ...Object.keys(SECURITY_HEADERS),
    ...['content-type', 'content-length', 'date', 'connection', 'keep-alive'],
  ]);
});

it('a request with too large headers gets the usual headers and a problem document', async () => {
  const { status, headers, body } = await send('GET /health/live HTTP/1.1', `X: ${'x'.repeat(20_000)}`, '', '');
  expect(status).toBe(431);
  expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS);
  expect(body).toMatchObject({ status: 431, instance: headers.get('x-request-id') });
});

describe('the body of a caller without valid credentials', () => {
  const head = (...lines: string[]): string =>
    ['POST /Api/AddContribution HTTP/1.1', 'Host: x', JSON_TYPE, ...lines, '', ''].join('\r\n');

  it.each([
    ['without an end', 'Transfer-Encoding: chunked', `10000\r\n${'x'.repeat(65_536)}\r\n`],
    ['with a large Content-Length', 'Content-Length: 100000000000', 'x'.repeat(65_536)],
  ])('%s is cut off after the answer', async (_what, length, chunk) => {
    // It goes on to send although the service has closed its side.
    const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    socket.write(head(length));
    const began = performance.now();
    const send = (): void => {
      if (socket.writable) socket.write(chunk, () => setTimeout(send, 1));
    };
    send();
    await new Promise((resolve) => socket.once('close', resolve));
    // Node's own limit is 30 seconds after the beginning of the request.
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('that has arrived leaves the connection open', async () => {
    const connection = new RawConnection(port());
    const body = JSON.stringify({ First: 'x'.repeat(1_000) });
    const refused = await connection.exchange(head(WRONG, `Content-Length: ${body.length}`) + body);
    expect([refused?.status, refused?.headers.get('connection')]).toEqual([401, 'keep-alive']);
    const socket = connection.current();
    // Longer than a body may take after the answer.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const accepted = await connection.exchange(`GET /Api/Funds HTTP/1.1\r\nHost: x\r\n${authorization()}\r\n\r\n`);
    expect(accepted?.status).toBe(200);
    expect(connection.current()).toBe(socket);
    connection.close();
  });

  it.each(['Content-Length: 60000', 'Transfer-Encoding: chunked'])(
    'that has not arrived closes the connection after the answer, and nothing behind it is handled: %s',
    async (length) => {
      const gift = JSON.stringify({ First: 'A', Last: 'Behind', Email: 'a@example.org', Phone: '1', Amount: 1 });
      const next = [
        'POST /Api/AddContribution HTTP/1.1',
        'Host: x',
        authorization(),
        JSON_TYPE,
        `Content-Length: ${gift.length}`,
      ];
      const isChunked = length.startsWith('Transfer');
      const part = 'x'.repeat(30_000);
      const [first, rest] = isChunked ? [`7530\r\n${part}\r\n`, `7530\r\n${part}\r\n0\r\n\r\n`] : [part, part];
      const answer = await converse(head(WRONG, length) + first, rest + [...next, '', gift].join('\r\n'));
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).toMatch(/\r\nConnection: close\r\n/);
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
      const stored = await service.database.query("SELECT FROM contribution WHERE giver_last = 'Behind'");
      expect(stored).toEqual([]);
    },
  );

  it('of 3 MB does not cost it the answer', async () => {
    const answer = await converse(head('Content-Length: 3000000') + 'x'.repeat(3_000_000));
    expect(answer).toMatch(/^HTTP\/1\.1 401 .*"code":"unauthenticated"/s);
  });
});

describe('Expect: 100-continue', () => {
  const head = (...lines: string[]): string =>
    ['POST /Api/AddContribution HTTP/1.1', 'Host: x', JSON_TYPE, 'Expect: 100-continue', ...lines, '', ''].join('\r\n');

  it.each([
    ['the refusal of credentials', 401, () => [WRONG, 'Content-Length: 60']],
    ['the refusal of a body that is too long', 413, () => [authorization(), 'Content-Length: 10000000']],
    ['the refusal of a type', 415, () => [authorization(), 'Content-Type: text/plain', 'Content-Length: 60']],
  ])('gets no 100 before %s', async (_what, status, lines) => {
    const request = head(...lines());
    const answer = await converse(status === 415 ? request.replace(`${JSON_TYPE}\r\n`, '') : request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\nConnection: close\r\n`, 's'));
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('gets 100 with valid credentials, and then the answer to the body', async () => {
    const gift = JSON.stringify({ First: 'A', Last: 'Asked', Email: 'a@example.org', Phone: '1', Amount: 1 });
    const answer = await converse(head(authorization(), 'Connection: close', `Content-Length: ${gift.length}`), gift);
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });
});

describe('unusual HTTP', () => {
  it('a request without Host gets a problem document', async () => {
    const { status, headers, body } = await send('POST /Api/AddContribution HTTP/1.1', 'Connection: close', '', '');
    expect(status).toBe(401);
    expect(headers.get('x-request-id')).toMatch(/./);
    expect(body).toMatchObject({ code: 'unauthenticated' });
  });

  it('an unknown Expect header is ignored', async () => {
    const { status, body } = await send(
      'GET /health/live HTTP/1.1',
      'Host: x',
      'Expect: the-unexpected',
      'Connection: close',
      '',
      '',
    );
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ok' });
  });

  it('a body with a too large Content-Length is refused before it is sent', async () => {
    const { status, body } = await send(
      'POST /Api/AddContribution HTTP/1.1',
      'Host: x',
      authorization(),
      JSON_TYPE,
      'Content-Length: 10000000',
      '',
      '{',
    );
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'payload_too_large' });
  });

  it('data that is not HTTP gets a problem document with a request id and the usual headers', async () => {
    const { status, headers, body } = await send('NOT HTTP AT ALL', '', '');
    expect(status).toBe(400);
    expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS);
    expect(body).toMatchObject({ code: 'invalid_request', status: 400, instance: headers.get('x-request-id') });
  });

  it.each(['http://[::1', 'nonsense', '*'])('an invalid request target gets a problem document: %s', async (target) => {
    const { status, headers, body } = await send(`POST ${target} HTTP/1.1`, 'Host: x', 'Content-Length: 0', '', '');
    expect(status).toBe(400);
    expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS);
    expect(body).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it('an interrupted upload stores nothing and does not harm the service', async () => {
    const countGifts = async (): Promise<number> =>
      Number((await service.database.query<{ count: string }>('SELECT count(*) FROM contribution'))[0]?.count);
    const before = await countGifts();
    const socket = connect(port(), '127.0.0.1');
    const lines = [
      'POST /Api/AddContribution HTTP/1.1',
      'Host: x',
      authorization(),
      JSON_TYPE,
      'Content-Length: 500',
      '',
      '{"First":',
    ];
    socket.end(lines.join('\r\n'));
    for await (const chunk of socket) expect(String(chunk)).not.toContain(' 500 ');
    await service.add().expect(200);
    expect(await countGifts()).toBe(before + 1);
  });

  it('a gift followed by bytes that are not HTTP is never answered with 400: it may be recorded', async () => {
    const gift = JSON.stringify({ First: 'A', Last: 'B', Email: 'a@example.org', Phone: '1', Amount: 1 });
    const head = ['POST /Api/AddContribution HTTP/1.1', 'Host: x', authorization(), JSON_TYPE];
    for (let i = 0; i < 20; i++) {
      const socket = connect(port(), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write([...head, `Content-Length: ${gift.length}`, '', gift].join('\r\n'));
      setTimeout(() => socket.write('}\n\0garbage\r\n\r\n'), i / 2);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      expect(answer).toMatch(/^$|^HTTP\/1\.1 200 /);
    }
  });
});
