import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { chromiumIsThere } from './browser.js';
import { COLOUR_SCHEMES, ConsoleInBrowser, expectGoodPage } from './console-in-browser.js';

const FILE = `Given,Family,Mail,Phone,Gift value,Date,Payment Status
Ann,Lee,ann@example.org,901-555-0101,25.00,2026-06-01,Good
Bob,Young,bob@example.org,901-555-0102,1250.50,2026-06-01,Good
Cy,Stone,cy@example.org,901-555-0103,10,2026-06-02,Bounced
Dee,Nobody,,,15,2026-06-02,Good
`;
const PLAIN = `First,Last,Email,Phone,Amount,Date,TransactionId
Eve,Hall,eve@example.org,901-555-0104,40.00,2026-06-07,E-1
Flo,Hall,flo@example.org,901-555-0105,60.00,2026-06-07,E-2
Gus,Hall,,,5,2026-06-07,E-3
`;

(chromiumIsThere ? describe : describe.skip)('imports in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let treasurer: ConsoleInBrowser;
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'offertory-browser-import-'));
    writeFileSync(join(directory, 'June gifts.csv'), FILE);
    writeFileSync(join(directory, 'plain.csv'), PLAIN);
    writeFileSync(join(directory, 'page.csv'), '<!DOCTYPE html><html></html>');
    service = await startTestApp(
      { CHURCH_NAME: 'Grace Community Church', CHURCH_TIME_ZONE: 'America/Chicago' },
      { workers: true },
    );
    treasurer = await ConsoleInBrowser.open(service);
    await service.createUser('imports', 'correct horse battery', []);
  });
  afterAll(async () => {
    await treasurer.close();
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  async function upload(page: Page, name: string): Promise<void> {
    await page.goto(treasurer.url('/console/import'));
    await page.setInputFiles('[name=file]', join(directory, name));
    await page.selectOption('[name=user]', 'imports');
    await page.fill('[name=source]', 'envelopes');
    await page.click('main form button');
  }

  it('imports a file with the keyboard, and shows its progress by itself', async () => {
    await treasurer.play(async (person) => {
      const { page } = person;
      await person.go('g i');
      // The dialog of the computer chooses the file.
      await page.setInputFiles('[name=file]', join(directory, 'plain.csv'));
      await page.focus('[name=user]');
      await person.type('imports');
      await page.focus('[name=source]');
      await person.type('envelopes');
      await person.go('Enter');
      expect(await person.message()).toMatch(/^Import \d+ was uploaded\. Try it before its gifts are recorded\.$/);
      await page.evaluate('document.activeElement.blur()');
      await person.go('c');
      await page.waitForSelector('text=Tried, not recorded');
      expect(await person.text()).toContain('2 rows of 100.00');
      await person.go('b');
      expect(await person.text()).toContain('1 refused row will not be recorded');
      await person.go('y');
      await page.waitForSelector('dd:text-is("Recorded")');
      expect(await page.locator('.rows').first().innerText()).toContain('Gus Hall');
    });
  });

  it('works without JavaScript', async () => {
    const { page } = await treasurer.logIn(768, { javaScriptEnabled: false });
    await upload(page, 'June gifts.csv');
    await page.waitForSelector('text=To decide');
    const choose = (column: string, choice: string): Promise<unknown> =>
      page.getByLabel(`“${column}”`, { exact: true }).selectOption(choice);
    await choose('Given', 'First');
    await choose('Family', 'Last');
    await choose('Gift value', 'Amount');
    await choose('Payment Status', 'condition');
    await page.getByLabel('“Good” means').selectOption('gift');
    await page.click('button:has-text("Try it")');
    await page.waitForSelector('text=Tried, not recorded');
    expect(await page.locator('main').innerText()).toContain('2 rows of 1,275.50');
    await page.context().close();
  });

  it.each(COLOUR_SCHEMES)('pages are accessible and fit: %s', async (colorScheme) => {
    const { page } = await treasurer.logIn(1280, { colorScheme });
    await upload(page, 'page.csv');
    await expectGoodPage(page, 'import-refused', colorScheme);
    await upload(page, 'June gifts.csv');
    await page.waitForSelector('text=To decide');
    await expectGoodPage(page, 'import-mapping', colorScheme);
    const path = new URL(page.url()).pathname;
    await page.click('button:has-text("Try it")');
    await expectGoodPage(page, 'import-undecided', colorScheme);
    await service.database.query(
      `UPDATE import_file SET state = 'booking', rows = 4000, rows_done = 1234 WHERE id = $1`,
      [Number(path.split('/').at(-1))],
    );
    await page.goto(treasurer.url(path));
    expect(await page.locator('progress').getAttribute('value')).toBe('1234');
    await expectGoodPage(page, 'import-running', colorScheme);
    await service.database.query(`UPDATE import_file SET rows_done = 2000 WHERE id = $1`, [
      Number(path.split('/').at(-1)),
    ]);
    await until(async () => (await page.locator('progress').getAttribute('value')) === '2000');
    await service.database.query(`UPDATE import_file SET state = 'stopped', problem = 'Something.' WHERE id = $1`, [
      Number(path.split('/').at(-1)),
    ]);
    await page.waitForSelector('text=Stopped: to be continued');
    await expectGoodPage(page, 'import-stopped', colorScheme);
    await treasurer.expectGoodPages(colorScheme, [
      ['imports', '/console/import'],
      ['import-booked', '/console/import/1'],
      ['import-checked', '/console/import/2'],
      ['import-book', '/console/import/2/book'],
      ['import-delete', '/console/import/2/forget'],
    ]);
    await page.goto(treasurer.url('/console/import/1'));
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.actions').filter({ visible: true }).count()).toBe(0);
    await treasurer.print(page, 'import-booked');
    await page.context().close();
  });
});
