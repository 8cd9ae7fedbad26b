import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { ParcelModule } from '../support/parcel-pages.js';
import { gift, type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere, startBrowser, watchedPage } from './browser.js';

/** Screenshots for people to look at; not in the repository. */
const PICTURES = new URL('../../screenshots/console/', import.meta.url).pathname;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

const TREASURER: Login = ['treasurer', 'correct horse battery'];
const WIDTHS = [320, 768, 1280];
const SCHEMES = ['light', 'dark'] as const;

/** Pages with a name for their pictures. */
const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['home', '/console'],
  ['account', '/console/account'],
  ['list', '/console/parcels'],
  ['empty-list', '/console/parcels?none=1'],
  ['form', '/console/parcels/new'],
  ['confirmation', '/console/parcels/7/open'],
  ['not-found', '/console/nothing-here'],
];

(chromiumIsThere ? describe : describe.skip)('the console in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let browser: Browser;
  let host: string;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    const settings = { CHURCH_NAME: 'Grace Community Church', CHURCH_TIME_ZONE: 'America/Chicago' };
    service = await startTestApp(settings, { modules: [{ module: ParcelModule }] });
    await service.createUser(...TREASURER, ['Finance']);
    await fillBooks();
    host = `127.0.0.1:${(service.app.getHttpServer().address() as AddressInfo).port}`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  /** Gifts of twelve months, reviews, and a bundle that waits to be closed. */
  async function fillBooks(): Promise<void> {
    const [now] = await service.database.query<{ months: string[] }>(
      `SELECT ARRAY(SELECT to_char(now() - make_interval(months => m), 'YYYY-MM-"01"') FROM generate_series(0, 11) m) AS months`,
    );
    for (const [index, month] of (now?.months ?? []).entries()) {
      const fields = { Date: month, Amount: String(1200 + ((index * 7919) % 2300)) };
      await service.add(gift(index, fields)).expect(200);
      await service.add(gift(`other ${index}`.replace(' ', ''), fields)).expect(200);
    }
    await service.database.query(`
      INSERT INTO review (contribution_id, reasons) SELECT id, '{deceased}' FROM contribution ORDER BY id LIMIT 3
      ON CONFLICT DO NOTHING;
      INSERT INTO bundle (bundle_type_id, user_id, day) VALUES (1, 1, '2026-01-01')`);
  }

  const visit = async (width: number, options: object = {}): ReturnType<typeof watchedPage> =>
    watchedPage(browser, host, width, 900, options);

  async function logIn(page: Page): Promise<void> {
    await page.goto(`http://${host}/console`);
    // The first field has the focus by itself.
    await page.waitForFunction(`document.activeElement.name === 'username'`);
    await page.keyboard.type(TREASURER[0]);
    await page.keyboard.press('Tab');
    await page.keyboard.type(TREASURER[1]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`http://${host}/console`);
  }

  /** What axe-core finds: the rule and the element, one line each. */
  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(AXE);
    const options = JSON.stringify({ runOnly: { type: 'tag', values: RULES } });
    const found = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  async function expectGood(page: Page, width: number): Promise<void> {
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }

  it.each(SCHEMES.flatMap((scheme) => WIDTHS.map((width) => [scheme, width] as const)))(
    'is accessible and fits, %s and %i pixels wide',
    async (colorScheme, width) => {
      const { page, complaints } = await visit(width, { colorScheme });
      const picture = (name: string): Promise<unknown> =>
        page.screenshot({ path: `${PICTURES}${name}-${width}-${colorScheme}.png`, fullPage: true });
      for (const [name, path] of [
        ['front', '/'],
        ['login', '/console/login'],
      ] as const) {
        await page.goto(`http://${host}${path}`);
        await expectGood(page, width);
        await picture(name);
      }
      await page.fill('[name=username]', 'somebody');
      await page.fill('[name=password]', 'a wrong password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await expectGood(page, width);
      await picture('login-refused');
      expect(complaints.filter((line) => !line.includes('403'))).toEqual([]);
      await logIn(page);
      for (const [name, path] of PAGES) {
        await page.goto(`http://${host}${path}`);
        expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
        await expectGood(page, width);
        await picture(name);
      }
      await page.goto(`http://${host}/console/parcels/new`);
      await page.fill('[name=Name]', 'longer than ten');
      await page.evaluate(`document.querySelector('main form').noValidate = true`);
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('alert').waitFor();
      await expectGood(page, width);
      await picture('form-refused');
      await page.keyboard.press('Escape');
      await page.locator('#show-keys').click();
      await expectGood(page, width);
      await picture('keys');
      expect(complaints.filter((line) => !/status of (400|403|404)/.test(line))).toEqual([]);
      await page.context().close();
    },
  );

  it('is used with the keyboard alone: logging in, moving around, the list of keys, changing the password, logging out', async () => {
    const { page, complaints } = await visit(1280);
    await logIn(page);
    const heading = (): Promise<string> => page.locator('h1').innerText();
    expect(await heading()).toBe('Home');

    await page.keyboard.press('g');
    await page.keyboard.press('z');
    await page.waitForURL('**/console/parcels');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('alert(1)');
    await page.keyboard.press('/');
    await page.keyboard.type('cg?');
    expect(await page.inputValue('[name=Name]')).toBe('cg?');
    await page.keyboard.press('Tab');
    await page.keyboard.press('?');
    expect(await page.locator('#keys-list').innerText()).toContain('Add a parcel');
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await page.waitForURL('**/console/parcels/new');

    // The first element is the way past the navigation.
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.name')).toBe('Name');

    await page.goto(`http://${host}/console`);
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.waitForURL('**/console/account');
    await page.locator('[name=presentPassword]').focus();
    for (const text of [TREASURER[1], 'another horse battery', 'another horse battery']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').innerText()).toContain('Your password was changed.');
    await page.locator('.user button[type=submit]').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/login?loggedOut=1');
    expect(complaints).toEqual([]);

    // The password is as before for the other tests.
    await page.goto(`http://${host}/console/account`);
    await page.fill('[name=username]', TREASURER[0]);
    await page.fill('[name=password]', 'another horse battery');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/account');
    await page.fill('[name=presentPassword]', 'another horse battery');
    await page.fill('[name=newPassword]', TREASURER[1]);
    await page.fill('[name=repeatedPassword]', TREASURER[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    await page.context().close();
  });

  it('leaves single keys alone once they are switched off, in every page of this browser', async () => {
    const { page } = await visit(1280);
    await logIn(page);
    await page.locator('#show-keys').click();
    await page.locator('#keys-on').uncheck();
    await page.keyboard.press('Escape');
    await page.goto(`http://${host}/console/parcels`);
    for (const key of ['c', '?', 'j']) await page.keyboard.press(key);
    expect(new URL(page.url()).pathname).toBe('/console/parcels');
    expect(await page.locator('#keys').isVisible()).toBe(false);
    await page.locator('#show-keys').click();
    await page.locator('#keys-on').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await page.waitForURL('**/console/parcels/new');
    await page.context().close();
  });

  it('works without JavaScript', async () => {
    const { page, complaints } = await visit(768, { javaScriptEnabled: false });
    await page.goto(`http://${host}/console/parcels/new`);
    await page.fill('[name=username]', TREASURER[0]);
    await page.fill('[name=password]', TREASURER[1]);
    await page.click('main button');
    await page.waitForURL('**/console/parcels/new');
    expect(await page.locator('#show-keys').isVisible()).toBe(false);
    await page.fill('[name=Name]', 'a chair');
    await page.click('main button');
    await page.waitForURL('**/console/parcels?none=1&**');
    expect(await page.locator('.message').innerText()).toContain('treasurer added parcel');
    await page.click('.user button[type=submit]');
    await page.waitForURL('**/console/login?loggedOut=1');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('prints without the navigation', async () => {
    const { page } = await visit(1280);
    await logIn(page);
    await page.emulateMedia({ media: 'print' });
    await page.goto(`http://${host}/console/parcels`);
    expect(await page.locator('.banner').isVisible()).toBe(false);
    expect(await page.locator('.rows').isVisible()).toBe(true);
    for (const format of ['Letter', 'A4'] as const)
      expect((await page.pdf({ format, path: `${PICTURES}list-${format}.pdf` })).length).toBeGreaterThan(1_000);
    await page.context().close();
  });
});
