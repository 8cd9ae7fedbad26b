import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere, startBrowser, watchedPage } from './browser.js';

/** Screenshots for people to look at; not in the repository. */
const PICTURES = new URL('../../screenshots/', import.meta.url).pathname;

/** A desktop and a phone, with and without BASE_PATH and a trailing slash. */
const VISITS = [
  { name: 'desktop', width: 1280, height: 900, basePath: '', path: '/docs' },
  { name: 'phone', width: 390, height: 844, basePath: '/gifts', path: '/gifts/docs/' },
];

(chromiumIsThere ? describe : describe.skip).each(VISITS)(
  'the page at $path, on a $name (skipped only without Chromium)',
  ({ name, width, height, basePath, path }) => {
    let service: TestApp;
    let browser: Browser;

    beforeAll(async () => {
      mkdirSync(PICTURES, { recursive: true });
      service = await startTestApp(basePath === '' ? {} : { BASE_PATH: basePath });
      browser = await startBrowser();
    });
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    it('accepts credentials, sends a real gift, and sends no requests to other hosts', async () => {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const host = `127.0.0.1:${port}`;
      const { page, complaints } = await watchedPage(browser, host, width, height);
      const picture = (what: string): Promise<unknown> =>
        page.screenshot({ path: `${PICTURES}${name}-${what}.png`, fullPage: true });

      await page.goto(`http://${host}${path}`);
      await page.locator('.opblock').first().waitFor();
      expect(await page.title()).toBe('Offertory');
      expect(await page.locator('.opblock-summary-path').allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringMatching(/AddContribution/)]),
      );
      await picture('1-opened');

      await authorize(page, service.login);
      const operation = page.locator('#operations-Gifts-AddContribution');
      await operation.locator('.opblock-summary-control').click();
      await operation
        .getByRole('button', { name: 'Schema', exact: true })
        .or(operation.getByRole('tab', { name: 'Schema', exact: true }))
        .first()
        .click();
      await operation.getByText('The giver’s first name.').waitFor();
      await picture('2-fields');
      await operation.getByRole('button', { name: 'Try it out' }).click();
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

      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(complaints).toEqual([]);
    });
  },
);

async function authorize(page: Page, [username, password]: readonly [string, string]): Promise<void> {
  await page.locator('button.authorize').first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByLabel('Username').fill(username);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
}
