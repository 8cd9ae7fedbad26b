import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { changesRecordedBy, postAs } from './finance-calls.js';
import { addedGift, readBack, refusal, sendGift } from '../contract/gift-requests.js';

let service: TestApp;
let finance: Login;
let deputy: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'some long password', ['Finance']);
  deputy = await service.createUser('deputy', 'some long password', ['Finance']);
});
afterAll(() => service.stop());

interface Fund {
  readonly fundId: number;
  readonly name: string;
  readonly open: boolean;
  readonly default: boolean;
}

const post = (path: string, body?: object, login = finance): supertest.Test => postAs(service, login, path, body);

async function created(name: string): Promise<Fund> {
  return (await post('Funds', { Name: name }).expect(200)).body as Fund;
}

const show = async (id: number): Promise<object> =>
  (await service.get(`Funds/${id}`, finance).expect(200)).body as object;

const fundOf = async (gift: object): Promise<unknown> =>
  (await readBack(service, (await addedGift(service, gift)).ContributionId))['fundId'];

describe('a fund', () => {
  it('is created, closed, opened and made the default, each change once and with its author', async () => {
    let fund: Fund | undefined;
    const changes = await changesRecordedBy(service, async () => {
      fund = await created('  Roof ');
      expect(fund).toEqual({ fundId: fund.fundId, name: 'Roof', open: true, default: false });
      for (const path of ['close', 'close', 'open', 'open', 'default', 'default']) {
        await post(`Funds/${fund.fundId}/${path}`).expect(200);
      }
      await post('Funds/1/default', { Was: fund.fundId }).expect(200);
    });
    const subject = `fund ${fund?.fundId}`;
    expect(changes).toEqual([
      ['treasurer', 'fund.create', subject, {}],
      ['treasurer', 'fund.close', subject, {}],
      ['treasurer', 'fund.open', subject, {}],
      ['treasurer', 'fund.default', subject, {}],
      ['treasurer', 'fund.default', 'fund 1', {}],
    ]);
  });

  it.each([['General'], ['gen-eral'], ['Géneral']])(
    'is not created with the name %s, which is equal to that of another one',
    async (Name) => {
      const problem = await refusal(service, () => post('Funds', { Name }), 409, 'fund_name_taken');
      expect(problem.detail).toBe('There is already a fund with this name.');
    },
  );

  it.each([[{}], [{ Name: ' ' }], [{ Name: 'x'.repeat(101) }], [{ Name: 7 }], [{ Name: 'Tower', Open: false }]])(
    'is not created by %j',
    async (body) => {
      await refusal(service, () => post('Funds', body), 400, 'invalid_request');
    },
  );

  it('is created once by two calls at the same time', async () => {
    const answers = await Promise.all(['Steeple', 'steeple', 'STEEPLE'].map((Name) => post('Funds', { Name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('that is closed cannot be the default; one that does not exist is named', async () => {
    const { fundId } = await created('Closed one');
    await post(`Funds/${fundId}/close`).expect(200);
    const problem = await refusal(service, () => post(`Funds/${fundId}/default`), 409, 'fund_closed');
    expect(problem.detail).toBe('Closed one is closed. Open it first.');
    for (const path of ['close', 'open', 'default']) {
      await refusal(service, () => post(`Funds/2000000001/${path}`), 422, 'fund_not_found');
    }
    await refusal(service, () => post('Funds/2000000001/rename', { Name: 'a', Was: 'b' }), 422, 'fund_not_found');
    await service.get('Funds/2000000001', finance).expect(422);
  });
});

describe('a renamed fund', () => {
  it('keeps its id, shows its former names, and gets gifts by its new and its former names', async () => {
    const { fundId } = await created('Mission');
    const changes = await changesRecordedBy(service, async () => {
      await post(`Funds/${fundId}/rename`, { Name: 'Missions abroad', Was: 'Mission' }).expect(200);
      await post(`Funds/${fundId}/rename`, { Name: 'World', Was: 'Missions abroad' }).expect(200);
      // A repeated click.
      await post(`Funds/${fundId}/rename`, { Name: 'World', Was: 'Missions abroad' }).expect(200);
    });
    expect(changes).toEqual([
      ['treasurer', 'fund.rename', `fund ${fundId}`, {}],
      ['treasurer', 'fund.rename', `fund ${fundId}`, {}],
    ]);
    expect(await show(fundId)).toEqual({
      ...{ fundId, name: 'World', open: true, default: false },
      formerNames: [
        { name: 'Missions abroad', until: expect.any(String) },
        { name: 'Mission', until: expect.any(String) },
      ],
    });
    for (const FundName of ['World', 'MISSION', 'missions-abroad']) expect(await fundOf({ FundName })).toBe(fundId);
    expect(await fundOf({ Splits: [{ FundName: 'Mission', Amount: '10' }] })).toBe(fundId);
    const listed = (await service.get('Funds', finance).expect(200)).body as { funds: Fund[] };
    expect(listed.funds).toContainEqual({ fundId, name: 'World', open: true, default: false });
  });

  it('keeps its former names from other funds, and can have them again itself', async () => {
    const { fundId } = await created('Organ');
    const { fundId: other } = await created('Windows');
    await post(`Funds/${fundId}/rename`, { Name: 'Music', Was: 'Organ' }).expect(200);
    for (const [path, body] of [
      ['Funds', { Name: 'organ' }],
      [`Funds/${other}/rename`, { Name: 'Organ', Was: 'Windows' }],
    ] as const) {
      const problem = await refusal(service, () => post(path, body), 409, 'fund_name_taken');
      expect(problem.detail).toContain(`former name of fund ${fundId}`);
    }
    await refusal(
      service,
      () => post(`Funds/${other}/rename`, { Name: 'MUSIC', Was: 'Windows' }),
      409,
      'fund_name_taken',
    );
    await post(`Funds/${fundId}/rename`, { Name: 'Organ', Was: 'Music' }).expect(200);
    for (const FundName of ['Organ', 'Music']) expect(await fundOf({ FundName })).toBe(fundId);
    // Only the spelling changes.
    await post(`Funds/${fundId}/rename`, { Name: 'ORGAN', Was: 'Organ' }).expect(200);
    expect(await fundOf({ FundName: 'organ' })).toBe(fundId);
  });

  it('shows its new name in the totals of a bundle', async () => {
    const { fundId } = await created('Youth');
    const { bundleId } = await readBack(service, (await addedGift(service, { FundId: fundId })).ContributionId);
    await post(`Funds/${fundId}/rename`, { Name: 'Young people', Was: 'Youth' }).expect(200);
    const bundle = (await service.get(`Bundles/${bundleId}`, finance).expect(200)).body as { byFund: object[] };
    expect(bundle.byFund).toContainEqual(expect.objectContaining({ fundId, fund: 'Young people' }));
  });

  it('is not renamed by somebody who has not seen its present name; the answer shows it', async () => {
    const { fundId } = await created('Tower');
    const [one, two] = await Promise.all([
      post(`Funds/${fundId}/rename`, { Name: 'Bells', Was: 'Tower' }),
      post(`Funds/${fundId}/rename`, { Name: 'Clock', Was: 'Tower' }, deputy),
    ]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
    const [winner, loser] = one.status === 200 ? [one, two] : [two, one];
    expect(loser.body).toMatchObject({ code: 'fund_changed', current: winner.body as object });
    expect(await show(fundId)).toMatchObject({ formerNames: [{ name: 'Tower' }] });
  });

  it('does not change to a blank or too long name, and the old name must be sent', async () => {
    const { fundId } = await created('Garden');
    for (const body of [{ Name: ' ', Was: 'Garden' }, { Name: 'x'.repeat(101), Was: 'Garden' }, { Name: 'Park' }]) {
      await refusal(service, () => post(`Funds/${fundId}/rename`, body), 400, 'invalid_request');
    }
    expect(await show(fundId)).toMatchObject({ name: 'Garden', formerNames: [] });
  });

  it('does not make an unknown name known', async () => {
    await refusal(service, () => sendGift(service, { FundName: 'No such fund' }), 422, 'fund_not_found');
  });
});

it('the default fund is not changed by somebody who has seen another one; the answer shows the present one', async () => {
  const { fundId } = await created('First choice');
  const { fundId: second } = await created('Second choice');
  await post(`Funds/${fundId}/default`, { Was: 1 }).expect(200);
  const problem = await refusal(service, () => post(`Funds/${second}/default`, { Was: 1 }), 409, 'fund_changed');
  expect(problem.detail).toBe('The default fund is First choice now. Nothing was changed.');
  expect(problem.current).toEqual({ fundId, name: 'First choice', open: true, default: true });
  await post('Funds/1/default', { Was: fundId }).expect(200);
});
