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
