import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;

/** When a connection ended, and what the service sent. */
interface Ending {
  readonly seconds: number;
  readonly answer: string;
}

/** Both wait at the same time, because the limits are long. */
let headerEnding: Promise<Ending>;
let bodyEnding: Promise<Ending>;

beforeAll(async () => {
  service = await startTestApp();
  const authorization = `Authorization: Basic ${Buffer.from(service.login.join(':')).toString('base64')}`;
  headerEnding = endingOf('POST /Api/AddContribution HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  bodyEnding = endingOf(
    ['POST /Api/AddContribution HTTP/1.1', 'Host: x', authorization, 'Content-Type: application/json'].join('\r\n') +
      '\r\nContent-Length: 1000\r\n\r\n{"First":"',
  );
});
afterAll(() => service.stop());

/** Sends these bytes, then one more each second, until the service closes the connection or the test gives up. */
function endingOf(bytes: string): Promise<Ending> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const began = performance.now();
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  socket.write(bytes);
  const drip = setInterval(() => socket.write('x'), 1_000);
  const end = setTimeout(() => socket.destroy(), 50_000);
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearInterval(drip);
      clearTimeout(end);
      resolve({ seconds: (performance.now() - began) / 1_000, answer });
    });
  });
}

it('the header of a request must arrive within 20 seconds, even if it grows', async () => {
  const { seconds, answer } = await headerEnding;
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(seconds).toBeGreaterThanOrEqual(20);
  expect(seconds).toBeLessThan(29);
});

it('a whole request must arrive within 30 seconds, even from a caller with valid credentials', async () => {
  const { seconds } = await bodyEnding;
  expect(seconds).toBeGreaterThanOrEqual(30);
  expect(seconds).toBeLessThan(40);
  expect(await service.database.query('SELECT FROM contribution')).toEqual([]);
});
