import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere } from './browser.js';
import { COLOUR_SCHEMES, ConsoleInBrowser, TREASURER, violations } from './console-in-browser.js';

(chromiumIsThere ? describe : describe.skip)('gifts and people in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let treasurer: ConsoleInBrowser;

  beforeAll(async () => {
    service = await startTestApp({
      CHURCH_NAME: 'Grace Community Church',
      CHURCH_TIME_ZONE: 'America/Chicago',
      FINANCE_EMAILS: 'office@example.org',
    });
    treasurer = await ConsoleInBrowser.open(service);
    await service.database.query(`INSERT INTO fund (name) VALUES ('Roof')`);
  });
  afterAll(async () => {
    await treasurer.close();
    await service.stop();
  });

  it.each([
    ['name', 'arrived'],
    ['amount', '4321.09'],
    ['check number', '880042'],
  ])('“did my gift arrive?”: a gift is found by its %s', async (_what, text) => {
    if ((await service.database.query('SELECT FROM payment WHERE check_number = $1', ['880042'])).length === 0) {
      await addedGift(service, { Last: 'Arrived', Amount: '4321.09', Method: 'check', CheckNumber: '880042' });
    }
    await treasurer.play(async (person) => {
      await person.find('g', text);
      expect(await person.text()).toContain('Arrived');
      expect(await person.text()).toContain('4,321.09');
    });
  });

  it('a wrong giver is corrected', async () => {
    await addedGift(service, { Last: 'Mistaken' });
    await addedGift(service, { First: 'Rita', Last: 'Rightful' });
    await treasurer.play(async (person) => {
      await person.find('g', 'mistaken');
      await person.go('a');
      await person.type('rightful');
      await person.go('Enter');
      await person.reach('It is from Rita Rightful');
      await person.go('Enter');
      expect(await person.heading()).toContain('Rita Rightful');
    });
  });

  it.each([
    ['a gift is taken back', 'Whole', '', 'Refund', '40.00'],
    ['a part is refunded', 'Partial', '15', 'Refund', '15.00'],
    ['a returned check is booked', 'Returned', '', 'Returned', '40.00'],
  ])('%s', async (_job, last, amount, reason, taken) => {
    await addedGift(service, { Last: last, Amount: '40', Method: 'check', CheckNumber: '12' });
    await treasurer.play(async (person) => {
      await person.find('g', last);
      await person.go('t');
      if (amount === '') await person.move('Space');
      else {
        await person.reach('Amount');
        await person.type(amount);
      }
      await person.reach('Reason');
      await person.type(reason);
      await person.reach('Continue');
      await person.go('Enter');
      expect(await person.text()).toContain(`−${taken}`);
      expect(await person.text()).toContain('Left afterwards');
      expect(await violations(person.page)).toEqual([]);
      await person.reach(`Take back USD ${taken}`);
      await person.go('Enter');
      expect(await person.message()).toMatch(
        new RegExp(`USD ${taken.replace('.', '[.]')} of gift \\d+ was taken back[.]`),
      );
    });
  });

  it('a gift in the wrong fund is moved', async () => {
    await addedGift(service, { Last: 'Misfunded' });
    await treasurer.play(async (person) => {
      await person.find('g', 'misfunded');
      await person.go('f');
      await person.reach('FundId');
      await person.type('Roof');
      await person.reach('Reason');
      await person.type('The giver meant the roof');
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
    await treasurer.play(async (person) => {
      await person.find('p', 'w2@example.org');
      await person.go('m');
      await person.reach(`Keep the other: Wilma Twofold, person ${other}`);
      await person.go('Enter');
      expect(await person.text()).toContain('gets 1 gift of');
      await person.reach(`Merge into Wilma Twofold, person ${other}, permanently`);
      await person.go('Enter');
      expect(await person.text()).toContain('Merged from');
    });
  });

  it('a reversal is undone', async () => {
    const { ContributionId: id } = await addedGift(service, { Last: 'Undone', Amount: '40' });
    await service.reverse(`${id}/bank?reason=chargeback`).expect(200);
    await treasurer.play(async (person) => {
      await person.find('g', 'undone');
      await person.page.getByRole('link', { name: /^Undo… the reversal by entry \d+$/ }).focus();
      await person.go('Enter');
      expect(await person.heading()).toMatch(/^Undo this reversal of USD 40\.00 from .* Undone\?$/);
      await person.go('y');
      expect(await person.message()).toMatch(
        /^The reversal was undone: USD 40\.00 is in the books again as gift \d+\.$/,
      );
    });
  });

  it('a person is added', async () => {
    await treasurer.play(async (person) => {
      await person.go('g p');
      await person.go('c');
      await person.type('Nora');
      await person.page.keyboard.press('Tab');
      await person.type('Newcomer');
      await person.go('Enter');
      expect(await person.heading()).toBe('Nora Newcomer');
    });
  });

  it.each(COLOUR_SCHEMES)('is accessible and fits at all widths, %s', async (colorScheme) => {
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
    await treasurer.expectGoodPages(colorScheme, [
      ['gifts', '/console/gifts'],
      ['gifts-filtered', '/console/gifts?q=looked&minAmount=1'],
      ['gifts-none', '/console/gifts?q=nobody-has-this'],
      ['gifts-similar', `/console/gifts?q=loked${colorScheme}&method=cash`],
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
    ]);
  });

  it('finds, shows and corrects gifts without JavaScript, and prints them without forms', async () => {
    await addedGift(service, { Last: 'Scriptless' });
    const { page, complaints } = await treasurer.visit(768, { javaScriptEnabled: false });
    await page.goto(treasurer.url('/console/gifts'));
    await page.fill('[name=username]', TREASURER[0]);
    await page.fill('[name=password]', TREASURER[1]);
    await page.click('main button');
    await page.fill('[name=q]', 'scriptless');
    await page.click('main form button');
    await page.click('.rows a');
    await page.getByRole('link', { name: 'Take back' }).click();
    await page.check('[name=HowMuch][value=all]');
    await page.selectOption('[name=Reason]', 'error');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Take back USD 10.00' }).click();
    expect(await page.locator('.message').innerText()).toMatch(/USD 10\.00 of gift \d+ was taken back\./);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.banner').isVisible()).toBe(false);
    expect(await page.locator('.actions').isVisible()).toBe(false);
    expect(await page.locator('.facts').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
