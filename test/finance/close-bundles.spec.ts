import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { changesRecordedBy, postAs } from './finance-calls.js';
import { addedGift, type Problem, readBack, refusal } from '../contract/gift-requests.js';

let service: TestApp;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'some long password', ['Finance']);
});
afterAll(() => service.stop());

interface Result {
  readonly bundleId: number;
  readonly status: number;
  readonly bundle?: { readonly status: string; readonly closedBy: string };
  readonly problem?: Problem;
}

const post = (bundles: unknown): supertest.Test => postAs(service, finance, 'Bundles/close', { Bundles: bundles });

async function close(bundles: readonly object[]): Promise<Result[]> {
  return ((await post(bundles).expect(200)).body as { results: Result[] }).results;
}

/** A bundle with one gift, in a type of its own. */
async function newBundle(Amount: string, BundleTypeId: number): Promise<number> {
  const { ContributionId } = await addedGift(service, { Amount, BundleTypeId });
  return (await readBack(service, ContributionId)).bundleId;
}

const statusOf = async (id: number): Promise<unknown> =>
  ((await service.get(`Bundles/${id}`, finance).expect(200)).body as { status: string }).status;

describe('closing several bundles', () => {
  it('closes those that are as expected, and refuses each other one by itself', async () => {
    const [one, two, three] = [await newBundle('10.50', 1), await newBundle('20', 2), await newBundle('30', 3)];
    let results: Result[] = [];
    const changes = await changesRecordedBy(service, async () => {
      results = await close([
        { BundleId: one, Count: 1, Total: '10.50' },
        { BundleId: two, Count: 2, Total: '20' },
        { BundleId: 2_000_000_001, Count: 0, Total: '0' },
        { BundleId: three, Count: 1, Total: '30.00' },
      ]);
    });
    expect(results).toMatchObject([
      { bundleId: one, status: 200, bundle: { status: 'Closed', closedBy: 'treasurer', byFund: [{ total: '10.50' }] } },
      { bundleId: two, status: 409, problem: { code: 'bundle_changed', current: { bundleId: two, status: 'Open' } } },
      { bundleId: 2_000_000_001, status: 404, problem: { code: 'bundle_not_found' } },
      { bundleId: three, status: 200, bundle: { status: 'Closed' } },
    ]);
    expect(results.map((result) => Object.keys(result))).toEqual([
      ['bundleId', 'status', 'bundle'],
      ['bundleId', 'status', 'problem'],
      ['bundleId', 'status', 'problem'],
      ['bundleId', 'status', 'bundle'],
    ]);
    expect(await Promise.all([one, two, three].map(statusOf))).toEqual(['Closed', 'Open', 'Closed']);
    expect(changes.map(([actor, action, subject]) => [actor, action, subject])).toEqual([
      ['treasurer', 'bundle.close', `bundle ${one}`],
      ['treasurer', 'bundle.close', `bundle ${three}`],
    ]);
  });

  it('again has no effect, also twice in one call or in two calls at the same time', async () => {
    const id = await newBundle('7', 5);
    const wanted = { BundleId: id, Count: 1, Total: '7' };
    const changes = await changesRecordedBy(service, async () => {
      const answers = await Promise.all([close([wanted, wanted]), close([wanted])]);
      for (const { status } of answers.flat()) expect(status).toBe(200);
      expect((await close([wanted]))[0]).toMatchObject({ status: 200, bundle: { closedBy: 'treasurer' } });
    });
    expect(changes).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['nothing', []],
    ['a bundle without its total', [{ BundleId: 1, Count: 1 }]],
    ['a bundle without its count', [{ BundleId: 1, Total: '1' }]],
    ['a total that is a number', [{ BundleId: 1, Count: 1, Total: 1 }]],
    ['a count that is text', [{ BundleId: 1, Count: '1', Total: '1' }]],
    ['an unknown field', [{ BundleId: 1, Count: 1, Total: '1', Force: true }]],
    ['101 bundles', Array.from({ length: 101 }, (_, i) => ({ BundleId: i + 1, Count: 0, Total: '0' }))],
    ['ids alone', [1, 2]],
  ])('refuses %s, and closes nothing', async (_what, bundles) => {
    const id = await newBundle('3', 6);
    await refusal(service, () => post(bundles), 400, 'invalid_request');
    expect(await statusOf(id)).toBe('Open');
  });
});

describe('the list of bundles', () => {
  it('can be filtered by user and by type', async () => {
    const other = await service.createUser('other processor', 'some long password', ROLES);
    const { ContributionId } = (await service.add({}, other).expect(200)).body as { ContributionId: number };
    const { bundleId } = await readBack(service, ContributionId, other);
    const ids = async (query: string): Promise<number[]> => {
      const answer = await service.get(`Bundles?${query}`, finance).expect(200);
      return (answer.body as { bundles: { bundleId: number }[] }).bundles.map((bundle) => bundle.bundleId);
    };
    expect(await ids('user=other%20processor')).toEqual([bundleId]);
    expect(await ids('user=other%20processor&bundleTypeId=20')).toEqual([]);
    const trip = await newBundle('3', 20);
    expect(await ids('bundleTypeId=20&status=open')).toEqual([trip]);
    expect(await ids('user=nobody')).toEqual([]);
  });
});
