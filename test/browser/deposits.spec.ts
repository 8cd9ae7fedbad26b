import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postAs } from '../finance/finance-calls.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere } from './browser.js';
import { COLOUR_SCHEMES, ConsoleInBrowser, expectGoodPage, type NamedPage, TREASURER } from './console-in-browser.js';

const DEPOSITS = '/console/deposits';

const PAGES: readonly NamedPage[] = [
  ['deposits', DEPOSITS],
  ['deposits-empty', `${DEPOSITS}?source=nobody`],
  ['deposits-invalid', `${DEPOSITS}?status=x`],
  ['deposit-new', `${DEPOSITS}/new`],
  ['deposit-differs', `${DEPOSITS}/1`],
  ['deposit-reconciled', `${DEPOSITS}/2`],
  ['deposit-matches', `${DEPOSITS}/3`],
  ['deposit-reconcile', `${DEPOSITS}/3/reconcile`],
  ['deposit-add', `${DEPOSITS}/1/add`],
  ['deposits-statement', `${DEPOSITS}/statement`],
  ['deposits-reconcile', `${DEPOSITS}/reconcile`],
  ['deposits-close-bundles', `${DEPOSITS}/close-bundles`],
  ['bundle-unsettled', '/console/bundles/1'],
  ['bundle-close-unsettled', '/console/bundles/1/close'],
  ['deposit-not-found', `${DEPOSITS}/999`],
];

