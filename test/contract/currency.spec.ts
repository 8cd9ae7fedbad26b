import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, recordedGift, refusal, sendGift } from './gift-requests.js';
import { addUnder, completeGift, first, newKey, replay } from './repeated-requests.js';
import { letters } from './givers.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

const withPair = (fields: object = {}): Record<string, unknown> =>
  completeGift({ Source: 'giveA', TransactionId: `t-${letters()}`, ...fields });

const dryRun = (fields: object): supertest.Test =>
  service
    .http()
    .post('/Api/AddContribution?dryRun=true')
    .auth(...service.login)
    .send(fields);

describe('Currency', () => {
  it.each(['USD', 'usd', 'uSd', ' USD\u{A0}', '', '  ', '\u{200B}', null, undefined])(
    'may be the church’s currency or left out: %j',
    async (Currency) => {
      expect(await recordedGift(service, { Currency })).toMatchObject({ currency: 'USD', amount: '10.00' });
    },
  );

  it('is recognized as a field in any letter case', async () => {
    expect(await recordedGift(service, { cURRENCY: 'USD' })).toMatchObject({ currency: 'USD' });
    await refusal(service, () => sendGift(service, { currency: 'EUR' }), 422, 'currency_mismatch');
    await refusal(service, () => sendGift(service, { currency: 'EUR', Currency: 'USD' }), 400, 'invalid_request');
  });

  it.each(['EUR', 'eur', 'CAD', 'USN', 'ZZZ', 'XXX'])('may not be another currency: %s', async (Currency) => {
    for (const send of [
      (): supertest.Test => sendGift(service, { Currency }),
      () => dryRun(completeGift({ Currency })),
    ]) {
      const { detail } = await refusal(service, send, 422, 'currency_mismatch');
      expect(detail).toContain(Currency.toUpperCase());
      expect(detail).toContain('USD');
    }
  });

  it.each<[unknown]>([
    ...[
      ['DOLLARS'],
      ['US'],
      ['US$'],
      ['$'],
      ['U.S'],
      ['840'],
      [840],
      [0],
      [true],
      [['USD']],
      [{ code: 'USD' }],
      ['U SD'],
    ],
    ...[['\u{FF35}\u{FF33}\u{FF24}'], ['u\u{17F}d'], ['USD\u{200B}'], ['USD\u{0}']],
  ] as [unknown][])('is refused when it is not a code of three letters: %j', async (Currency) => {
    const { detail } = await refusal(service, () => sendGift(service, { Currency }), 422, 'currency_mismatch');
    expect(detail).toBe(
      'Currency is not a code of three letters, and this church takes USD only. Nothing was recorded.',
    );
  });

  it('does not use up a key or a transaction id when it is refused', async () => {
    const [key, sent] = [newKey(), withPair()];
    await refusal(service, () => addUnder(service, key, { ...sent, Currency: 'EUR' }), 422, 'currency_mismatch');
    await first(addUnder(service, key, { ...sent, Currency: 'USD' }));
  });

  it('is part of the request: a key or transaction id cannot be reused with another currency', async () => {
    const [key, sent] = [newKey(), withPair({ Currency: 'USD' })];
    const answer = await first(addUnder(service, key, sent));
    const inOtherCase = { ...sent, Currency: 'usd' };
    await replay(service, () => addUnder(service, key, inOtherCase), answer);
    await replay(service, () => sendGift(service, inOtherCase), answer);
    for (const Currency of ['EUR', undefined]) {
      const other = { ...sent, Currency };
      await refusal(service, () => addUnder(service, key, other), 422, 'idempotency_key_reused');
      await refusal(service, () => sendGift(service, other), 422, 'transaction_id_reused');
      await refusal(service, () => dryRun(other), 422, 'transaction_id_reused');
    }
  });
});

/** Sends a call without its Currency and marks it as stored by a version that ignored Currency. */
async function storedBefore(sent: Record<string, unknown>, key?: string): Promise<supertest.Response> {
  const { Currency: ignored, ...read } = sent;
  expect(ignored).toBeDefined();
  const answer = await first(key === undefined ? sendGift(service, read) : addUnder(service, key, read));
  const { ContributionId } = answer.body as Added;
  await service.database.query('UPDATE contribution SET request_version = 1 WHERE id = $1', [ContributionId]);
  await service.database.query('UPDATE idempotency_key SET request_version = 1 WHERE key = $1', [key ?? '']);
  return answer;
}

describe.each(['USD', 'EUR', 'zzz', 'US Dollar'])(
  'a call with the Currency %j that was stored by a version that ignored it',
  (Currency) => {
    it('gets its first answer by its key', async () => {
      const [key, sent] = [newKey(), completeGift({ Currency })];
      const answer = await storedBefore(sent, key);
      await replay(service, () => addUnder(service, key, sent), answer);
      await replay(service, () => addUnder(service, key, { ...sent, Currency: undefined }), answer);
      const changed = { ...sent, Amount: '11' };
      await refusal(service, () => addUnder(service, key, changed), 422, 'idempotency_key_reused');
    });

    it('gets its first answer by its transaction id, also under a new key and in a dry run', async () => {
      const [key, sent] = [newKey(), withPair({ Currency })];
      const answer = await storedBefore(sent);
      await replay(service, () => sendGift(service, sent), answer);
      const { status, text } = await addUnder(service, key, sent);
      expect([status, text]).toEqual([200, answer.text]);
      await replay(service, () => addUnder(service, key, sent), answer);
      await dryRun(sent).expect(200);
      await refusal(service, () => sendGift(service, { ...sent, Amount: '11' }), 422, 'transaction_id_reused');
      await refusal(service, () => dryRun({ ...sent, Amount: '11' }), 422, 'transaction_id_reused');
    });
  },
);

it('a call that reuses a key after 30 days is compared including its Currency', async () => {
  const [key, sent] = [newKey(), completeGift({ Currency: 'USD' })];
  await storedBefore(sent, key);
  await service.database.query(`UPDATE idempotency_key SET created_at = now() - interval '31 days' WHERE key = $1`, [
    key,
  ]);
  await first(addUnder(service, key, sent));
  const other = { ...sent, Currency: undefined };
  await refusal(service, () => addUnder(service, key, other), 422, 'idempotency_key_reused');
});

it('the request_version columns default to the version before Currency', async () => {
  const { ContributionId } = await addedGift(service, {});
  const [reversing] = await service.database.query<{ column_default: string }>(
    `SELECT DISTINCT column_default FROM information_schema.columns WHERE column_name = 'request_version'`,
  );
  expect(reversing).toEqual({ column_default: '1' });
  const rows = await service.database.query('SELECT request_version FROM contribution WHERE id = $1', [ContributionId]);
  expect(rows).toEqual([{ request_version: 3 }]);
});
