import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changesRecordedBy } from '../finance/finance-calls.js';
import { refusal } from '../contract/gift-requests.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type DepositAnswer, DepositCalls, unique } from './deposit-calls.js';

let service: TestApp;
let calls: DepositCalls;

beforeAll(async () => {
  service = await startTestApp();
  calls = new DepositCalls(service, await service.createUser('treasurer', 'some long password', ['Finance']));
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  await service.stop();
});

describe('an item that is not in the books', () => {
  it('that Finance has added for no user gets the user that is named later, and is then found', async () => {
    const [one, two] = [unique('processor'), unique('processor')];
    const logins = [];
    for (const name of [one, two]) logins.push(await service.createUser(name, 'some long password', ROLES));
    const entered = { DepositId: unique('f'), Source: 'txt2give', Date: '2026-11-20' };
    const TransactionId = unique('twice');
    const made = await calls.post('Deposits/enter', { ...entered, Items: [{ TransactionId }] }).expect(200);
    const { id } = made.body as DepositAnswer;
    for (const [index, login] of logins.entries())
      await service.add({ Source: 'txt2give', TransactionId, Amount: `${index + 7}`, Fee: '0.5' }, login).expect(200);
    expect(await calls.read(id)).toMatchObject({ unknownCount: 1 });
    const add = (Items: readonly object[]): ReturnType<typeof calls.post> =>
      calls.post(`Deposits/${id}/items`, { Items });
    const changes = await changesRecordedBy(service, async () => {
      const named = await add([{ TransactionId, User: one }]).expect(200);
      expect(named.headers['idempotency-replayed']).toBeUndefined();
      expect(named.body).toMatchObject({ itemCount: 1, unknownCount: 0, gross: '7.00', fees: '0.50' });
    });
    expect(changes).toEqual([['treasurer', 'deposit.add', `deposit ${id}`, { items: 0, named: 1 }]]);
    for (const User of [one, undefined]) {
      const again = await add([{ TransactionId, User }]).expect(200);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    const both = await add([{ TransactionId, User: two }]).expect(200);
    expect(both.body).toMatchObject({ itemCount: 2, unknownCount: 0, gross: '15.00' });
  });

  it('that Finance has added for no user is that of the processor that names it', async () => {
    const other = await service.createUser(unique('processor'), 'some long password', ROLES);
    const fields = { DepositId: unique('po') };
    const { id } = await calls.sent(await calls.gifts('11'), fields);
    const TransactionId = unique('late');
    await calls.post(`Deposits/${id}/items`, { Items: [{ TransactionId }] }).expect(200);
    const sent = await calls.send({ ...fields, Items: [{ TransactionId }] }).expect(200);
    expect(sent.headers['idempotency-replayed']).toBeUndefined();
    expect(sent.body).toMatchObject({ itemCount: 2, unknownCount: 1 });
    await service.add({ Source: 'txt2give', TransactionId, Amount: '7' }, other).expect(200);
    expect(await calls.read(id)).toMatchObject({ itemCount: 2, unknownCount: 1 });
    const own = await calls.gift({ TransactionId });
    expect((await calls.read(id)).items.at(-1)).toMatchObject({ paymentId: own.id });
  });

  it('is another one than the gift of another user with its name that Finance has added', async () => {
    const other = await service.createUser(unique('processor'), 'some long password', ROLES);
    const fields = { DepositId: unique('po') };
    const { id } = await calls.sent(await calls.gifts('11'), fields);
    const TransactionId = unique('late');
    await calls.post(`Deposits/${id}/items`, { Items: [{ TransactionId }] }).expect(200);
    await service.add({ Source: 'txt2give', TransactionId, Amount: '7' }, other).expect(200);
    expect(await calls.read(id)).toMatchObject({ itemCount: 2, unknownCount: 0 });
    expect(await calls.accepted({ ...fields, Items: [{ TransactionId }] })).toMatchObject({ unknownCount: 1 });
    const own = await calls.gift({ TransactionId });
    expect(await calls.read(id)).toMatchObject({ itemCount: 3, unknownCount: 0, gross: '28.00' });
    expect((await calls.read(id)).items.at(-1)).toMatchObject({ paymentId: own.id });
  });

  it('is one item for each user, if a call names it without and then with users', async () => {
    const names = [unique('processor'), unique('processor')];
    for (const name of names) await service.createUser(name, 'some long password', ROLES);
    const { id } = await calls.sent([], { Items: undefined });
    const TransactionId = unique('late');
    const Items = [undefined, ...names].map((User) => ({ TransactionId, User }));
    const added = await calls.post(`Deposits/${id}/items`, { Items }).expect(200);
    expect(added.body).toMatchObject({ itemCount: 2, unknownCount: 2 });
  });

  it('cannot get a user whose gift another deposit has', async () => {
    const name = unique('processor');
    const other = await service.createUser(name, 'some long password', ROLES);
    const { id } = await calls.sent([], { Items: undefined });
    const TransactionId = unique('twice');
    await calls.post(`Deposits/${id}/items`, { Items: [{ TransactionId }] }).expect(200);
    await service.add({ Source: 'txt2give', TransactionId, Amount: '7' }, other).expect(200);
    const held = await calls.send({ Items: [{ TransactionId }], Amount: '7' }, other).expect(200);
    const theirs = (held.body as DepositAnswer).id;
    const adding = (): ReturnType<typeof calls.post> =>
      calls.post(`Deposits/${id}/items`, { Items: [{ TransactionId, User: name }] });
    const { detail } = await refusal(service, adding, 409, 'in_other_deposit');
    expect(detail).toContain(`TransactionId ${TransactionId} is in deposit ${theirs} already`);
  });

  it('is a reversal that gets the user named later', async () => {
    const name = unique('processor');
    const other = await service.createUser(name, 'some long password', ROLES);
    const entered = { DepositId: unique('f'), Source: 'txt2give', Date: '2026-11-20' };
    const ReversalOfTransaction = unique('twice');
    const fields = { Source: 'txt2give', TransactionId: ReversalOfTransaction, Amount: '7' };
    const theirs = await service.add(fields, other).expect(200);
    const made = await calls.post('Deposits/enter', { ...entered, Items: [{ ReversalOfTransaction }] }).expect(200);
    const { id } = made.body as DepositAnswer;
    await calls.gift({ TransactionId: ReversalOfTransaction });
    const { ContributionId } = theirs.body as { ContributionId: number };
    await service.reverse(`${ContributionId}/txt2give?amount=3`, other).expect(200);
    expect(await calls.read(id)).toMatchObject({ unknownCount: 1 });
    const named = await calls
      .post(`Deposits/${id}/items`, { Items: [{ ReversalOfTransaction, User: name }] })
      .expect(200);
    expect(named.body).toMatchObject({ itemCount: 1, unknownCount: 0, reversed: '3.00' });
  });
});
