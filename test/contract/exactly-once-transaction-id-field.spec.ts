import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, invalidGift, readBack, recordedGift } from './gift-requests.js';
import { letters } from './givers.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

describe('TransactionId', () => {
  it.each([
    ['t1', 't1'],
    [' t1\u{3000}', 't1'],
    ['e\u{301}'.repeat(100), '\u{E9}'.repeat(100)],
    ['\u{1F600}'.repeat(100), '\u{1F600}'.repeat(100)],
    ["x'); DROP TABLE contribution;--", "x'); DROP TABLE contribution;--"],
    ['0', '0'],
  ])('sent as %j is stored as %j', async (TransactionId, shown) => {
    const Source = letters();
    expect(await recordedGift(service, { Source, TransactionId })).toMatchObject({
      source: Source,
      transactionId: shown,
    });
  });

  it.each([undefined, null, '', '  ', '\u{200B}'])(
    'sent as %j is stored as null, with and without a source',
    async (TransactionId) => {
      expect(await recordedGift(service, { TransactionId })).toMatchObject({ source: null, transactionId: null });
      expect(await recordedGift(service, { TransactionId, Source: 'a' })).toMatchObject({ transactionId: null });
    },
  );

  it.each([
    ...['x'.repeat(101), '\u{1F600}'.repeat(101), 'a\u{0}b', 'a\nb', 'a\tb', '\u{7F}', 'a\ud800b'],
    ...[5, 0, 1.5, true, false, [], ['t1'], {}],
  ])('is refused as %j', async (TransactionId) => {
    await invalidGift(service, { Source: 'a', TransactionId }, 'TransactionId');
  });

  it.each([undefined, null, '', ' \t', '\u{200B}'])('requires a Source, which cannot be %j', async (Source) => {
    await invalidGift(service, { Source, TransactionId: `t-${letters()}` }, 'Source');
  });

  it('is reported together with other invalid fields', async () => {
    await invalidGift(service, { TransactionId: 't1', Amount: 'x' }, 'Source', 'Amount');
    await invalidGift(service, { TransactionId: 5, Source: 5 }, 'Source', 'TransactionId');
  });

  it('is not copied to the reversing entry', async () => {
    const { ContributionId } = await addedGift(service, { Source: 'giveA', TransactionId: `t-${letters()}` });
    await service.reverse(`${ContributionId}/giveA`).expect(200);
    const { reversal } = await readBack(service, ContributionId);
    expect(await readBack(service, reversal.contributionId)).toMatchObject({ transactionId: null });
  });
});
