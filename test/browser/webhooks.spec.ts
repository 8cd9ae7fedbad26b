import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postAs } from '../finance/finance-calls.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { answering, WebhookReceiver } from '../support/webhook-receiver.js';
import { until } from '../support/until.js';
import { chromiumIsThere } from './browser.js';
import { COLOUR_SCHEMES, ConsoleInBrowser, expectGoodPage, TREASURER } from './console-in-browser.js';

(chromiumIsThere ? describe : describe.skip)('webhooks in a browser (skipped only without Chromium)', () => {
  let service: TestApp;
  let receiver: WebhookReceiver;
  let treasurer: ConsoleInBrowser;
  let webhook: number;
  let delivery: number;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    receiver.behaviours.set('/hooks/of/a/processor/with/a/rather/long/address', answering(500));
    const settings = { WEBHOOK_ALLOW_PRIVATE: '1', WEBHOOK_RETRY_FACTOR: '0.00001' };
    service = await startTestApp({ CHURCH_NAME: 'Grace Community Church', ...settings }, { workers: true });
    treasurer = await ConsoleInBrowser.open(service);
    await fillBooks();
  });
  afterAll(async () => {
    await treasurer.close();
    await service.stop();
    await receiver.stop();
  });

  /** A webhook with a delivery that was given up. */
  async function fillBooks(): Promise<void> {
    const Url = receiver.url('/hooks/of/a/processor/with/a/rather/long/address');
    const Events = ['contribution.recorded', 'contribution.reversed', 'bundle.closed', 'deposit.reconciled'];
    const answer = await postAs(service, TREASURER, 'Webhooks', { Url, Events, User: 'api' }).expect(200);
    webhook = (answer.body as { id: number }).id;
    await service.add().expect(200);
    await until(async () => {
      const [row] = await service.database.query<{ id: number }>(
        "SELECT id FROM webhook_delivery WHERE status = 'failed'",
      );
      delivery = row?.id ?? 0;
      return row !== undefined;
    });
  }

  it.each(COLOUR_SCHEMES)('are accessible and fit at all widths, %s', async (colorScheme) => {
    await treasurer.expectGoodPages(colorScheme, [
      ['webhooks', '/console/webhooks'],
      ['webhook-new', '/console/webhooks/new'],
      ['webhook', `/console/webhooks/${webhook}`],
      ['webhook-rotate', `/console/webhooks/${webhook}/rotate`],
      ['webhook-disable', `/console/webhooks/${webhook}/disable`],
      ['webhook-delivery', `/console/webhooks/deliveries/${delivery}`],
    ]);
  });

  it('job: add a webhook. The treasurer types the address, ticks an event and copies the secret', async () => {
    await treasurer.play(async (person) => {
      await person.go('g w');
      await person.go('c');
      await person.type(receiver.url('/new'));
      await person.reach('bundle.closed');
      await person.move('Space');
      await person.go('Enter');
      expect(await person.text()).toContain('It is not shown again.');
      expect(await person.text()).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
      await expectGoodPage(person.page, 'webhook-secret', 'light');
      await person.go('c');
      expect(await person.text()).toContain('bundle.closed');
    });
  });

  it('job: is the receiver well again? The treasurer sends a test, and then what was given up', async () => {
    receiver.behaviours.clear();
    await treasurer.play(async (person) => {
      await person.go('g w');
      await person.move('j');
      await person.go('Enter');
      await person.go('t');
      await until(async () => (await person.text()).includes('Delivered'));
    });
    await treasurer.play(async (person) => {
      await person.go('g w');
      await person.move('j');
      await person.go('Enter');
      await person.go('r');
      expect(await person.message()).toContain('1 delivery is sent again.');
    });
  });
});
