import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { TokenUsers } from '../support/token-users.js';
import { addedGift, refusal } from './gift-requests.js';
import { newKey, replay } from './repeated-requests.js';
import { entriesOf, newFund, problemOf, rowsOf, splitGift } from './reversal-requests.js';

let service: TestApp;
/** Another processor. */
let other: Login;

beforeAll(async () => {
  service = await startTestApp();
  other = await service.createUser('other', 'correct horse battery', ROLES);
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  await service.stop();
});

const reverse = (path: string, login = service.login): supertest.Test =>
  service
    .http()
    .post(`/Api/Transactions/${path}`)
    .auth(...login);

let count = 0;
async function newGift(fields: object = {}): Promise<{ gift: number; path: string; transactionId: string }> {
  const transactionId = `t${++count}`;
  const sent = { Amount: '10', Source: 'shop', TransactionId: transactionId, ...fields };
  const { ContributionId: gift } = await addedGift(service, sent);
  return { gift, path: `shop/${transactionId}/reverse`, transactionId };
}

describe('a reversal by TransactionId', () => {
  it('is that of the gift, by the source in the path', async () => {
    const { gift, path } = await newGift();
    const answer = await reverse(`${path}?amount=3&reason=refund`).expect(200);
    expect(Object.entries(answer.body as object)).toEqual([
      ['operation', 'Reversal'],
      ['peopleId', expect.any(Number)],
      ['contributionId', gift],
      ['source', 'API Reverse (source=shop)'],
    ]);
    await reverse(path).expect(200);
    expect(await entriesOf(service, gift)).toMatchObject([
      { amount: '-3.00', source: 'shop', reason: 'refund' },
      { amount: '-7.00', source: 'shop', reason: null },
    ]);
    await refusal(service, () => reverse(path), 409, 'already_reversed');
  });

  it('of a split gift names its first part, and reverses all', async () => {
    const roof = await newFund(service, 'Roof');
    const transactionId = `t${++count}`;
    const parts = await splitGift(
      service,
      [
        ['10', 1],
        ['20', roof],
      ],
      { Source: 'shop', TransactionId: transactionId },
    );
    const answer = await reverse(`shop/${transactionId}/reverse`).expect(200);
    expect(answer.body).toMatchObject({ contributionId: parts[0] });
    expect((await rowsOf(service, parts[0] ?? 0)).map(({ status }) => status)).toEqual([1, 1, 0, 0]);
  });

  it('finds only the caller’s own transactions', async () => {
    const { path } = await newGift();
    await refusal(service, () => reverse(path, other), 404, 'contribution_not_found');
    await reverse(path).expect(200);
  });

  it('finds nothing by another source, id or case', async () => {
    const { transactionId } = await newGift();
    for (const [source, id] of [
      ['stop', transactionId],
      ['SHOP', transactionId],
      ['shop', `${transactionId}0`],
    ]) {
      const { detail } = await refusal(
        service,
        () => reverse(`${source}/${id}/reverse`),
        404,
        'contribution_not_found',
      );
      expect(detail).toBe(`You have added no gift with the source ${source} and the TransactionId ${id}.`);
    }
  });

  it('decodes and trims both segments as AddContribution reads the fields', async () => {
    const { gift } = await newGift({ Source: 'my shop', TransactionId: 'a/b+c' });
    await reverse('%20my%20shop/a%2Fb+c%20/reverse').expect(200);
    expect(await entriesOf(service, gift)).toMatchObject([{ source: 'my shop' }]);
  });

  it.each([
    ['%20/t/reverse', ['source']],
    ['a/%20/reverse', ['transactionId']],
    ['%00/a%0ab/reverse', ['source', 'transactionId']],
    [`a/${'x'.repeat(101)}/reverse`, ['transactionId']],
    ['a/b/reverse?amount=0', ['amount']],
    ['a/b/reverse?source=c', ['source']],
  ])('%s is refused', async (path, fields) => {
    const { errors } = await refusal(service, () => reverse(path), 400, 'invalid_request');
    expect(errors?.map(({ field }) => field)).toEqual(fields);
  });

  it('takes no body', async () => {
    const { path } = await newGift();
    const { detail } = await refusal(service, () => reverse(path).send({ amount: 1 }), 400, 'invalid_request');
    expect(detail).toContain('amount goes into the query: ?amount=20.00');
  });

  it('has keys of its own', async () => {
    const { gift, path } = await newGift();
    const key = newKey();
    const first = await reverse(`${path}?amount=1`).set('Idempotency-Key', key).expect(200);
    await replay(service, () => reverse(`${path}?amount=1`).set('Idempotency-Key', key), first);
    await service.reverse(`${gift}/shop?amount=1`).set('Idempotency-Key', key).expect(200);
    expect(await entriesOf(service, gift)).toHaveLength(2);
  });

  it.each([
    ['Finance alone', ['Finance']],
    ['no APIWrite', ['Developer', 'APIOnly']],
  ])('is forbidden for a user with %s', async (name, roles) => {
    const login = await service.createUser(`user with ${name}`, 'correct horse battery', roles);
    await problemOf(reverse('a/b/reverse', login), 403, 'forbidden');
  });

  it('needs a token with the scope reverse', async () => {
    const users = new TokenUsers(service);
    const username = await users.newUser();
    const [reversing, adding] = [
      await users.newToken(username, { scopes: ['reverse'] }),
      await users.newToken(username, { scopes: ['add', 'read'] }),
    ];
    await problemOf(reverse('a/b/reverse', reversing.login), 404, 'contribution_not_found');
    await problemOf(reverse('a/b/reverse', adding.login), 403, 'forbidden');
  });
});
