import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { runProgram } from '../support/service-process.js';
import { gift as giftFields, type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, type Problem, readBack, recordedGift, type View } from './gift-requests.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
});
afterAll(() => service.stop());

describe('a gift reads back', () => {
  it('as it was sent', async () => {
    const sent = giftFields('whole', {
      ...{ Amount: '1234.5', Address: '1 Main St\nApt 2', Zip: 38103, Date: '2026-07-26', Notes: 'For\tthe roof' },
      ...{ Source: 'txt2give', BundleTypeId: 20, ContributionTypeId: 9, FundId: 1 },
    });
    const { ContributionId, PeopleId } = await addedGift(service, sent);
    const view = await readBack(service, ContributionId);
    expect(view).toEqual({
      ...{ contributionId: ContributionId, peopleId: PeopleId, amount: '1234.50', currency: 'USD' },
      ...{ date: '2026-07-26T05:00:00.000Z', day: '2026-07-26', fundId: 1, bundleId: view.bundleId, bundleTypeId: 20 },
      ...{ contributionTypeId: 9, status: 'Recorded', source: 'txt2give', transactionId: null, notes: 'For\tthe roof' },
      giver: {
        ...{ first: sent['First'], last: sent['Last'], email: sent['Email'], phone: sent['Phone'] },
        ...{ address: '1 Main St\nApt 2', zip: '38103' },
      },
      ...{ createdBy: 'api', createdAt: view['createdAt'], updatedAt: view['updatedAt'] },
      match: { by: 'created', on: [], otherCandidates: [] },
      ...{ reverses: null, reversal: null },
      payment: {
        ...{ paymentId: ContributionId, amount: '1234.50', fee: null, net: null, method: null },
        ...{ checkNumber: null, payoutId: null, parts: [ContributionId], deposit: null },
      },
      ...{ reversedAmount: '0.00', reversals: [], reason: null, refundId: null, reinstatedBy: null },
      ...{ reinstates: null, moves: null },
    });
    expect(Number.isSafeInteger(view.bundleId)).toBe(true);
  });

  it('with defaults for the fields that were not sent', async () => {
    const start = DateTime.now().toMillis();
    const view = await recordedGift(service, {});
    expect(view).toMatchObject({ fundId: 1, bundleTypeId: 4, contributionTypeId: 1, source: null, notes: null });
    expect(view.giver).toMatchObject({ address: null, zip: null });
    for (const at of [view['date'], view['createdAt'], view['updatedAt']].map(String)) {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(at)).toBeGreaterThanOrEqual(start - 1);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now() + 1);
    }
  });

  it('with its reversal after it is reversed, and the reversing entry names the gift but no giver', async () => {
    const before = await recordedGift(service, { Amount: '12.34', Notes: 'n', Source: 'web', Date: '2026-01-15' });
    await service.reverse(`${before.contributionId}/txt2give`).expect(200);
    const view = await readBack(service, before.contributionId);
    const reversal = {
      ...{ contributionId: view.reversal.contributionId, source: 'txt2give', by: 'api', at: view.reversal.at },
      ...{ amount: '12.34', reason: null, refundId: null, reinstatedBy: null },
    };
    expect(view).toEqual({
      ...{ ...before, status: 'Reversed', updatedAt: view['updatedAt'] },
      ...{ reversal, reversals: [reversal], reversedAmount: '12.34' },
    });
    // The fields of the first release come first, in their order.
    expect(Object.keys(view.reversal).slice(0, 4)).toEqual(['contributionId', 'source', 'by', 'at']);
    expect(Object.keys(view).slice(0, 21).slice(-3)).toEqual(['match', 'reverses', 'reversal']);
    expect(String(view['updatedAt']) > String(before['updatedAt'])).toBe(true);
    const entry = await readBack(service, reversal.contributionId);
    expect(entry).toEqual({
      ...before,
      ...{ contributionId: reversal.contributionId, amount: '-12.34', date: entry['date'], day: entry['day'] },
      ...{ bundleId: entry.bundleId, contributionTypeId: 7, source: 'txt2give', notes: null, giver: null },
      ...{ createdAt: reversal.at, updatedAt: entry['updatedAt'], match: null, reverses: before.contributionId },
    });
    const day = DateTime.fromISO(String(entry['date']), { zone: 'America/Chicago' }).toISODate();
    expect(entry['day']).toBe(day);
  });
});

it.each(['a gift', 'a reversed gift', 'a reversing entry'])(
  'the command line prints the same as the API for %s',
  async (what) => {
    let { contributionId } = await recordedGift(service, {
      Source: 'cli',
      TransactionId: what,
      Notes: 'n',
      Zip: '02134',
    });
    if (what !== 'a gift') await service.reverse(`${contributionId}/cli`).expect(200);
    const view = await readBack(service, contributionId);
    if (what === 'a reversing entry') contributionId = view.reversal.contributionId;
    const variables = { DATABASE_URL: service.database.url };
    const printed = await runProgram('cli', ['contribution', 'show', String(contributionId), '--json'], variables);
    const { text } = await service.read(contributionId).expect(200);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.stringify(JSON.parse(printed.stdout))).toBe(text);
  },
);

