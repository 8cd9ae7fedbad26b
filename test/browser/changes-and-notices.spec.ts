import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { postAs } from '../contract/finance-calls.js';
import { addedGift } from '../contract/gift-requests.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere, startBrowser, watchedPage } from './browser.js';

/** Screenshots for people to look at; not in the repository. */
const PICTURES = new URL('../../screenshots/console/', import.meta.url).pathname;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

const TREASURER: Login = ['treasurer', 'correct horse battery'];

/** The most keys or clicks that a job may take; typing a value counts with its field. */
const MOST_ACTIONS = 6;

(chromiumIsThere ? describe : describe.skip)('changes and notices in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let browser: Browser;
  let host: string;
  let notice: number;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    // Without workers: the deliveries are added here, and nothing is sent.
    service = await startTestApp({ CHURCH_NAME: 'Grace Community Church', SMTP_URL: 'smtp://192.0.2.1:587' });
    await service.createUser(...TREASURER, ['Finance'], 'treasurer@example.org');
    notice = await fillBooks();
    host = `127.0.0.1:${(service.app.getHttpServer().address() as AddressInfo).port}`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  /** A renamed fund, and a reversal whose notice was given up. @returns the id of the notice. */
  async function fillBooks(): Promise<number> {
    await postAs(service, TREASURER, 'Funds', { Name: 'Building' }).expect(200);
    const { ContributionId } = await addedGift(service, { Amount: '1234.50' });
    await service.reverse(`${ContributionId}/online`).expect(200);
    await postAs(service, TREASURER, `Contributions/${ContributionId}/reinstate`).expect(200);
    const [row] = await service.database.query<{ id: number }>(
      `INSERT INTO delivery (notice_id, recipient, message_id, status, attempts, last_error)
       SELECT id, 'former@example.org', '<one>', 'failed', 1, '550 5.1.1 No such user here' FROM notice RETURNING id`,
    );
    return row?.id ?? 0;
  }

  async function openConsole(width: number, options: object = {}): ReturnType<typeof watchedPage> {
    const watched = await watchedPage(browser, host, width, 900, options);
    await watched.page.goto(`http://${host}/console`);
    await watched.page.fill('[name=username]', TREASURER[0]);
    await watched.page.fill('[name=password]', TREASURER[1]);
    await watched.page.keyboard.press('Enter');
    await watched.page.waitForURL(`http://${host}/console`);
    return watched;
  }

  async function expectGood(page: Page, width: number): Promise<void> {
    await page.evaluate(AXE);
    const options = JSON.stringify({ runOnly: { type: 'tag', values: RULES } });
    const found = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
    expect(found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }

  /** The keyboard of a person, which counts what the person does. */
  function keyboardOf(page: Page): {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    count: number;
  } {
    const keyboard = {
      count: 0,
      press: async (key: string) => {
        keyboard.count++;
        for (const one of key.split(' ')) await page.keyboard.press(one);
      },
      type: (text: string) => page.keyboard.type(text),
    };
    return keyboard;
  }

  it.each(['light', 'dark'].flatMap((scheme) => [320, 768, 1280].map((width) => [scheme, width] as const)))(
    'are accessible and fit, %s and %i pixels wide',
    async (colorScheme, width) => {
      const { page, complaints } = await openConsole(width, { colorScheme });
      for (const [name, path] of [
        ['changes', 'changes'],
        ['changes-none', 'changes?actor=nobody'],
        ['notices', 'notices'],
        ['notices-none', 'notices?status=sent'],
        ['notice', `notices/${notice}`],
      ] as const) {
        await page.goto(`http://${host}/console/${path}`);
        expect(await page.locator('h1').count()).toBe(1);
        await expectGood(page, width);
        await page.screenshot({ path: `${PICTURES}${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  it('job: who changed what? The treasurer looks up who gave a gift back', async () => {
    const { page } = await openConsole(1280);
    const keys = keyboardOf(page);
    await keys.press('g c');
    await page.waitForURL('**/console/changes');
    await keys.press('/');
    await keys.type('gift 1');
    await keys.press('Enter');
    await page.waitForURL('**/console/changes?subject=gift+1**');
    const row = page.locator('.rows tbody tr').first();
    expect(await row.innerText()).toContain('gave back what a reversal had taken');
    expect(await row.innerText()).toContain('treasurer');
    await keys.press('j');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('gift 1');
    expect(keys.count).toBeLessThanOrEqual(MOST_ACTIONS);
    await page.context().close();
  });

  it('job: why was a notice not sent? The treasurer reads the reason, and tries again', async () => {
    const { page } = await openConsole(1280);
    const keys = keyboardOf(page);
    await keys.press('g n');
    await page.waitForURL('**/console/notices');
    await keys.press('j');
    await keys.press('Enter');
    await page.waitForURL(`**/console/notices/${notice}`);
    expect(await page.locator('main').innerText()).toContain('The address does not exist.');
    await keys.press('t');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').innerText()).toContain(`Notice ${notice} is tried again`);
    expect(keys.count).toBeLessThanOrEqual(MOST_ACTIONS);
    await page.context().close();
  });
});
