import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postAs } from '../finance/finance-calls.js';
import { addedGift } from '../contract/gift-requests.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { chromiumIsThere } from './browser.js';
import { COLOUR_SCHEMES, ConsoleInBrowser, TREASURER } from './console-in-browser.js';

(chromiumIsThere ? describe : describe.skip)('changes and notices in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let treasurer: ConsoleInBrowser;
  let notice: number;

  beforeAll(async () => {
    // Without workers: the deliveries are added here, and nothing is sent.
    service = await startTestApp({ CHURCH_NAME: 'Grace Community Church', SMTP_URL: 'smtp://192.0.2.1:587' });
    treasurer = await ConsoleInBrowser.open(service);
    notice = await fillBooks();
  });
  afterAll(async () => {
    await treasurer.close();
    await service.stop();
  });

  /** A renamed fund, and a reversal whose notice was given up. @returns the id of the notice. */
  async function fillBooks(): Promise<number> {
    await postAs(service, TREASURER, 'Funds', { Name: 'Building' }).expect(200);
    const { ContributionId } = await addedGift(service, { Amount: '1234.50' });
    await service.reverse(`${ContributionId}/online`).expect(200);
    await postAs(service, TREASURER, `Contributions/${ContributionId}/reinstate`).expect(200);
    const [row] = await service.database.query<{ id: number }>(
      `INSERT INTO delivery (notice_id, recipient, message_id, status, attempts, last_error)
       SELECT id, 'former@example.org', '<one>', 'failed', 1, '550 5.1.1 No such user here' FROM notice RETURNING id`,
    );
    return row?.id ?? 0;
  }

  it.each(COLOUR_SCHEMES)('are accessible and fit at all widths, %s', async (colorScheme) => {
    await treasurer.expectGoodPages(colorScheme, [
      ['changes', '/console/changes'],
      ['changes-none', '/console/changes?actor=nobody'],
      ['notices', '/console/notices'],
      ['notices-none', '/console/notices?status=sent'],
      ['notice', `/console/notices/${notice}`],
    ]);
  });

  it('job: who changed what? The treasurer looks up who gave a gift back', async () => {
    await treasurer.play(async (person) => {
      await person.go('g c');
      await person.move('/');
      await person.type('gift 1');
      await person.go('Enter');
      expect(person.path()).toContain('/console/changes?subject=gift+1');
      const row = person.page.locator('.rows tbody tr').first();
      expect(await row.innerText()).toContain('undid a reversal of a gift');
      expect(await row.innerText()).toContain('treasurer');
      await person.move('j');
      expect(await person.page.evaluate('document.activeElement.textContent')).toBe('gift 1');
    });
  });

  it('job: why was a notice not sent? The treasurer reads the reason, and tries again', async () => {
    await treasurer.play(async (person) => {
      await person.go('g n');
      await person.move('j');
      await person.go('Enter');
      expect(person.path()).toBe(`/console/notices/${notice}`);
      expect(await person.text()).toContain('The address does not exist.');
      await person.go('t');
      expect(await person.message()).toContain(`Another try of notice ${notice} was asked for.`);
    });
  });
});