describe('visibility', () => {
  let adder: Login;
  let reverser: Login;
  let gift: View;
  let entry: number;

  beforeAll(async () => {
    adder = await service.createUser('adder', PASSWORD, ROLES);
    reverser = await service.createUser('reverser', PASSWORD, ROLES);
    const { ContributionId } = (await service.add({}, adder).expect(200)).body as { ContributionId: number };
    await service.reverse(`${ContributionId}/a`, reverser).expect(200);
    gift = (await service.read(ContributionId, adder).expect(200)).body as View;
    entry = gift.reversal.contributionId;
  });

  it('the user who added a gift sees it and its reversing entry, even if another user reversed it', async () => {
    await service.read(gift.contributionId, adder).expect(200);
    const answer = await service.read(entry, adder).expect(200);
    expect(answer.body).toMatchObject({ createdBy: 'reverser', reverses: gift.contributionId, giver: null });
  });

  it.each(['gift', 'reversing entry'])(
    'other API users, including the one who reversed the gift, get 404 for the %s',
    async (what) => {
      const id = what === 'gift' ? gift.contributionId : entry;
      for (const login of [reverser, service.login]) {
        const problem = (await service.read(id, login).expect(404)).body as Problem;
        expect(problem.code).toBe('contribution_not_found');
        expect(problem.detail.replace(String(id), '#')).toBe(await detailOfUnknown(login));
      }
    },
  );

  async function detailOfUnknown(login: Login): Promise<string> {
    const problem = (await service.read(2000000001, login).expect(404)).body as Problem;
    return problem.detail.replace('2000000001', '#');
  }

  it.each([
    [['Finance']],
    [['Finance', 'APIWrite']],
    [['Finance', 'Developer']],
    [['Finance', 'Developer', 'APIOnly']],
    [['Finance', ...ROLES]],
    [['Auditor']],
    [['Auditor', ...ROLES]],
  ])('a user with the roles %j sees everything', async (roles) => {
    const login = await service.createUser(`sees all (${roles.join()})`, PASSWORD, roles);
    for (const id of [gift.contributionId, entry]) await service.read(id, login).expect(200);
  });

  it('a user with Developer and APIOnly sees only their own gifts', async () => {
    const login = await service.createUser('was writer', PASSWORD, ROLES);
    const { ContributionId } = (await service.add({}, login).expect(200)).body as { ContributionId: number };
    const withdraw = `DELETE FROM app_user_role WHERE user_id = (SELECT id FROM app_user WHERE username = 'was writer')
      AND role_id = (SELECT id FROM role WHERE name = 'APIWrite')`;
    await service.database.query(withdraw);
    await service.read(ContributionId, login).expect(200);
    await service.read(gift.contributionId, login).expect(404);
    await service.add({}, login).expect(403);
  });

  it.each([
    [[]],
    [['APIWrite']],
    [['Developer']],
    [['APIOnly']],
    [['Developer', 'APIWrite']],
    [['APIOnly', 'APIWrite']],
  ])('a user with the roles %j gets 403 for known, unknown and malformed ids', async (roles: string[]) => {
    const login = await service.createUser(`refused (${roles.join()})`, PASSWORD, roles);
    for (const id of [gift.contributionId, 2000000001, 'x']) {
      const problem = (await service.read(id, login).expect(403)).body as Problem;
      expect(problem.code).toBe('forbidden');
      const missing = ['Developer', 'APIOnly'].filter((role) => !roles.includes(role));
      for (const role of missing) expect(problem.detail).toContain(role);
    }
  });

  it('a caller without valid credentials cannot learn whether a gift exists', async () => {
    const ask = (id: number | string): Promise<string> =>
      service
        .read(id, ['nobody', 'wrong'])
        .set('X-Request-Id', 'same')
        .expect(401)
        .then(({ text }) => text);
    expect(new Set([await ask(gift.contributionId), await ask(2000000001), await ask('x')]).size).toBe(1);
  });
});

describe('the id', () => {
  it.each([
    ...[
      '0',
      '01',
      '-1',
      '+1',
      '1e1',
      '0x1',
      '1.0',
      'abc',
      '%20',
      '1%20',
      '%201',
      '1%00',
      '%EF%BC%91',
      '%ff',
      '%',
      '1%2F1',
    ],
    ...['2147483648', '9007199254740993', '9'.repeat(40), "1'--", 'null', 'NaN'],
  ])('%s is malformed', async (id) => {
    expect((await service.read(id).expect(400)).body).toMatchObject({ code: 'invalid_request' });
  });

  it.each(['2147483647', '2000000001'])('%s is unknown', async (id) => {
    expect((await service.read(id).expect(404)).body).toMatchObject({ code: 'contribution_not_found' });
  });
});
