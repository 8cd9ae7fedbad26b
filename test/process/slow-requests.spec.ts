import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addedGift, readBack } from '../contract/gift-requests.js';
import { keptLog } from '../support/kept-logs.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const FINANCE: Login = ['treasurer', 'counts every penny'];
/** Their export is larger than what the kernel keeps for a caller that does not read. */
const ROWS = 100_000;

let service: TestApp;

/** When a connection ended, and what the service sent. */
interface Ending {
  readonly seconds: number;
  readonly answer: string;
}

/** They wait at the same time, because the limits are long. */
let headerEnding: Promise<Ending>;
let bodyEnding: Promise<Ending>;
let unreadEnding: Promise<Ending>;

beforeAll(async () => {
  service = await startTestApp();
  const authorization = `Authorization: Basic ${Buffer.from(service.login.join(':')).toString('base64')}`;
  await service.createUser(...FINANCE, ['Finance']);
  unreadEnding = unread(await largeBundle());
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

/** @returns the id of a bundle. */
async function largeBundle(): Promise<number> {
  const { ContributionId } = await addedGift(service, {});
  const { bundleId } = await readBack(service, ContributionId, FINANCE);
  await service.database.query(
    `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
       giver_first, giver_last, giver_email, giver_phone, created_by)
     SELECT person_id, n, 'USD', given_at, day, fund_id, bundle_id, contribution_type_id, giver_first, giver_last, giver_email, giver_phone, created_by
     FROM contribution, generate_series(2, ${ROWS}) n WHERE id = $1`,
    [ContributionId],
  );
  return bundleId;
}

/** Asks for the export of a bundle and never reads it. */
function unread(bundleId: number): Promise<Ending> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const began = performance.now();
  const authorization = `Authorization: Basic ${Buffer.from(FINANCE.join(':')).toString('base64')}`;
  const head = [`GET /Api/Bundles/${bundleId}/export HTTP/1.1`, 'Host: x', authorization, 'X-Request-Id: unread'];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const isLogged = (): boolean => keptLog().some((line) => line.includes('"requestId":"unread"'));
  return until(isLogged, 80_000)
    .then(() => ({ seconds: (performance.now() - began) / 1_000, answer: '' }))
    .finally(() => socket.destroy());
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
  expect(await service.database.query('SELECT FROM contribution')).toHaveLength(ROWS);
});

it('an answer of which a caller reads nothing for 30 seconds is cut off', async () => {
  const { seconds } = await unreadEnding;
  expect(seconds).toBeGreaterThanOrEqual(30);
  expect(seconds).toBeLessThan(75);
});
