import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { TEST_MODE } from '../support/mode.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere } from './browser.js';
import { COLOUR_SCHEMES, ConsoleInBrowser, violations } from './console-in-browser.js';

const BANNER = 'Test system.';

(chromiumIsThere ? describe : describe.skip)('a test system in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let visitors: ConsoleInBrowser;

  beforeAll(async () => {
    service = await startTestApp(TEST_MODE);
    visitors = await ConsoleInBrowser.open(service);
    await addedGift(service, {});
  });
  afterAll(async () => {
    await visitors.close();
    await service.stop();
  });

  it.each(COLOUR_SCHEMES)('has accessible pages with a banner at all widths, %s', async (colorScheme) => {
    await visitors.expectGoodPages(colorScheme, [
      ['test-system-home', '/console'],
      ['test-system-gift', '/console/gifts/1'],
      ['test-system-missing', '/console/gifts/2000000001'],
    ]);
  });

  it.each(['/', '/console/login', '/docs'])('shows the banner above everything at %s, also on paper', async (path) => {
    for (const colorScheme of COLOUR_SCHEMES) {
      const { page, complaints } = await visitors.visit(1280, { colorScheme });
      await page.goto(visitors.url(path));
      const banner = page.getByRole('region', { name: 'Test system' });
      await banner.waitFor();
      if (path === '/docs') await page.locator('.opblock').first().waitFor();
      expect(await banner.innerText()).toContain(BANNER);
      expect(await violations(page)).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      expect(await banner.isVisible()).toBe(true);
      expect((await banner.boundingBox())?.y).toBeLessThan(100);
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  it('shows the banner on paper within the console, where the navigation is left out', async () => {
    const { page } = await visitors.logIn();
    await page.goto(visitors.url('/console/gifts/1'));
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(BANNER).isVisible()).toBe(true);
    expect(await page.locator('header.banner').isVisible()).toBe(false);
    await page.context().close();
  });
});
