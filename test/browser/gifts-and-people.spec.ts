import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { addedGift } from '../contract/gift-requests.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { chromiumIsThere, startBrowser, watchedPage } from './browser.js';

/** Screenshots for people to look at; not in the repository. */
const PICTURES = new URL('../../screenshots/console/', import.meta.url).pathname;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const TREASURER: Login = ['treasurer', 'correct horse battery'];

/** The most actions that a job may take. */
const MOST_ACTIONS = 6;

(chromiumIsThere ? describe : describe.skip)('gifts and people in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let browser: Browser;
  let host: string;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    service = await startTestApp({
      CHURCH_NAME: 'Grace Community Church',
      CHURCH_TIME_ZONE: 'America/Chicago',
      FINANCE_EMAILS: 'office@example.org',
    });
    await service.createUser(...TREASURER, ['Finance']);
    await service.database.query(`INSERT INTO fund (name) VALUES ('Roof')`);
    host = `127.0.0.1:${(service.app.getHttpServer().address() as AddressInfo).port}`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  async function logIn(page: Page): Promise<void> {
    await page.goto(`http://${host}/console`);
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

  /** Somebody with a keyboard only. Each key that leads to another page or state is an action. */
  class AtKeyboard {
    actions = 0;

    constructor(readonly page: Page) {}

    /** Presses keys that lead to another page. */
    async go(...keys: string[]): Promise<void> {
      this.actions++;
      const before = await this.page.evaluate<number>('performance.timeOrigin');
      for (const key of keys) await this.page.keyboard.press(key);
      // While a page is being left, it cannot be asked.
      const isThere = `performance.timeOrigin !== ${before} && document.readyState === 'complete'`;
      await until(async () => this.page.evaluate<boolean>(isThere).catch(() => false));
    }

    /** Goes with Tab to the element whose text or field name is this, without an action. */
    async reach(label: string): Promise<void> {
      for (let step = 0; step < 80; step++) {
        await this.page.keyboard.press('Tab');
        const found = await this.page.evaluate<boolean>(
          `[document.activeElement.name, document.activeElement.textContent.trim()].includes(${JSON.stringify(label)})`,
        );
        if (found) return;
      }
      throw new Error(`Tab never leads to ${label}`);
    }

    /** Opens the gifts or people, searches, and opens the first that is found: three actions. */
    async find(letter: 'g' | 'p', text: string): Promise<void> {
      await this.go('g', letter);
      await this.page.keyboard.press('/');
      await this.page.keyboard.type(text);
      await this.go('Enter');
      await this.page.keyboard.press('j');
      await this.go('Enter');
    }

    text(): Promise<string> {
      return this.page.locator('main').innerText();
    }
  }

  /** Plays a job from the home page, and counts its actions. */
  async function play(job: (person: AtKeyboard) => Promise<void>): Promise<void> {
    const { page, complaints } = await watchedPage(browser, host, 1280, 900);
    await logIn(page);
    const person = new AtKeyboard(page);
    await job(person);
    expect(person.actions).toBeLessThanOrEqual(MOST_ACTIONS);
    expect(complaints).toEqual([]);
    await page.context().close();
  }

  it.each([
    ['name', 'arrived'],
    ['amount', '4321.09'],
    ['check number', '880042'],
  ])('“did my gift arrive?”: a gift is found by its %s', async (_what, text) => {
    if ((await service.database.query('SELECT FROM payment WHERE check_number = $1', ['880042'])).length === 0) {
      await addedGift(service, { Last: 'Arrived', Amount: '4321.09', Method: 'check', CheckNumber: '880042' });
    }
    await play(async (person) => {
      await person.find('g', text);
      expect(await person.text()).toContain('Arrived');
      expect(await person.text()).toContain('4,321.09');
    });
  });

  it('a wrong giver is corrected', async () => {
    await addedGift(service, { Last: 'Mistaken' });
    await addedGift(service, { First: 'Rita', Last: 'Rightful' });
    await play(async (person) => {
      await person.find('g', 'mistaken');
      await person.go('a');
      await person.page.keyboard.type('rightful');
      await person.go('Enter');
      await person.reach('Give to Rita Rightful');
      await person.go('Enter');
      expect(await person.page.locator('h1').innerText()).toContain('Rita Rightful');
    });
  });

  it.each([
    ['a gift is taken back', 'Whole', '', 'Refund', '40.00'],
    ['a part is refunded', 'Partial', '15', 'Refund', '15.00'],
    ['a returned check is booked', 'Returned', '', 'Returned', '40.00'],
  ])('%s', async (_job, last, amount, reason, taken) => {
    await addedGift(service, { Last: last, Amount: '40', Method: 'check', CheckNumber: '12' });
    await play(async (person) => {
      await person.find('g', last);
      await person.go('t');
      await person.page.keyboard.type(amount);
      await person.reach('Reason');
      await person.page.keyboard.type(reason);
      await person.reach('Continue');
      await person.go('Enter');
      expect(await person.text()).toContain(`−${taken}`);
      expect(await person.text()).toContain('Left afterwards');
      expect(await violations(person.page)).toEqual([]);
      await person.reach(`Take back ${taken}`);
      await person.go('Enter');
      expect(await person.page.locator('.message').innerText()).toContain(`${taken} was taken back.`);
    });
  });

  it('a gift in the wrong fund is moved', async () => {
    await addedGift(service, { Last: 'Misfunded' });
    await play(async (person) => {
      await person.find('g', 'misfunded');
      await person.go('f');
      await person.reach('FundId');
      await person.page.keyboard.type('Roof');
      await person.reach('Reason');
      await person.page.keyboard.type('The giver meant the roof');
      await person.go('Enter');
      expect(await person.text()).toMatch(/moved from .* to Roof/);
    });
  });

  it('two people are merged', async () => {
    const fields = { First: 'Wilma', Last: 'Twofold' };
    await addedGift(service, { ...fields, Email: 'w1@example.org', Phone: '901-555-0111' });
    const { PeopleId: other } = await addedGift(service, {
      ...fields,
      Email: 'w2@example.org',
      Phone: '901-555-0122',
    });
    await play(async (person) => {
      await person.find('p', 'w2@example.org');
      await person.go('m');
      await person.reach(`Keep Wilma Twofold, person ${other}`);
      await person.go('Enter');
      expect(await person.text()).toContain('1 gift moves');
      await person.reach(`Merge into person ${other}`);
      await person.go('Enter');
      expect(await person.text()).toContain('Merged from');
    });
  });

  it('a person is added', async () => {
    await play(async (person) => {
      await person.go('g', 'p');
      await person.go('c');
      await person.page.keyboard.type('Nora');
      await person.page.keyboard.press('Tab');
      await person.page.keyboard.type('Newcomer');
      await person.go('Enter');
      expect(await person.page.locator('h1').innerText()).toBe('Nora Newcomer');
    });
  });

  it.each(['light', 'dark'] as const)('is accessible and fits at three widths, %s', async (colorScheme) => {
    const split = [
      { Amount: '30', FundId: 1 },
      { Amount: '20', FundId: 2 },
    ];
    const { ContributionId: id, PeopleId: person } = await addedGift(service, {
      First: 'Lina',
      Last: `Looked${colorScheme}`,
      Amount: '50',
      Fee: '1.75',
      Method: 'card',
      Splits: split,
      Notes: 'For the roof and the general fund',
      Email: `lina.${colorScheme}@example.org`,
    });
    const { PeopleId: other } = await addedGift(service, {
      First: 'Lina',
      Last: `Looked${colorScheme}`,
      Email: `l.${colorScheme}@example.org`,
      Phone: '901-555-0177',
    });
    await service.reverse(`${id}/txt2give?amount=5&reason=refund`).expect(200);
    const pages = [
      ['gifts', '/console/gifts'],
      ['gifts-filtered', '/console/gifts?q=looked&minAmount=1'],
      ['gifts-none', '/console/gifts?q=nobody-has-this'],
      ['gifts-wrong', '/console/gifts?minAmount=5&maxAmount=1'],
      ['gift', `/console/gifts/${id}`],
      ['gift-giver', `/console/gifts/${id}/giver?q=looked`],
      ['gift-take-back', `/console/gifts/${id}/take-back`],
      ['gift-fund', `/console/gifts/${id}/fund`],
      ['people', '/console/people?q=looked'],
      ['person', `/console/people/${person}`],
      ['person-edit', `/console/people/${person}/edit`],
      ['person-new', '/console/people/new'],
      ['merge-choice', `/console/people/${person}/merge`],
      ['merge', `/console/people/${person}/merge/${other}`],
    ] as const;
    const { page, complaints } = await watchedPage(browser, host, 1280, 900, { colorScheme });
    await logIn(page);
    for (const [name, path] of pages) {
      await page.goto(`http://${host}${path}`);
      expect([name, await page.locator('h1').count(), await violations(page)]).toEqual([name, 1, []]);
      for (const width of [320, 768, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect([name, width, needed <= width]).toEqual([name, width, true]);
        await page.screenshot({ path: `${PICTURES}${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
    }
    expect(complaints.filter((line) => !line.includes('status of 400'))).toEqual([]);
    await page.context().close();
  });

  it('finds, shows and corrects gifts without JavaScript, and prints them without forms', async () => {
    await addedGift(service, { Last: 'Scriptless' });
    const { page, complaints } = await watchedPage(browser, host, 768, 900, { javaScriptEnabled: false });
    await page.goto(`http://${host}/console/gifts`);
    await page.fill('[name=username]', TREASURER[0]);
    await page.fill('[name=password]', TREASURER[1]);
    await page.click('main button');
    await page.fill('[name=q]', 'scriptless');
    await page.click('main form button');
    await page.click('.rows a');
    await page.getByRole('link', { name: 'Take back' }).click();
    await page.selectOption('[name=Reason]', 'error');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Take back 10.00' }).click();
    expect(await page.locator('.message').innerText()).toContain('10.00 was taken back.');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.banner').isVisible()).toBe(false);
    expect(await page.locator('.actions').isVisible()).toBe(false);
    expect(await page.locator('.facts').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
