import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DepositReconciled } from '../../src/contributions/events/index.js';
import { InTransactionOf, sqlRows } from '../../src/database/index.js';
import { refusal } from '../contract/gift-requests.js';
import { assertLedgerInvariants, readClosedBundles, readReconciledDeposits } from '../support/ledger-invariants.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { DepositCalls, unique } from './deposit-calls.js';

const heard: DepositReconciled[] = [];
let refusing = false;

@Injectable()
class Listener {
  @InTransactionOf(DepositReconciled)
  async hear(event: DepositReconciled, tx: EntityManager): Promise<void> {
    heard.push(event);
    if (refusing) throw new Error('A listener failed');
    await sqlRows(tx, 'SELECT 1');
  }
}

@Module({ providers: [Listener] })
class ListeningModule {}

let service: TestApp;
let calls: DepositCalls;

beforeAll(async () => {
  service = await startTestApp({}, { modules: [{ module: ListeningModule }] });
  calls = new DepositCalls(service, await service.createUser('treasurer', 'some long password', ['Finance']));
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  await service.stop();
});

/** A reconciled deposit of these gifts, without fees. */
async function reconciled(ids: readonly number[], Amount: string): Promise<number> {
  const { id } = await calls.sent(ids, { Amount });
  await calls.post(`Deposits/${id}/reconcile`).expect(200);
  return id;
}

describe('reconciling', () => {
  it('publishes DepositReconciled in its transaction, once', async () => {
    const [one = 0] = await calls.gifts('11');
    heard.length = 0;
    const id = await reconciled([one], '11');
    await calls.post(`Deposits/${id}/reconcile`).expect(200);
    const { reconciledAt } = (await service.get(`Deposits/${id}`, calls.finance)).body as { reconciledAt: string };
    const eventId = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown as string;
    expect(heard).toEqual([new DepositReconciled({ eventId, id, username: 'api', reconciledAt })]);
  });

  it('is undone when a listener fails', async () => {
    const [one = 0] = await calls.gifts('11');
    const { id } = await calls.sent([one], { Amount: '11' });
    refusing = true;
    await calls.post(`Deposits/${id}/reconcile`).expect(500);
    refusing = false;
    expect(await calls.read(id)).toMatchObject({ status: 'Matches', reconciledBy: null });
  });
});

