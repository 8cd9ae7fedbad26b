import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { addedGift, readBack } from '../contract/gift-requests.js';
import { freePort } from '../support/free-port.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere, startBrowser, watchedPage } from './browser.js';
import { violations } from './console-in-browser.js';
import { takePicture } from './pictures.js';
import { type ProxyRules, startTestProxy, type TestProxy } from './test-proxy.js';

/** A name of this machine in the browser. */
const NAME = 'books.test';

/** The operation that records a gift. */
const ADDING = '#operations-Gifts-AddContribution';

interface Visit {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly path: string;
  readonly settings: Record<string, string>;
  /** How the proxy in front changes a request; undefined: there is no proxy. */
  readonly proxy?: ProxyRules;
}

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

/** A desktop and a phone, with and without a base path, a trailing slash, and a proxy that changes path and host. */
const VISITS: readonly Visit[] = [
  { name: 'desktop', ...DESKTOP, path: '/docs', settings: {} },
  { name: 'phone', ...PHONE, path: '/gifts/docs/', settings: { BASE_PATH: '/gifts' } },
  {
    name: 'desktop behind a proxy that forwards the host',
    ...DESKTOP,
    path: '/gifts/docs',
    settings: { TRUST_PROXY: '1' },
    proxy: { removedPath: '/gifts', forwardsHost: true },
  },
  {
    name: 'phone behind a proxy that does not forward the host',
    ...PHONE,
    path: '/gifts/docs/',
    settings: { PUBLIC_URL: `http://${NAME}:1/gifts`, BASE_PATH: '/gifts' },
    proxy: { removedPath: '', forwardsHost: false },
  },
];

(chromiumIsThere ? describe : describe.skip).each(VISITS)(
  'the page at $path, on a $name (skipped only without Chromium)',
  ({ name, width, height, path, settings, proxy: rules }) => {
    let service: TestApp;
    let browser: Browser;
    let proxy: TestProxy | undefined;

    beforeAll(async () => {
      // The proxy's port is part of PUBLIC_URL, so it is chosen first.
      const port = await freePort();
      const { PUBLIC_URL: url } = settings;
      service = await startTestApp({
        ...settings,
        ...(url !== undefined && { PUBLIC_URL: url.replace(':1/', `:${port}/`) }),
      });
      proxy = rules && (await startTestProxy(port, portOf(service), rules));
      browser = await startBrowser();
    });
    afterAll(async () => {
      await browser.close();
      await proxy?.stop();
      await service.stop();
    });

    it('accepts credentials, sends a real gift, and sends no requests to other hosts', async () => {
      const host = proxy === undefined ? `127.0.0.1:${portOf(service)}` : `${NAME}:${proxy.port}`;
      const { page, complaints } = await watchedPage(browser, host, width, height);
      const picture = (what: string): Promise<unknown> => takePicture(page, `${name.replaceAll(' ', '-')}-${what}`);

      await page.goto(`http://${host}${path}`);
      await page.locator('.opblock').first().waitFor();
      expect(await page.title()).toBe('Offertory');
      expect(await page.locator('.opblock-summary-path').allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringMatching(/AddContribution/)]),
      );
      await picture('1-opened');
      await page.getByText('A gift or a reversal that you send').waitFor();
      if (rules === undefined) expect(await violations(page)).toEqual([]);

      await authorize(page, service.login);
      const operation = page.locator(ADDING);
      await operation.locator('.opblock-summary-control').click();
      // The schema is shown first; an example is behind a tab.
      await operation.getByText('The giver’s first name.').waitFor();
      await picture('2-fields');
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByText('This changes the books of the church.').waitFor();
      if (rules === undefined) expect(await violations(page, ADDING)).toEqual([]);
      await operation.getByRole('button', { name: 'Execute' }).click();
      const answer = operation.locator('.live-responses-table .response');
      await answer.waitFor();
      await picture('3-gift-sent');

      expect((await answer.locator('.response-col_status').innerText()).trim()).toMatch(/^200/);
      const body = JSON.parse(await answer.locator('.highlight-code code').first().innerText()) as object;
      const gifts = await service.database.query<{ id: number; person_id: number }>(
        'SELECT id, person_id, amount, giver_last FROM contribution',
      );
      expect(gifts).toMatchObject([{ amount: '10.00', giver_last: 'Appleseed' }]);
      expect(body).toMatchObject({ ContributionId: gifts[0]?.id, PeopleId: gifts[0]?.person_id, NewPerson: true });
      if (rules === undefined) expect(await violations(page, ADDING)).toEqual([]);
      await picture('4-answered');

      await operation.locator('.opblock-summary-control').click();
      const preview = page.locator('#operations-Gifts-PreviewContribution');
      await preview.locator('.opblock-summary-control').click();
      await preview.getByRole('button', { name: 'Try it out' }).click();
      await preview.getByRole('button', { name: 'Execute' }).waitFor();
      expect(await preview.getByText('This changes the books of the church.').count()).toBe(0);

      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(complaints).toEqual([]);
    });
  },
);

(chromiumIsThere ? describe : describe.skip)(
  'a page of another origin, over plain HTTP (skipped only without Chromium)',
  () => {
    it('cannot reverse a gift with a form, although the browser sends the password', async () => {
      const service = await startTestApp();
      const browser = await startBrowser();
      // Chromium does not report the credentials that it sends.
      let received: IncomingHttpHeaders = {};
      service.app.getHttpServer().on('request', ({ method, headers }: IncomingMessage) => {
        if (method === 'POST') received = headers;
      });
      const { ContributionId } = await addedGift(service, {});
      const target = `http://${NAME}:${portOf(service)}/Api`;
      const page = await browser.newPage();
      const form = `<form method="post" action="${target}/ReverseContribution/${ContributionId}/evil"></form>`;
      const evil = createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html').end(form);
      }).listen(0, '127.0.0.1');
      try {
        // The browser keeps the credentials of a dialog, or of an address, for later requests to the same directory.
        const [username, password] = service.login.map(encodeURIComponent);
        await page.goto(target.replace('://', `://${username}:${password}@`) + `/Funds`);
        expect((await page.goto(`${target}/Funds`))?.status()).toBe(200);
        await page.goto(`http://evil.test:${(evil.address() as AddressInfo).port}/`);
        const submitted = page.waitForResponse((response) => response.request().method() === 'POST');
        await page.evaluate('document.forms[0].submit()');
        const response = await submitted;
        expect(received).toMatchObject({
          authorization: expect.stringMatching(/^Basic /),
          origin: expect.stringMatching(/^http:\/\/evil\.test:/),
        });
        expect(received).not.toHaveProperty('sec-fetch-site');
        expect(response.status()).toBe(403);
        expect(await readBack(service, ContributionId)).toMatchObject({ status: 'Recorded' });
      } finally {
        evil.close();
        await browser.close();
        await service.stop();
      }
    });
  },
);

function portOf(service: TestApp): number {
  return (service.app.getHttpServer().address() as AddressInfo).port;
}

async function authorize(page: Page, [username, password]: readonly [string, string]): Promise<void> {
  await page.locator('button.authorize').first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByLabel('Username').fill(username);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
}
