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
const JSON_TYPE = 'Content-Type: application/json';

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
    const socket = connect(port(), '127.0.0.1').on('error', () => undefined);
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

  it('with a small Content-Length is read, and the connection stays usable', async () => {
    const connection = new RawConnection(port());
    const body = JSON.stringify({ First: 'x'.repeat(60_000) });
    const wrong = `Authorization: Basic ${Buffer.from('api:guessed').toString('base64')}`;
    const refused = await connection.exchange(head(wrong, `Content-Length: ${body.length}`) + body);
    expect([refused?.status, refused?.headers.get('connection')]).toEqual([401, 'keep-alive']);
    const socket = connection.current();
    // Longer than a body may take after the answer.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const accepted = await connection.exchange(`GET /Api/Funds HTTP/1.1\r\nHost: x\r\n${authorization()}\r\n\r\n`);
    expect(accepted?.status).toBe(200);
    expect(connection.current()).toBe(socket);
    connection.close();
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
    expect(await service.database.query('SELECT count(*) FROM contribution')).toEqual([{ count: '1' }]);
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
