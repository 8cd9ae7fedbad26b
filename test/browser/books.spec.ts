import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere } from './browser.js';
import { COLOUR_SCHEMES, ConsoleInBrowser, type NamedPage, TREASURER } from './console-in-browser.js';

const PAGES: readonly NamedPage[] = [
  ['bundles', '/console/bundles'],
  ['bundles-empty', '/console/bundles?user=nobody'],
  ['bundles-all', '/console/bundles?status=all'],
  ['bundle', '/console/bundles/1'],
  ['bundle-close', '/console/bundles/1/close'],
  ['funds', '/console/funds'],
  ['fund', '/console/funds/2'],
  ['fund-new', '/console/funds/new'],
  ['totals', '/console/totals?year=2025'],
  ['totals-entries', '/console/totals/entries?from=2025-01&to=2025-12&currency=USD'],
  ['totals-empty', '/console/totals?year=1999'],
  ['totals-invalid', '/console/totals?year=x'],
  ['reviews', '/console/reviews'],
  ['review-person', '/console/reviews/1'],
  ['review-gift', '/console/reviews/2'],
  ['review-merge', '/console/reviews/1/merge?other=1'],
  ['review-give', '/console/gifts/2/giver?Review=1&q=ann'],
  ['review-take-back', '/console/gifts/2/take-back?Review=2'],
];

(chromiumIsThere ? describe : describe.skip)('the books in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let treasurer: ConsoleInBrowser;

  beforeAll(async () => {
    service = await startTestApp({ CHURCH_NAME: 'Grace Community Church', CHURCH_TIME_ZONE: 'America/Chicago' });
    treasurer = await ConsoleInBrowser.open(service);
    await service.database.query(`INSERT INTO fund (name) VALUES ('Mission'), ('Building and grounds')`);
    await fillBooks();
  });
  afterAll(async () => {
    await treasurer.close();
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

  it.each(COLOUR_SCHEMES)('pages are accessible and fit at all widths, %s', async (colorScheme) => {
    await treasurer.expectGoodPages(colorScheme, PAGES);
  });

  it('print without navigation, on Letter and A4', async () => {
    const { page } = await treasurer.logIn();
    await page.emulateMedia({ media: 'print' });
    for (const [name, path] of [
      ['bundle', '/console/bundles/1'],
      ['totals', '/console/totals?year=2025'],
    ] as const) {
      await page.goto(treasurer.url(path));
      for (const part of ['.banner', '.actions', '.filter'])
        expect(await page.locator(part).filter({ visible: true }).count()).toBe(0);
      expect(await page.locator('.rows').first().isVisible()).toBe(true);
      await treasurer.print(page, name);
    }
    await page.context().close();
  });

  it('the bars of a chart keep their amounts on paper and on a phone', async () => {
    const { page } = await treasurer.logIn(380);
    await page.goto(treasurer.url('/console/totals?year=2025'));
    for (const media of ['screen', 'print'] as const) {
      await page.emulateMedia({ media });
      const amounts = page.locator('.chart .height');
      expect(await amounts.filter({ visible: true }).count()).toBe(3);
      expect(await amounts.first().innerText()).toMatch(/^[\d,]+$/);
    }
    await page.context().close();
  });

  it('closes a bundle', async () => {
    await treasurer.play(async (person) => {
      await person.go('g b');
      await person.move('j');
      await person.go('Enter');
      await person.go('c');
      await person.go('y');
      expect(await person.message()).toMatch(/^Bundle \d+ is closed with 1 entry, USD 12,345\.67\.$/);
    });
  });

  it('closes a bundle that is ticked in the list', async () => {
    await treasurer.play(async (person) => {
      await person.go('g b');
      await person.move('j');
      await person.press('x');
      await person.go('c');
      await person.go('y');
      expect(await person.message()).toMatch(/^1 bundle is closed: \d+\.$/);
    });
  });

  it('closes several bundles', async () => {
    await treasurer.play(async (person) => {
      await person.go('g b');
      await person.press('a');
      await person.go('c');
      await person.go('y');
      expect(await person.message()).toMatch(/^2 bundles are closed: \d+, \d+\.$/);
    });
  });

  it('works the review list: one decision after the other', async () => {
    await treasurer.play(async (person) => {
      await person.go('g r');
      await person.move('j');
      await person.go('Enter');
      expect(person.path()).toBe('/console/reviews/1');
      // The key is beside the label, and no part of the name.
      const accept = person.page.getByRole('button', { name: 'Keep as it is', exact: true });
      expect(await accept.locator('kbd').innerText()).toBe('1');
      await person.go('n');
      expect(person.path()).toBe('/console/reviews/2');
      await person.go('1');
      expect(person.path()).toBe('/console/reviews/1');
      expect(await person.message()).toMatch(/^Done with the previous review: Gift \d+ is kept as it is\.$/);
      await person.go('2');
      expect(await person.message()).toMatch(/^Gift \d+ has another giver now\.$/);
      expect(await person.text()).toContain('Nothing left to review.');
    });
  });

  it('shows the totals of a year by fund and month', async () => {
    await treasurer.play(async (person) => {
      await person.go('g t');
      await person.move('/');
      await person.type('2025');
      await person.go('Enter');
      expect(person.path()).toBe('/console/totals?year=2025&first=&upTo=');
      expect(await person.heading()).toBe('Totals 2025');
      expect(await person.page.locator('.wide tfoot').innerText()).toContain('All funds');
    });
  });

  it('renames a fund', async () => {
    await treasurer.play(async (person) => {
      await person.go('g f');
      await person.move('j');
      await person.move('j');
      await person.go('Enter');
      expect(person.path()).toBe('/console/funds/2');
      await person.press('e');
      await person.type('Missions');
      await person.go('Enter');
      expect(await person.message()).toBe('Fund 2 is named Missions now.');
      expect(await person.text()).toContain('Mission\t');
    });
  });

  it('works without JavaScript: several bundles are ticked and closed', async () => {
    const { page } = await treasurer.visit(768, { javaScriptEnabled: false });
    const login = await service.createUser('plates', TREASURER[1], ['Developer', 'APIOnly', 'APIWrite']);
    await service.add({ Amount: '5' }, login).expect(200);
    await page.goto(treasurer.url('/console/bundles?status=Open'));
    await page.fill('[name=username]', TREASURER[0]);
    await page.fill('[name=password]', TREASURER[1]);
    await page.click('main button');
    await page.locator('.tick').first().check();
    await page.click('#closing button[type=submit]');
    await page.click('.confirmation button');
    expect(await page.locator('.message').innerText()).toContain('1 bundle is closed');
    await page.context().close();
  });
});
