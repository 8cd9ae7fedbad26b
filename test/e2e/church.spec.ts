import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';

const CHURCH = {
  CHURCH_CURRENCY: 'EUR',
  CHURCH_TIME_ZONE: 'Europe/Paris',
  CHURCH_COUNTRY: 'FR',
};

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp(CHURCH);
  await service.database.query(
    `INSERT INTO fund (id, name, is_open) VALUES (2, 'Missions', true), (3, 'Old organ', false)`,
  );
});
afterAll(() => service.stop());

it('tells a processor the currency, the time zone, the country and the open funds of the church', async () => {
  const { text } = await service.get('Church').expect(200);
  expect(text).toBe(
    JSON.stringify({
      currency: 'EUR',
      timeZone: 'Europe/Paris',
      country: 'FR',
      funds: [
        { fundId: 1, name: 'General', open: true, default: true },
        { fundId: 2, name: 'Missions', open: true, default: false },
      ],
    }),
  );
});

it('takes its currency and its funds in a gift', async () => {
  const { currency, funds } = (await service.get('Church').expect(200)).body as {
    currency: string;
    funds: readonly { readonly fundId: number }[];
  };
  for (const { fundId } of funds) await service.add({ Currency: currency, FundId: fundId }).expect(200);
});
