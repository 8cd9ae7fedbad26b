import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { correct, takenFrom } from '../contract/reversal-requests.js';
import { type ConsoleVisitor, flashOf, hiddenFieldsOf, newVisitor, textOf } from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

describe('in a currency without decimals', () => {
  let service: TestApp;
  let login: Login;
  let visitor: ConsoleVisitor;
  beforeAll(async () => {
    service = await startTestApp({ CHURCH_CURRENCY: 'UGX' });
    ({ login, visitor } = await newVisitor(service));
  });
  afterAll(() => service.stop());

  it.each([
    ['a part', '200', '−200', '800', '-200.00'],
    ['all that is left', '', '−1,000', '0', '-1000.00'],
  ])(
    '%s of a gift is taken back on its page, with the figures that were confirmed',
    async (_what, sent, taken, after, stored) => {
      const { ContributionId: id } = await addedGift(service, { Amount: '1000' });
      const path = `/console/gifts/${id}/take-back`;
      const { text } = await visitor
        .post(path, { HowMuch: sent === '' ? 'all' : 'part', Amount: sent, Reason: 'refund' })
        .expect(200);
      expect(textOf(text)).toContain(`Taken back ${taken} Left afterwards ${after} Why`);
      await visitor.post(`${path}/confirm`, hiddenFieldsOf(text)).expect(303);
      expect(await takenFrom(service, id)).toEqual([[id, 1, stored]]);
    },
  );

  it('ReverseAsFinance compares Left with what is left', async () => {
    const { ContributionId: id } = await addedGift(service, { Amount: '1000' });
    const reverse = (body: object) => correct(service, login, `${id}/reverse`, { Reason: 'refund', ...body });
    const refused = await reverse({ Amount: '200', Left: '900' }).expect(409);
    expect(refused.body).toMatchObject({ code: 'gift_changed', current: { left: '1000', currency: 'UGX' } });
    await reverse({ Amount: '200', Left: '1000' }).expect(200);
    await reverse({ Amount: '200', Left: '1000' }).expect(409);
    expect(await takenFrom(service, id)).toEqual([[id, 1, '-200.00']]);
  });
});

describe('a gift in a former currency of the church, which has more decimals', () => {
  let before: TestApp;
  let service: TestApp;
  let login: Login;
  let visitor: ConsoleVisitor;
  beforeAll(async () => {
    before = await startTestApp();
    service = await startTestApp({ CHURCH_CURRENCY: 'UGX' }, { database: before.database });
    ({ login, visitor } = await newVisitor(service));
  });
  afterAll(async () => {
    await service.stop();
    await before.stop();
  });

  it('is taken back on its page, in part and wholly', async () => {
    // No one has an address, and nobody is notified.
    const { ContributionId: id } = await addedGift(before, { Amount: '1000.50' });
    const path = `/console/gifts/${id}/take-back`;
    for (const [sent, taken, after] of [
      ['0.25', '−0.25', '1,000.25'],
      ['', '−1,000.25', '0.00'],
    ] as const) {
      const { text } = await visitor
        .post(path, { HowMuch: sent === '' ? 'all' : 'part', Amount: sent, Reason: 'refund' })
        .expect(200);
      expect(textOf(text)).toContain(`Taken back USD ${taken} Left afterwards USD ${after} Why`);
      const { headers } = await visitor.post(`${path}/confirm`, hiddenFieldsOf(text)).expect(303);
      expect(flashOf(headers)).toContain('was taken back. No one is notified: see the notices.');
    }
    expect(await takenFrom(service, id)).toEqual([
      [id, 1, '-0.25'],
      [id, 1, '-1000.25'],
    ]);
  });

  it('is reversed over HTTP by its own decimals, and a gift of today by those of today', async () => {
    const { ContributionId: former } = await addedGift(before, { Amount: '10.50' });
    await service.reverse(`${former}/bank?amount=0.25`).expect(200);
    await correct(service, login, `${former}/reverse`, { Amount: '0.25', Left: '10.25', Reason: 'refund' }).expect(200);
    const { ContributionId: today } = await addedGift(service, { Amount: '1000' });
    const refused = await service.reverse(`${today}/bank?amount=0.25`).expect(400);
    expect(refused.body).toMatchObject({
      errors: [{ field: 'amount', message: expect.stringContaining('no decimals') }],
    });
    const asFinance = await correct(service, login, `${today}/reverse`, { Amount: 0.5, Reason: 'refund' }).expect(400);
    expect(asFinance.body).toMatchObject({ errors: [{ field: 'Amount' }] });
    expect(await takenFrom(service, today)).toEqual([]);
  });

  it('says what is wrong with a field that its page does not show', async () => {
    const { ContributionId: id } = await addedGift(before, { Amount: '10.50' });
    const sent = { Amount: '1', Left: '10.505', Reason: 'refund', Key: 'one' };
    const { text } = await visitor.post(`/console/gifts/${id}/take-back/confirm`, sent).expect(400);
    expect(textOf(text)).toContain('Amount that is left must be digits with at most two decimals');
  });
});
