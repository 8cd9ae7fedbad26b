import { expect, it } from '@jest/globals';
import { formTokenOf } from '../support/console.js';
import { noteSecret } from '../support/kept-logs.js';
import { gift, type Login, ROLES } from '../support/test-app.js';
import { callExpecting, hostOf } from './callers.js';
import { basic, bodyOf, describeBehindProxies, JSON_TYPE, KB, PROCESSOR, type Stage, TREASURER } from './stage.js';

/** The rows of a bundle whose export takes a while. */
const ROWS = 20_000;

/** With the three roles; it adds only the gifts of that bundle. */
const EAGER: Login = ['eager', 'thousands of gifts at once'];
let largeBundleId: number | undefined;

/** nginx itself answers 100, because it receives the body before it calls the service. */
const ANSWERS_100_ITSELF = ['nginx'];

describeBehindProxies(
  (stage) => {
    it('Expect: 100-continue gets 100 only with valid credentials', async () => {
      const { path, ...call } = stage.addition();
      const target = stage.base + path;
      expect(await callExpecting(stage.site, { ...call, path: target })).toMatchObject({
        continued: true,
        status: 200,
      });
      const strange = { ...call, path: target, headers: { ...JSON_TYPE, ...basic(['nobody', 'has this password']) } };
      expect(await callExpecting(stage.site, strange)).toMatchObject({
        continued: ANSWERS_100_ITSELF.includes(stage.kind.name),
        status: 401,
      });
    });

    it('a batch of 1 MB is recorded', async () => {
      const Gifts = Array.from({ length: 85 }, (_, i) =>
        gift(`batch${i}`, {
          Notes: '\u{AC00}'.repeat(3_900),
          Source: stage.kind.name,
          TransactionId: `${stage.base}${i}`,
        }),
      );
      const body = JSON.stringify({ Gifts });
      expect(Buffer.byteLength(body)).toBeGreaterThan(1_000_000);
      const headers = { ...JSON_TYPE, ...basic(PROCESSOR) };
      const answer = await stage.call('HTTP/2', { method: 'POST', path: '/Api/AddContributions', headers, body });
      expect(answer.status).toBe(200);
      expect((bodyOf(answer)['Results'] as { Status: number }[]).map(({ Status }) => Status)).toEqual(
        Array(85).fill(200),
      );
    });

    it('a body that is too long gets 413', async () => {
      const answer = await stage.call('HTTP/2', stage.addition({ Notes: 'x'.repeat(65 * KB) }));
      expect([answer.status, bodyOf(answer)['code']]).toEqual([413, 'payload_too_large']);
      const chunked = { ...stage.addition({ Notes: 'x'.repeat(65 * KB) }) };
      const sent = { ...chunked, headers: { ...chunked.headers, 'Transfer-Encoding': 'chunked' } };
      expect((await stage.call('HTTP/1.1', sent)).status).toBe(413);
      const long = { ...stage.addition(), body: Buffer.alloc(23_000 * KB, ' ') };
      expect((await stage.call('HTTP/2', long)).status).toBe(413);
    });

    it('a file of 15 MB is taken', async () => {
      const row = `2026-11-01,10.00,Ann,Lee,ann@example.org,901-555-0101,${'x'.repeat(900)}\r\n`;
      const file = `Date,Amount,First,Last,Email,Phone,Notes\r\n${row.repeat(15_000)}`;
      const headers = { 'Content-Type': 'text/csv', ...basic(TREASURER) };
      const path = '/Api/Imports?user=api';
      expect(await stage.call('HTTP/2', { method: 'POST', path, headers, body: file })).toMatchObject({ status: 200 });
    });

    it('a long download arrives whole, and its beginning before its end is made', async () => {
      const bundleId = await largeBundle(stage);
      const path = `/Api/Bundles/${bundleId}/export`;
      const download = await stage.call('HTTP/2', { path, headers: basic(TREASURER) });
      expect(download.status).toBe(200);
      expect(download.text.trimEnd().split('\r\n')).toHaveLength(1 + ROWS);
      expect(download.firstByte).toBeLessThan(0.7 * download.lastByte);
    });

    it('a treasurer logs in to the console', async () => {
      const browser = stage.open('HTTP/2');
      const origin = `https://${hostOf(stage.site)}`;
      const login = `${stage.base}/console/login`;
      const send = (Origin: string): ReturnType<typeof browser.call> =>
        browser.call({
          method: 'POST',
          path: login,
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin },
          body: new URLSearchParams({ username: TREASURER[0], password: TREASURER[1] }).toString(),
        });
      expect((await browser.call({ path: login })).status).toBe(200);
      expect((await send('https://elsewhere.example')).status).toBe(403);
      const answer = await send(origin);
      const [cookie = ''] = answer.headers['set-cookie'] ?? [];
      expect([answer.status, cookie]).toEqual([303, expect.stringMatching(/^__Host-offertory=.*; HttpOnly; Secure/)]);
      const headers = { Cookie: cookie.split(';')[0] ?? '' };
      const account = await browser.call({ path: `${stage.base}/console/account`, headers });
      expect([account.status, formTokenOf(account.text)]).toEqual([200, expect.stringMatching(/./)]);
    });
  },
  async (run) => {
    noteSecret(EAGER[1]);
    await run(['user', 'create', EAGER[0], '--roles', ROLES.join(), '--password-stdin'], EAGER[1]);
  },
);

/** The bundle with {@link ROWS} gifts, which is the only one of its user. @returns its id. */
async function largeBundle(stage: Stage): Promise<number> {
  if (largeBundleId !== undefined) return largeBundleId;
  const answer = await stage.call('HTTP/2', stage.addition({}, basic(EAGER)));
  const [row] = await stage.database.query<{ bundle_id: number }>(
    `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
       giver_first, giver_last, giver_email, giver_phone, created_by)
     SELECT person_id, n, 'USD', given_at, day, fund_id, bundle_id, contribution_type_id, giver_first, giver_last,
       giver_email, giver_phone, created_by FROM contribution, generate_series(1, ${ROWS - 1}) n WHERE id = $1
     RETURNING bundle_id`,
    [bodyOf(answer)['ContributionId']],
  );
  largeBundleId = row?.bundle_id;
  return largeBundle(stage);
}