describe('a reconciled deposit', () => {
  it.each<[string, (id: number, itemId: number) => [path: string, body: object]]>([
    ['adding items', (id) => [`Deposits/${id}/items`, { Items: [{ TransactionId: 'unknown' }] }]],
    ['removing items', (id, itemId) => [`Deposits/${id}/items/remove`, { ItemIds: [itemId], Reason: 'x' }]],
    ['adjusting', (id) => [`Deposits/${id}/adjust`, { Amount: '1', Reason: 'x' }]],
    ['what the bank says', (id) => [`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '12' }]],
  ])('refuses %s', async (_what, callOf) => {
    const [one = 0] = await calls.gifts('12');
    const id = await reconciled([one], '12');
    const { items } = await calls.read(id);
    await refusal(service, () => calls.post(...callOf(id, items[0]?.itemId ?? 0)), 409, 'deposit_reconciled');
  });

  it('stays as it is when its gifts are taken back, moved, merged or given to another', async () => {
    const fields = { Amount: '20', First: 'Max', Last: 'Poe', Email: 'max@example.org', Phone: '901-555-0142' };
    const [one, two, three] = [await calls.gift(fields), await calls.gift(fields), await calls.gift(fields)];
    const id = await reconciled([one.id, two.id, three.id], '60');
    const [before, closed] = [
      await readReconciledDeposits(service.database),
      await readClosedBundles(service.database),
    ];
    const fund = (await calls.post('Funds', { Name: unique('Fund') }).expect(200)).body as { fundId: number };
    const person = await calls.post('People', { First: 'Una', Last: 'Quill' }).expect(200);
    const { peopleId } = person.body as { peopleId: number };
    const entry = await calls.reverse(one.id, '?amount=5&reason=refund');
    await calls.post(`Contributions/${two.id}/move`, { FundId: fund.fundId, Reason: 'x' }).expect(200);
    await calls.post(`Contributions/${three.id}/reassign`, { PeopleId: peopleId }).expect(200);
    await assertLedgerInvariants(service.database, closed, before);
    expect(await calls.read(id)).toMatchObject({
      status: 'Reconciled',
      gross: '60.00',
      reversed: '0.00',
      likelyCauses: [],
      reversedSince: [{ reversalId: entry, paymentId: one.id, amount: '5.00', reason: 'refund', inDeposit: null }],
      items: [{ reversedAmount: '5.00' }, { reversedAmount: '0.00' }, { giver: { peopleId, first: 'Una' } }],
    });
    const next = await calls.accepted({ Items: [{ ReversalOf: one.id }] });
    expect((await calls.read(id)).reversedSince).toMatchObject([{ reversalId: entry, inDeposit: next.id }]);
    const read = await service.read(one.id).expect(200);
    expect(read.body).toMatchObject({ payment: { deposit: { id, reconciledAt: expect.any(String) as unknown } } });
  });

  it.each<[string, (id: number) => string]>([
    ['changing it', (id) => `UPDATE deposit SET bank_reference = 'x' WHERE id = ${id}`],
    ['opening it', (id) => `UPDATE deposit SET reconciled_at = NULL, reconciled_by = NULL WHERE id = ${id}`],
    ['deleting it', (id) => `DELETE FROM deposit WHERE id = ${id}`],
    ['changing an item', (id) => `UPDATE deposit_item SET amount = 13 WHERE deposit_id = ${id}`],
    ['changing who added an item', (id) => `UPDATE deposit_item SET added_by = 'x' WHERE deposit_id = ${id}`],
    [
      'removing an item',
      (id) =>
        `UPDATE deposit_item SET removed_at = now(), removed_by = 'x', removal_reason = 'x' WHERE deposit_id = ${id}`,
    ],
    ['deleting an item', (id) => `DELETE FROM deposit_item WHERE deposit_id = ${id}`],
    [
      'adding an item',
      (id) => `INSERT INTO deposit_item (deposit_id, is_reversal, source, transaction_id, has_own_fee, added_by)
        VALUES (${id}, false, 'a', 'b', false, 'x')`,
    ],
    [
      'adding an adjustment',
      (id) => `INSERT INTO deposit_adjustment (deposit_id, amount, reason, added_by) VALUES (${id}, 1, 'x', 'x')`,
    ],
    ['emptying the deposits', () => 'TRUNCATE deposit CASCADE'],
    ['emptying the items', () => 'TRUNCATE deposit_item'],
    ['emptying the adjustments', () => 'TRUNCATE deposit_adjustment'],
  ])('is kept by the database against %s', async (_what, statement) => {
    const [one = 0] = await calls.gifts('12');
    const id = await reconciled([one], '12');
    const before = await readReconciledDeposits(service.database);
    await expect(service.database.query(statement(id))).rejects.toMatchObject({
      code: '23514',
      constraint: 'deposit_stays_reconciled',
    });
    expect(await readReconciledDeposits(service.database)).toEqual(before);
  });
});

describe('the database', () => {
  const RECONCILE = (id: number): string =>
    `UPDATE deposit SET reconciled_at = now(), reconciled_by = 'x' WHERE id = ${id}`;

  it.each<[string, object, string]>([
    ['that differs by a cent', { Amount: '11.99' }, 'deposit_reconciled_matches'],
    ['without an amount to compare with', {}, 'deposit_reconciled_matches'],
  ])('refuses to reconcile a deposit %s', async (_what, fields, constraint) => {
    const [one = 0] = await calls.gifts('12');
    const { id } = await calls.sent([one], fields);
    await expect(service.database.query(RECONCILE(id))).rejects.toMatchObject({ code: '23514', constraint });
  });

  it('refuses to reconcile a deposit with an item that is not in the books', async () => {
    const { id } = await calls.accepted({ Items: [{ TransactionId: unique('none') }], Amount: '0' });
    const constraint = 'deposit_reconciled_matches';
    await expect(service.database.query(RECONCILE(id))).rejects.toMatchObject({ constraint });
  });

  it('refuses to reconcile a deposit whose sums somebody has changed', async () => {
    const [one = 0] = await calls.gifts('12');
    const { id } = await calls.sent([one], { Amount: '13' });
    await service.database.query(`UPDATE deposit SET gross = 13 WHERE id = ${id}`);
    const constraint = 'deposit_is_sum_of_items';
    await expect(service.database.query(RECONCILE(id))).rejects.toMatchObject({ constraint });
    await service.database.query(`UPDATE deposit SET gross = 12 WHERE id = ${id}`);
  });

  it('refuses a payment and a reversal in a second deposit', async () => {
    const [one = 0] = await calls.gifts('12');
    const entry = await calls.reverse(one);
    const { id } = await calls.accepted({ Items: [{ ContributionId: one }, { ReversalOf: one }] });
    const other = await calls.sent([], { Items: undefined });
    const copy = (isReversal: boolean): string => `
      INSERT INTO deposit_item (deposit_id, is_reversal, contribution_id, payment_id, reversal_id, amount, has_own_fee, added_by)
      SELECT ${other.id}, is_reversal, contribution_id, payment_id, reversal_id, amount, has_own_fee, added_by
      FROM deposit_item WHERE deposit_id = ${id} AND is_reversal = ${isReversal}`;
    await expect(service.database.query(copy(false))).rejects.toMatchObject({
      constraint: 'deposit_item_payment_once',
    });
    await expect(service.database.query(copy(true))).rejects.toMatchObject({
      constraint: 'deposit_item_reversal_once',
    });
    expect(entry).toBeGreaterThan(one);
  });

  it('keeps adjustments as they are', async () => {
    const { id } = await calls.sent([], { Items: undefined });
    await calls.post(`Deposits/${id}/adjust`, { Amount: '1', Reason: 'x' }).expect(200);
    for (const statement of [
      `UPDATE deposit_adjustment SET amount = 2 WHERE deposit_id = ${id}`,
      `DELETE FROM deposit_adjustment WHERE deposit_id = ${id}`,
    ])
      await expect(service.database.query(statement)).rejects.toMatchObject({ constraint: 'deposit_adjustment_stays' });
  });
});

describe('the bundles of a deposit', () => {
  interface Result {
    readonly bundleId: number;
    readonly status: number;
    readonly problem?: { readonly code: string; readonly detail: string };
    readonly bundle?: { readonly status: string };
  }

  const close = async (id: number): Promise<readonly Result[]> =>
    ((await calls.post(`Deposits/${id}/close-bundles`).expect(200)).body as { results: Result[] }).results;

  /** A gift in a bundle of this type. */
  const inBundle = async (BundleTypeId: number, fields: object = {}): Promise<number> =>
    (await calls.gift({ BundleTypeId, Amount: '12', ...fields })).id;

  it('are closed if everything in them is in reconciled deposits', async () => {
    const [one, two, later] = [await inBundle(1), await inBundle(2), await inBundle(2)];
    await inBundle(1, { ContributionTypeId: 8 });
    const { id } = await calls.sent([one, two], { Amount: '24' });
    await refusal(service, () => calls.post(`Deposits/${id}/close-bundles`), 409, 'deposit_not_reconciled');
    await calls.post(`Deposits/${id}/reconcile`).expect(200);
    const { bundles } = await calls.read(id);
    expect(bundles).toMatchObject([
      { status: 'Open', bundleType: 'Generic Envelopes', count: 1, total: '12.00', uncovered: 0 },
      { status: 'Open', count: 1, uncovered: 1 },
    ]);
    const [first, second] = bundles.map(({ bundleId }) => bundleId);
    expect(await close(id)).toMatchObject([
      { bundleId: first, status: 200, bundle: { status: 'Closed', closedBy: 'treasurer' } },
      {
        bundleId: second,
        status: 409,
        problem: {
          code: 'bundle_not_covered',
          detail: `Bundle ${second} has 1 entry that is in no reconciled deposit. It was not closed.`,
        },
      },
    ]);
    const other = await reconciled([later], '12');
    expect((await close(other)).map(({ status }) => status)).toEqual([200]);
    // To repeat the call has no effect.
    expect((await close(id)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('stay open while a reversal or a reinstatement in them is in no deposit', async () => {
    const one = await inBundle(3);
    const id = await reconciled([one], '12');
    const entry = await calls.reverse(one);
    expect((await close(id))[0]).toMatchObject({ status: 409, problem: { code: 'bundle_not_covered' } });
    const { id: next } = await calls.accepted({ Items: [{ ReversalOf: one }], Amount: '-12' });
    await calls.post(`Deposits/${next}/reconcile`).expect(200);
    expect((await close(next))[0]).toMatchObject({ status: 200 });
    expect(entry).toBeGreaterThan(one);
    await service.get('Deposits/2000000001', calls.finance).expect(404);
    await calls.post('Deposits/2000000001/close-bundles').expect(404);
  });

  it('stay open while there is a reinstated gift in them', async () => {
    const finance = await service.createUser('both', 'some long password', [
      'Developer',
      'APIOnly',
      'APIWrite',
      'Finance',
    ]);
    const added = await service.add({ Amount: '12', BundleTypeId: 20, Source: 'txt2give' }, finance).expect(200);
    const { ContributionId } = added.body as { ContributionId: number };
    await service.reverse(`${ContributionId}/txt2give`, finance).expect(200);
    const items = [{ ContributionId }, { ReversalOf: ContributionId }];
    const sent = await calls.send({ Items: items, Amount: '0' }, finance).expect(200);
    const { id } = sent.body as { id: number };
    await calls.post(`Deposits/${id}/reconcile`).expect(200);
    const reinstate = { path: `/Api/Contributions/${ContributionId}/reinstate`, login: finance };
    await service
      .http()
      .post(reinstate.path)
      .auth(...reinstate.login)
      .send({})
      .expect(200);
    expect((await close(id))[0]).toMatchObject({ status: 409, problem: { code: 'bundle_not_covered' } });
  });
});