(chromiumIsThere ? describe : describe.skip)('deposits in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let treasurer: ConsoleInBrowser;

  beforeAll(async () => {
    service = await startTestApp({ CHURCH_NAME: 'Grace Community Church', CHURCH_TIME_ZONE: 'America/Chicago' });
    treasurer = await ConsoleInBrowser.open(service);
    // One differs by a refund, one is reconciled, one matches, and one payout has no deposit yet.
    const refunded = await payout('po_1041', ['1200', '400', '60']);
    await payout('po_1042', ['500', '250']);
    await payout('po_1043', ['75.50']);
    for (const PayoutId of ['po_1041', 'po_1042', 'po_1043'])
      await finance('Payouts/deposit', { Source: 'txt2give', PayoutId });
    await service.reverse(`${refunded[2] ?? 0}/txt2give?reason=refund`).expect(200);
    for (const [id, Amount] of [
      [1, '1570'],
      [2, '730'],
      [3, '65.50'],
    ] as const)
      await finance(`Deposits/${id}/bank`, { Date: '2026-11-25', Amount, Reference: `line ${id}` });
    await finance('Deposits/2/reconcile');
    await payout('po_1044', ['80', '20']);
  });
  afterAll(async () => {
    await treasurer.close();
    await service.stop();
  });

  const finance = async (path: string, body?: object): Promise<void> => {
    await postAs(service, TREASURER, path, body).expect(200);
  };

  /** Gifts of a payout of the processor, whose fee is 10 each. @returns their ids. */
  async function payout(PayoutId: string, amounts: readonly string[], Source = 'txt2give'): Promise<number[]> {
    const ids: number[] = [];
    for (const [index, Amount] of amounts.entries()) {
      const fields = { Amount, Fee: '10.00', PayoutId, Source, TransactionId: `${PayoutId}-${index}` };
      const { ContributionId } = (await service.add(fields).expect(200)).body as { ContributionId: number };
      ids.push(ContributionId);
    }
    return ids;
  }

  it.each(COLOUR_SCHEMES)('pages are accessible and fit at all widths, %s', async (colorScheme) => {
    await treasurer.expectGoodPages(colorScheme, PAGES);
  });

  it.each(COLOUR_SCHEMES)('refused forms are accessible and fit at all widths, %s', async (colorScheme) => {
    const { page } = await treasurer.logIn(1280, { colorScheme });
    await page.goto(treasurer.url(`${DEPOSITS}/statement`));
    await page.fill('[name^=Amount-]', 'a lot');
    await page.click('#statement >> text=Save what was entered');
    expect(await page.locator('.refusal').innerText()).toBe('Please correct the marked field.');
    await expectGoodPage(page, 'deposits-statement-refused', colorScheme);
    await page.goto(treasurer.url(`${DEPOSITS}/1`));
    await page.fill('[name=AdjustAmount]', '0');
    await page.fill('[name=AdjustReason]', 'Nothing');
    await page.click('text="Adjust" >> nth=-1');
    expect(await page.locator('#field-AdjustAmount-fault').innerText()).toContain('must not be zero');
    await expectGoodPage(page, 'deposit-refused', colorScheme);
    await page.context().close();
  });

  it.each(COLOUR_SCHEMES)(
    'a statement with pasted lines is accessible and fits at all widths, %s',
    async (colorScheme) => {
      const { page } = await treasurer.logIn(1280, { colorScheme });
      await page.goto(treasurer.url(`${DEPOSITS}/statement`));
      await page.fill('[name=Lines]', '11/25/2026 po_1041 1,569.00\n11/26/2026 po_1043 65.50\n11/26/2026 coffee 4.50');
      await page.click('text=Fill in the rows');
      expect(await page.locator('[role=status]').innerText()).toContain(
        '2 of 3 lines name a deposit. 1 amount is as expected. 1 differs: deposit 1 by −61.00.',
      );
      await expectGoodPage(page, 'deposits-statement-pasted', colorScheme);
      expect(await page.locator('.rows .marked').innerText()).toContain('no, −61.00');
      // What the row says holds until the amount is changed.
      await page.fill('[name=Amount-1]', '1,630.00');
      expect(await page.locator('.rows .marked').count()).toBe(0);
      expect(await page.locator('#statement .rows').innerText()).not.toContain('−61.00');
      await page.context().close();
    },
  );

  it('prints a deposit without navigation and forms', async () => {
    const { page } = await treasurer.logIn();
    await page.emulateMedia({ media: 'print' });
    await page.goto(treasurer.url(`${DEPOSITS}/1`));
    for (const part of ['.banner', '.actions', 'main form'])
      expect(await page.locator(part).filter({ visible: true }).count()).toBe(0);
    expect(await page.locator('.rows').first().isVisible()).toBe(true);
    await treasurer.print(page, 'deposit');
    await page.context().close();
  });

  it('adds the refund that explains a difference', async () => {
    await treasurer.play(async (person) => {
      await person.go('g h');
      await person.reach('1 deposit that differs');
      await person.go('Enter');
      await person.move('j');
      await person.go('Enter');
      expect(await person.text()).toContain('This explains the whole difference.');
      await person.reach('Add it to the deposit');
      await person.go('Enter');
      expect(await person.message()).toBe('1 item is in the deposit.');
      await person.go('r');
      expect(await person.heading()).toBe('Reconcile deposit 1');
    });
  });

  it('reconciles a processor’s payout, and closes its bundles', async () => {
    // Before: those that match already.
    await finance('Deposits/1/reconcile');
    await finance('Deposits/3/reconcile');
    await treasurer.play(async (person) => {
      await person.go('g d');
      await person.go('m');
      expect(await person.message()).toBe('1 deposit is made.');
      expect(await person.heading()).toBe('Enter the bank statement');
      await person.move('j');
      await person.press('x');
      await person.go('s');
      expect(await person.message()).toBe('The bank’s amount is saved for 1 deposit. 1 matches.');
      await person.go('y');
      expect(await person.message()).toBe('1 deposit is reconciled.');
      await person.go('y');
      expect(await person.message()).toMatch(/^1 bundle is closed: \d+\.$/);
    });
  });

  it('works without JavaScript: from a payout to closed bundles', async () => {
    await payout('po_2001', ['300', '100'], 'envelopes');
    const { page } = await treasurer.visit(768, { javaScriptEnabled: false });
    await page.goto(treasurer.url(DEPOSITS));
    await page.fill('[name=username]', TREASURER[0]);
    await page.fill('[name=password]', TREASURER[1]);
    await page.click('main button');
    await page.click('#making button[type=submit]');
    await page.fill('[name^=Amount-]', '380.00');
    await page.fill('[name^=Reference-]', 'line 9');
    await page.click('#statement .buttons button:last-of-type');
    await page.click('#reconciling button[type=submit]');
    expect(await page.locator('.message').innerText()).toBe('1 deposit is reconciled.');
    await page.click('#closing button[type=submit]');
    expect(await page.locator('.message').innerText()).toMatch(/^1 bundle is closed: \d+\.$/);
    await page.context().close();
  });
});
