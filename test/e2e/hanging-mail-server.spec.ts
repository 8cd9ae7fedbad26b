import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { median } from '../support/client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** Takes connections and never says a word. */
let mailServer: Server;
const open = new Set<Socket>();
let service: TestApp;

beforeAll(async () => {
  mailServer = createServer((socket) => open.add(socket));
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  const { port } = mailServer.address() as AddressInfo;
  service = await startTestApp(
    { SMTP_URL: `smtp://127.0.0.1:${port}`, FINANCE_EMAILS: 'finance@example.org' },
    { workers: true },
  );
});
afterAll(async () => {
  await service.stop();
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => mailServer.close(resolve));
});

it('the median reversal takes under 100 ms while the mail server hangs, and no notice is lost', async () => {
  const reversals = 40;
  const times: number[] = [];
  for (let i = 0; i < reversals; i++) {
    const added = (await service.add().expect(200)).body as { ContributionId: number };
    const begin = performance.now();
    await service.reverse(`${added.ContributionId}/test`).expect(200);
    times.push(performance.now() - begin);
    // From the second on, the workers sit in a mail server that says nothing.
    if (i === 0) await until(() => open.size > 0);
  }
  expect(median(times)).toBeLessThan(100);
  await until(async () => {
    const [row] = await service.database.query<{ pending: string }>(
      "SELECT count(*) AS pending FROM delivery WHERE status = 'pending'",
    );
    return row?.pending === String(reversals);
  });
});
