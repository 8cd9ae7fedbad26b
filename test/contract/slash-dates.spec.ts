import { describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { invalidGift, recordedGift } from './gift-requests.js';

type Settings = Record<string, string>;

async function withService(settings: Settings, work: (service: TestApp) => Promise<void>): Promise<void> {
  const service = await startTestApp({ CHURCH_TIME_ZONE: 'Europe/London', ...settings });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

const dayOf = async (service: TestApp, Date: string): Promise<unknown> =>
  (await recordedGift(service, { Date }))['day'];

const messageFor = async (service: TestApp, Date: string): Promise<string> =>
  (await invalidGift(service, { Date }, 'Date')).detail;

/** The status of a list with `updatedSince`, which accepts the same notations as the date of a gift. */
const changesSince = async (service: TestApp, date: string): Promise<number> =>
  (await service.get(`Contributions?updatedSince=${date}`)).status;

describe('dates with slashes', () => {
  it.each<Settings>([{}, { CHURCH_COUNTRY: 'us' }, { CHURCH_COUNTRY: 'GB', CHURCH_SLASH_DATES: 'm/d/y' }])(
    'begin with the month if the settings are %j',
    async (settings) => {
      await withService(settings, async (service) => {
        expect(await dayOf(service, '03/04/2026')).toBe('2026-03-04');
        expect(await dayOf(service, '7/26/2026 9:30 AM')).toBe('2026-07-26');
        expect(await messageFor(service, '13/04/2026')).toContain('read as M/D/YYYY');
        expect(await changesSince(service, '7/26/2026')).toBe(200);
        expect(await changesSince(service, '26/7/2026')).toBe(400);
      });
    },
  );

  it.each<Settings>([{ CHURCH_COUNTRY: 'GB', CHURCH_SLASH_DATES: 'D/M/Y' }, { CHURCH_SLASH_DATES: ' d/m/y ' }])(
    'begin with the day if the settings are %j',
    async (settings) => {
      await withService(settings, async (service) => {
        expect(await dayOf(service, '03/04/2026')).toBe('2026-04-03');
        expect(await dayOf(service, '13/04/2026')).toBe('2026-04-13');
        expect(await recordedGift(service, { Date: '26/7/2026 9:30 PM' })).toMatchObject({
          date: '2026-07-26T20:30:00.000Z',
        });
        expect(await messageFor(service, '7/26/2026')).toContain('read as D/M/YYYY');
        expect(await messageFor(service, '26/7/26')).toContain('D/M/YYYY');
        expect(await changesSince(service, '26/7/2026')).toBe(200);
        expect(await changesSince(service, '7/26/2026')).toBe(400);
      });
    },
  );

  it.each(['GB', 'CA', 'DE'])('are refused in %s unless CHURCH_SLASH_DATES is set', async (country) => {
    await withService({ CHURCH_COUNTRY: country }, async (service) => {
      for (const date of ['03/04/2026', '13/04/2026', '7/26/2026 9:30 AM']) {
        const message = await messageFor(service, date);
        expect(message).toContain('2026-04-03');
        expect(message).toContain('CHURCH_SLASH_DATES');
      }
      expect(await dayOf(service, '2026-04-03')).toBe('2026-04-03');
      expect(await messageFor(service, 'nonsense')).not.toContain('/');
      expect(await changesSince(service, '7/26/2026')).toBe(400);
    });
  });
});
