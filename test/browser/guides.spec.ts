import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { GUIDES } from '../../src/guides/guides.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere } from './browser.js';
import { COLOUR_SCHEMES, ConsoleInBrowser, expectGoodPage } from './console-in-browser.js';

(chromiumIsThere ? describe : describe.skip)('the guides in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let developer: ConsoleInBrowser;

  beforeAll(async () => {
    service = await startTestApp({ CHURCH_NAME: 'Grace Community Church', CHURCH_TIME_ZONE: 'America/Chicago' });
    developer = await ConsoleInBrowser.open(service);
  });
  afterAll(async () => {
    await developer.close();
    await service.stop();
  });

  it.each(COLOUR_SCHEMES)('are accessible and fit at all widths, %s', async (colorScheme) => {
    const { page, complaints } = await developer.visit(1280, { colorScheme });
    for (const path of ['/guides', ...GUIDES.map(({ name }) => `/guides/${name}`), '/guides/unknown']) {
      await page.goto(developer.url(path));
      await expectGoodPage(page, path.slice(1).replace('/', '-'), colorScheme);
    }
    expect(complaints.filter((line) => !line.includes('status of 404'))).toEqual([]);
    await page.context().close();
  });

  it('scroll wide code and wide tables with the keyboard, within a narrow page', async () => {
    const { page } = await developer.visit(320);
    for (const [path, wide] of [
      ['/guides/integrating', '.guide pre'],
      ['/guides/webhooks', '.scrolls:has-text("After attempt")'],
    ] as const) {
      await page.goto(developer.url(path));
      await page.locator(wide).first().focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction('document.activeElement.scrollLeft > 0');
    }
    await page.context().close();
  });

  it('work without JavaScript: a developer goes from the API to a guide, and by its contents to a heading', async () => {
    const { page, complaints } = await developer.visit(768, { javaScriptEnabled: false });
    await page.goto(developer.url('/'));
    await page.getByRole('link', { name: 'The guides' }).click();
    await page.getByRole('link', { name: 'Integrating', exact: true }).click();
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Reverse a gift' }).click();
    expect(new URL(page.url()).hash).toBe('#reverse-a-gift');
    await page.getByRole('heading', { name: 'Reverse a gift' }).waitFor();
    await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Errors' }).click();
    await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('are printed with all of their code, and without the lists of links', async () => {
    const { page } = await developer.visit();
    await page.goto(developer.url('/guides/integrating'));
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Guides' }).isVisible()).toBe(false);
    await page.setViewportSize({ width: 640, height: 900 });
    expect(await cutOff(page)).toEqual([]);
    await developer.print(page, 'guide');
    await page.context().close();
  });

  /** The beginnings of code and tables that are wider than the page. */
  function cutOff(page: Page): Promise<string[]> {
    return page.evaluate<string[]>(`
      [...document.querySelectorAll('.guide pre, .guide table')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth)
        .map((one) => one.textContent.slice(0, 60))`);
  }
});
