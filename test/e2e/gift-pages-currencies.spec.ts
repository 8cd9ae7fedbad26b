import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { correct, takenFrom } from '../contract/reversal-requests.js';
import { type ConsoleVisitor, hiddenFieldsOf, newVisitor, textOf } from '../support/console.js';
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
      const { text } = await visitor.post(path, { Amount: sent, Reason: 'refund' }).expect(200);
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
