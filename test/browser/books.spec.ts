import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { gift, type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere, startBrowser, watchedPage } from './browser.js';

/** Screenshots for people to look at; not in the repository. */
const PICTURES = new URL('../../screenshots/console/', import.meta.url).pathname;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const TREASURER: Login = ['treasurer', 'correct horse battery'];
/** The most actions that a job may take. */
const MOST_ACTIONS = 6;

/** Pages with a name for their pictures. */
const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['bundles', '/console/bundles'],
  ['bundles-empty', '/console/bundles?user=nobody'],
  ['bundle', '/console/bundles/1'],
  ['bundle-close', '/console/bundles/1/close'],
  ['funds', '/console/funds'],
  ['fund', '/console/funds/2'],
  ['fund-new', '/console/funds/new'],
  ['totals', '/console/totals?year=2025'],
  ['totals-empty', '/console/totals?year=1999'],
  ['totals-invalid', '/console/totals?year=x'],
  ['reviews', '/console/reviews'],
  ['review-person', '/console/reviews/1'],
  ['review-gift', '/console/reviews/2'],
  ['review-merge', '/console/reviews/1/merge?other=1'],
  ['review-take-back', '/console/reviews/2/take-back'],
];

(chromiumIsThere ? describe : describe.skip)('the books in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let browser: Browser;
  let host: string;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    service = await startTestApp({ CHURCH_NAME: 'Grace Community Church', CHURCH_TIME_ZONE: 'America/Chicago' });
    await service.createUser(...TREASURER, ['Finance']);
    await service.database.query(`INSERT INTO fund (name) VALUES ('Mission'), ('Building and grounds')`);
    await fillBooks();
    host = `127.0.0.1:${(service.app.getHttpServer().address() as AddressInfo).port}`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  /** A person who resembles another one, a gift that was sent twice, gifts of a year in three funds, and four bundles. */
  async function fillBooks(): Promise<void> {
    const ann = { ...gift('e'), Amount: '120.00' };
    await service.add(ann).expect(200);
    await service.add({ ...ann, First: 'Annabel', Amount: '40' }).expect(200);
    const twice = { ...gift('twice'), Amount: '75.50', Method: 'check', CheckNumber: '1042' };
    await service.add(twice).expect(200);
    await service.add(twice).expect(200);
    for (let month = 1; month <= 12; month++) {
      const Date = `2025-${String(month).padStart(2, '0')}-15`;
      const FundId = 1 + (month % 3);
      const fields = { Date, FundId, Amount: String(1_200 + ((month * 7919) % 2300)), BundleTypeId: 1 };
      await service.add(fields).expect(200);
    }
    for (const name of ['txt2give', 'envelopes']) {
      const login = await service.createUser(name, TREASURER[1], ['Developer', 'APIOnly', 'APIWrite']);
      await service.add({ Amount: '12345.67' }, login).expect(200);
    }
    // Those of the year before, and of a phone number that many have.
    await service.database.query(`UPDATE review SET accepted_at = now(), accepted_by = 'treasurer' WHERE id > 2`);
  }

  async function logIn(page: Page): Promise<void> {
    await page.goto(`http://${host}/console`);
    await page.fill('[name=username]', TREASURER[0]);
    await page.fill('[name=password]', TREASURER[1]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`http://${host}/console`);
  }

  async function expectGood(page: Page, name: string, width: number): Promise<void> {
    await page.evaluate(AXE);
    const options = JSON.stringify({ runOnly: { type: 'tag', values: RULES } });
    const found = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
    const violations = found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect([name, violations, scrollWidth <= width, await page.locator('h1').count()]).toEqual([name, [], true, 1]);
  }

  it.each([
    ['light', 320],
    ['light', 1280],
    ['dark', 768],
  ] as const)('pages are accessible and fit, %s and %i pixels wide', async (colorScheme, width) => {
    const { page, complaints } = await watchedPage(browser, host, width, 900, { colorScheme });
    await logIn(page);
    for (const [name, path] of PAGES) {
      await page.goto(`http://${host}${path}`);
      await expectGood(page, name, width);
      await page.screenshot({ path: `${PICTURES}${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
    expect(complaints.filter((line) => !line.includes('status of 400'))).toEqual([]);
    await page.context().close();
  });

  it('print without navigation, on Letter and A4', async () => {
    const { page } = await watchedPage(browser, host, 1280, 900);
    await logIn(page);
    await page.emulateMedia({ media: 'print' });
    for (const name of ['bundle', 'totals'] as const) {
      await page.goto(`http://${host}${PAGES.find(([one]) => one === name)?.[1] ?? ''}`);
      for (const part of ['.banner', '.actions', '.filter'])
        expect(await page.locator(part).filter({ visible: true }).count()).toBe(0);
      expect(await page.locator('.rows').first().isVisible()).toBe(true);
      for (const format of ['Letter', 'A4'] as const)
        expect((await page.pdf({ format, path: `${PICTURES}${name}-${format}.pdf` })).length).toBeGreaterThan(1_000);
    }
    await page.context().close();
  });

  /** The keyboard of somebody at the home page, who has no pointer. Counts the keys that do something, not the typing. */
  async function atKeyboard(): Promise<{ page: Page; go: (keys: string) => Promise<void>; actions: () => number }> {
    const { page } = await watchedPage(browser, host, 1280, 900);
    await logIn(page);
    let count = 0;
    const go = async (keys: string): Promise<void> => {
      count += 1;
      for (const key of keys.split(' ')) await page.keyboard.press(key);
    };
    return { page, go, actions: () => count };
  }

  const message = (page: Page): Promise<string> => page.getByRole('status').innerText();

  it('closes a bundle', async () => {
    const { page, go, actions } = await atKeyboard();
    await go('g b');
    await page.waitForURL('**/console/bundles');
    await go('j');
    await go('Enter');
    await page.waitForURL('**/console/bundles/*');
    await go('c');
    await page.waitForURL('**/close');
    await go('y');
    expect(await message(page)).toMatch(/^Bundle \d+ is closed with 1 of USD 12345\.67\.$/);
    expect(actions()).toBeLessThanOrEqual(MOST_ACTIONS);
    await page.context().close();
  });

  it('closes several bundles', async () => {
    const { page, go, actions } = await atKeyboard();
    await go('g b');
    await page.waitForURL('**/console/bundles');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await go('x');
    await page.keyboard.press('j');
    await go('x');
    await go('c');
    await page.waitForURL('**/console/bundles/close');
    await go('y');
    expect(await message(page)).toMatch(/^2 bundles are closed: \d+, \d+\.$/);
    expect(actions()).toBeLessThanOrEqual(MOST_ACTIONS);
    await page.context().close();
  });

  it('works the review list: one decision after the other', async () => {
    const { page, go, actions } = await atKeyboard();
    await go('g r');
    await page.waitForURL('**/console/reviews');
    await go('j');
    await go('Enter');
    await page.waitForURL('**/console/reviews/1');
    await go('n');
    await page.waitForURL('**/console/reviews/2');
    await go('1');
    await page.waitForURL('**/console/reviews/1?**');
    expect(await message(page)).toMatch(/^Gift \d+ is right as it is\.$/);
    await go('2');
    await page.waitForURL('**/console/reviews?**');
    expect(await message(page)).toMatch(/^Gift \d+ belongs to person \d+ now\.$/);
    expect(await page.locator('main').innerText()).toContain('Nothing left to review.');
    expect(actions()).toBeLessThanOrEqual(MOST_ACTIONS);
    await page.context().close();
  });

  it('shows the totals of a year by fund and month', async () => {
    const { page, go, actions } = await atKeyboard();
    await go('g t');
    await page.waitForURL('**/console/totals');
    await go('/');
    await page.keyboard.type('2025');
    await go('Enter');
    await page.waitForURL('**/console/totals?year=2025');
    expect(await page.locator('h1').innerText()).toBe('Totals 2025');
    expect(await page.locator('.wide tfoot').innerText()).toContain('All funds');
    expect(actions()).toBeLessThanOrEqual(MOST_ACTIONS);
    await page.context().close();
  });

  it('renames a fund', async () => {
    const { page, go, actions } = await atKeyboard();
    await go('g f');
    await page.waitForURL('**/console/funds');
    await page.keyboard.press('j');
    await go('j');
    await go('Enter');
    await page.waitForURL('**/console/funds/2');
    await go('e');
    await page.keyboard.type('Missions');
    await go('Enter');
    expect(await message(page)).toBe('Fund 2 is named Missions now.');
    expect(await page.locator('main').innerText()).toContain('Mission\t');
    expect(actions()).toBeLessThanOrEqual(MOST_ACTIONS);
    await page.context().close();
  });

  it('works without JavaScript: several bundles are ticked and closed', async () => {
    const { page } = await watchedPage(browser, host, 768, 900, { javaScriptEnabled: false });
    const login = await service.createUser('plates', TREASURER[1], ['Developer', 'APIOnly', 'APIWrite']);
    await service.add({ Amount: '5' }, login).expect(200);
    await logIn(page);
    await page.goto(`http://${host}/console/bundles?status=Open`);
    await page.locator('.tick').first().check();
    await page.click('#closing button');
    await page.click('.confirmation button');
    expect(await page.locator('.message').innerText()).toContain('1 bundle is closed');
    await page.context().close();
  });
});
