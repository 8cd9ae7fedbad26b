import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ParcelModule } from '../support/parcel-pages.js';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere } from './browser.js';
import {
  COLOUR_SCHEMES,
  ConsoleInBrowser,
  expectGoodPage,
  fillLogin,
  type NamedPage,
  TREASURER,
} from './console-in-browser.js';

const PAGES: readonly NamedPage[] = [
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
  let treasurer: ConsoleInBrowser;

  beforeAll(async () => {
    const settings = { CHURCH_NAME: 'Grace Community Church', CHURCH_TIME_ZONE: 'America/Chicago' };
    service = await startTestApp(settings, { modules: [{ module: ParcelModule }] });
    treasurer = await ConsoleInBrowser.open(service);
    await fillBooks();
  });
  afterAll(async () => {
    await treasurer.close();
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

  it.each(COLOUR_SCHEMES)('is accessible and fits at all widths, %s', async (colorScheme) => {
    const { page, complaints } = await treasurer.visit(1280, { colorScheme });
    await page.goto(treasurer.url('/'));
    await expectGoodPage(page, 'front', colorScheme);
    await page.goto(treasurer.url('/console/login'));
    await expectGoodPage(page, 'login', colorScheme);
    await fillLogin(page, ['somebody', 'a wrong password']);
    await page.getByRole('alert').waitFor();
    await expectGoodPage(page, 'login-refused', colorScheme);
    expect(complaints.filter((line) => !line.includes('403'))).toEqual([]);
    await page.context().close();
    await treasurer.expectGoodPages(colorScheme, PAGES);
  });

  it.each(COLOUR_SCHEMES)('a refused form and the list of keys are accessible and fit, %s', async (colorScheme) => {
    const { page, complaints } = await treasurer.logIn(1280, { colorScheme });
    await page.goto(treasurer.url('/console/parcels/new'));
    await page.fill('[name=Name]', 'longer than ten');
    await page.evaluate(`document.querySelector('main form').noValidate = true`);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('alert').waitFor();
    await expectGoodPage(page, 'form-refused', colorScheme);
    await page.locator('#show-keys').click();
    await expectGoodPage(page, 'keys', colorScheme);
    expect(complaints.filter((line) => !line.includes('status of 400'))).toEqual([]);
    await page.context().close();
  });

  it('sends a form once, and again when its page was left and is shown again', async () => {
    const { page } = await treasurer.logIn();
    await page.goto(treasurer.url('/console/parcels/new'));
    const isRefused = (): Promise<boolean> =>
      page.evaluate(`{
        const event = new SubmitEvent('submit', { bubbles: true, cancelable: true });
        document.querySelector('main form').dispatchEvent(event);
        event.defaultPrevented;
      }`);
    expect([await isRefused(), await isRefused(), await isRefused()]).toEqual([false, true, true]);
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    expect([await isRefused(), await isRefused()]).toEqual([false, true]);
    await page.reload();
    await page.fill('[name=Name]', 'Once');
    await page.locator('main form button').click();
    await page.waitForURL('**/console/parcels?**');
    await page.context().close();
  });

  it('says what was done once, and keeps the rest of the address', async () => {
    const { page } = await treasurer.logIn();
    await page.goto(treasurer.url('/console/parcels/new'));
    await page.fill('[name=Name]', 'Said once');
    await page.locator('main form button').click();
    await page.getByRole('status').waitFor();
    await page.waitForURL('**/console/parcels?none=1');
    await page.reload();
    expect(await page.getByRole('status').count()).toBe(0);
    await page.context().close();
  });

  it('ignores that a key is held', async () => {
    const { page } = await treasurer.logIn();
    await page.goto(treasurer.url('/console/parcels'));
    const clicksOf = (isHeld: boolean): Promise<number> =>
      page.evaluate(`{
        let clicks = 0;
        const count = (event) => { clicks++; event.preventDefault(); };
        const link = document.querySelector('[data-hotkey=c]');
        link.addEventListener('click', count);
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', repeat: ${isHeld}, bubbles: true }));
        link.removeEventListener('click', count);
        clicks;
      }`);
    expect([await clicksOf(false), await clicksOf(true)]).toEqual([1, 0]);
    await page.context().close();
  });

  it('is used with the keyboard alone: logging in, moving around, the list of keys, changing the password, logging out', async () => {
    const { page, complaints } = await treasurer.logIn();
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

    await page.goto(treasurer.url('/console'));
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.waitForURL('**/console/account');
    await page.locator('[name=currentPassword]').focus();
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
    await page.goto(treasurer.url('/console/account'));
    await page.fill('[name=username]', TREASURER[0]);
    await page.fill('[name=password]', 'another horse battery');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/account');
    await page.fill('[name=currentPassword]', 'another horse battery');
    await page.fill('[name=newPassword]', TREASURER[1]);
    await page.fill('[name=repeatedPassword]', TREASURER[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    await page.context().close();
  });

  it('leaves single keys alone once they are switched off, in every page of this browser', async () => {
    const { page } = await treasurer.logIn();
    await page.locator('#show-keys').click();
    await page.locator('#keys-on').uncheck();
    await page.keyboard.press('Escape');
    await page.goto(treasurer.url('/console/parcels'));
    expect(await page.locator('.key').filter({ visible: true }).count()).toBe(0);
    for (const key of ['c', '?', 'j']) await page.keyboard.press(key);
    expect(new URL(page.url()).pathname).toBe('/console/parcels');
    expect(await page.locator('#keys').isVisible()).toBe(false);
    await page.locator('#show-keys').click();
    await page.locator('#keys-on').check();
    await page.keyboard.press('Escape');
    expect(await page.locator('.actions .key').first().isVisible()).toBe(true);
    await page.keyboard.press('c');
    await page.waitForURL('**/console/parcels/new');
    await page.context().close();
  });

  it('works without JavaScript', async () => {
    const { page, complaints } = await treasurer.visit(768, { javaScriptEnabled: false });
    await page.goto(treasurer.url('/console/parcels/new'));
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
    const { page } = await treasurer.logIn();
    await page.emulateMedia({ media: 'print' });
    await page.goto(treasurer.url('/console/parcels'));
    expect(await page.locator('.banner').isVisible()).toBe(false);
    expect(await page.locator('.rows').isVisible()).toBe(true);
    await treasurer.print(page, 'list');
    await page.context().close();
  });
});
