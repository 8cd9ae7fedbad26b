import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { TokenUsers } from '../support/token-users.js';
import { addedGift, fillPool, refusal } from '../contract/gift-requests.js';
import { newKey, replay } from '../contract/repeated-requests.js';
import {
  correct,
  entriesOf,
  newFund,
  noticesOf,
  problemOf,
  type Row,
  rowsOf,
  splitGift,
  sumsByFund,
  takenFrom,
  tally,
} from '../contract/reversal-requests.js';

let service: TestApp;
let finance: Login;
let financeId: number;
let roof: number;
let organ: number;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
  financeId = await idOf('treasurer');
  roof = await newFund(service, 'Roof');
  organ = await newFund(service, 'Organ');
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  await service.stop();
});

async function idOf(username: string): Promise<number> {
  const [user] = await service.database.query<{ id: number }>('SELECT id FROM app_user WHERE username = $1', [
    username,
  ]);
  return user?.id ?? 0;
}

async function bundleOf({ bundle }: Row): Promise<unknown> {
  const [row] = await service.database.query(
    'SELECT user_id AS "user", bundle_type_id AS type, status, day::text AS day FROM bundle WHERE id = $1',
    [bundle],
  );
  return row;
}

const newGift = async (fields: object = {}): Promise<number> =>
  (await addedGift(service, { Amount: '10', ...fields })).ContributionId;

const call = (path: string, body?: object): supertest.Test => correct(service, finance, path, body);

async function auditOf(contributionId: number, action: string): Promise<object[]> {
  const rows = await service.database.query<{ details: object }>(
    'SELECT details FROM audit_entry WHERE subject = $1 AND action = $2 AND actor = $3 ORDER BY id',
    [`contribution ${contributionId}`, action, 'treasurer'],
  );
  return rows.map(({ details }) => details);
}

async function idsIn(answer: supertest.Test): Promise<number[]> {
  return ((await answer.expect(200)).body as { contributionIds: number[] }).contributionIds;
}

/** Each contribution of a payment as its kind, fund and amount. */
async function ledgerOf(contributionId: number): Promise<string[]> {
  return (await rowsOf(service, contributionId)).map(({ amount, fund, reverses, moves, reinstates }) => {
    const kind =
      reverses !== null ? 'reversal' : moves !== null ? 'move' : reinstates !== null ? 'reinstatement' : 'gift';
    return `${kind} ${fund === 1 ? 'General' : fund === roof ? 'Roof' : 'Organ'} ${amount}`;
  });
}

describe('a reversal by Finance', () => {
  it('has its user and bundle, no source, a reason and a note', async () => {
    const gift = await newGift({ BundleTypeId: 20, Source: 'shop' });
    const answer = await call(`${gift}/reverse`, { Amount: 2.5, Reason: 'Returned', Note: 'Check 12\nbounced' }).expect(
      200,
    );
    expect(Object.entries(answer.body as object)).toEqual([
      ['operation', 'Reversal'],
      ['peopleId', expect.any(Number)],
      ['contributionId', gift],
      ['source', 'Finance'],
    ]);
    const [entry] = await entriesOf(service, gift);
    expect(entry).toMatchObject({
      ...{ amount: '-2.50', source: null, reason: 'returned', notes: 'Check 12\nbounced' },
      ...{ created_by: financeId, added_by: await idOf('api') },
    });
    expect(entry && (await bundleOf(entry))).toEqual({ user: financeId, type: 20, status: 1, day: entry?.day });
    expect(await auditOf(gift, 'contribution.reverse')).toEqual([{ reversingContributionId: entry?.id }]);
    expect(await noticesOf(service, gift)).toMatchObject([
      { source: null, username: 'treasurer', amount: '2.50', left: '7.50', reason: 'returned' },
    ]);
  });

  it('takes all that is left without an amount, or all in a fund', async () => {
    const [a = 0, b = 0] = await splitGift(service, [
      ['10', 1],
      ['20', roof],
    ]);
    await call(`${a}/reverse`, { FundId: roof, Reason: 'error' }).expect(200);
    await call(`${b}/reverse`, { Reason: 'duplicate', Note: ' ' }).expect(200);
    expect(await takenFrom(service, a)).toEqual([
      [b, roof, '-20.00'],
      [a, 1, '-10.00'],
    ]);
    const { detail } = await problemOf(call(`${a}/reverse`, { Reason: 'error' }), 409, 'already_reversed');
    expect(detail).toMatch(/ by Finance\.$/);
  });

  it.each([
    [{}, ['Reason']],
    [{ Reason: 'because' }, ['Reason']],
    [{ Reason: 'error', Amount: '0' }, ['Amount']],
    [{ Reason: 'error', Amount: '1.001', FundId: 'x' }, ['Amount', 'FundId']],
    [{ Reason: 'error', Note: 'x'.repeat(4001) }, ['Note']],
    // Whoever sends these means a part, and must not take back all.
    [{ Reason: 'error', Ammount: '1' }, ['Ammount']],
    [{ Reason: 'error', Fund_Id: 1 }, ['Fund_Id']],
    [{ Reason: 'error', Amount: '' }, ['Amount']],
    [{ Reason: 'error', Amount: null }, ['Amount']],
    [{ Reason: 'error', amount: ' ' }, ['Amount']],
    [{ Reason: 'error', FundId: 0 }, ['FundId']],
  ])('with %j is refused', async (body, fields) => {
    const gift = await newGift();
    const { errors } = await refusal(service, () => call(`${gift}/reverse`, body), 400, 'invalid_request');
    expect(errors?.map(({ field }) => field)).toEqual(fields);
  });

  it('of more than is left, of nothing known or of a reversing entry is refused', async () => {
    const gift = await newGift();
    const reason = { Reason: 'error' };
    await refusal(service, () => call(`${gift}/reverse`, { ...reason, Amount: '11' }), 422, 'reversal_exceeds_gift');
    await refusal(service, () => call('2000000001/reverse', reason), 404, 'contribution_not_found');
    await call(`${gift}/reverse`, reason).expect(200);
    const [entry] = await entriesOf(service, gift);
    await refusal(service, () => call(`${entry?.id}/reverse`, reason), 409, 'not_reversible');
  });

  it('needs a body', async () => {
    const gift = await newGift();
    await problemOf(call(`${gift}/reverse`), 415, 'unsupported_media_type');
  });
});

describe('a reinstatement', () => {
  it('adds a gift on the original day, in today’s bundle of Finance', async () => {
    const gift = await newGift({ Date: '2026-02-01', BundleTypeId: 20, ContributionTypeId: 9, Source: 'shop' });
    await service.reverse(`${gift}/bank?amount=4&reason=chargeback`).expect(200);
    const [id = 0] = await idsIn(call(`${gift}/reinstate`, { Note: 'Dispute won' }));
    const [first, entry, added] = await rowsOf(service, gift);
    expect(added).toEqual({
      ...first,
      id,
      ...{ amount: '4.00', reversed: '0.00', status: 0, reinstates: entry?.id, notes: 'Dispute won' },
      ...{ bundle: added?.bundle, created_by: financeId, day: '2026-02-01', source: 'shop', type: 9 },
    });
    expect(added?.giver).toMatch(/@example\.org$/);
    expect(added && (await bundleOf(added))).toEqual({ user: financeId, type: 20, status: 1, day: entry?.day });
    expect(first).toMatchObject({ reversed: '4.00', status: 0 });
    expect(await auditOf(gift, 'contribution.reinstate')).toEqual([
      { reversingContributionIds: [entry?.id], contributionIds: [id] },
    ]);
    // Only the reversal has a notice.
    expect(await noticesOf(service, gift)).toHaveLength(1);
  });

  it('answers with the giver and the new gifts, and takes no body, an empty or a blank one', async () => {
    const [a = 0, b = 0] = await splitGift(service, [
      ['10', 1],
      ['20', roof],
    ]);
    for (const body of [undefined, {}, { Note: null }]) {
      await service.reverse(`${b}/a`).expect(200);
      const answer = await call(`${a}/reinstate`, body).expect(200);
      expect(Object.keys(answer.body as object)).toEqual(['peopleId', 'contributionIds']);
      expect((answer.body as { contributionIds: number[] }).contributionIds).toHaveLength(2);
    }
    expect(await sumsByFund(service, a)).toEqual({ 1: '10.00', [roof]: '20.00' });
  });

  it('is refused with a body that is not a JSON object', async () => {
    const gift = await newGift();
    const send = (type: string, body: string): supertest.Test => call(`${gift}/reinstate`).type(type).send(body);
    await problemOf(send('text/plain', 'x'), 415, 'unsupported_media_type');
    await problemOf(send('application/json', '[]'), 400, 'invalid_request');
    await problemOf(send('application/json', '{'), 400, 'malformed_json');
  });

  it('undoes each reversal once, and has to be told which of several is meant', async () => {
    const gift = await newGift();
    await service.reverse(`${gift}/a?amount=1`).expect(200);
    await service.reverse(`${gift}/a?amount=2`).expect(200);
    await service.reverse(`${gift}/a?amount=3`).expect(200);
    const [one, two, three] = await entriesOf(service, gift);
    await idsIn(call(`${two?.id}/reinstate`));
    await refusal(service, () => call(`${two?.id}/reinstate`), 409, 'not_reinstatable');
    const { detail } = await refusal(service, () => call(`${gift}/reinstate`), 409, 'not_reinstatable');
    expect(detail).toContain(`Name the reversing entry: ${one?.id} or ${three?.id}.`);
    await idsIn(call(`${three?.id}/reinstate`));
    await idsIn(call(`${gift}/reinstate`));
    await refusal(service, () => call(`${gift}/reinstate`), 409, 'not_reinstatable');
    const undone = (await rowsOf(service, gift)).flatMap(({ reinstates }) => (reinstates === null ? [] : [reinstates]));
    expect(undone).toEqual([two?.id, three?.id, one?.id]);
  });

  it('undoes all entries of a split gift, by the id of any of them', async () => {
    const [a = 0, b = 0] = await splitGift(service, [
      ['10', 1],
      ['20', roof],
    ]);
    await service.reverse(`${a}/a?amount=15`).expect(200);
    const [, second] = await entriesOf(service, a);
    await idsIn(call(`${second?.id}/reinstate`));
    expect(await sumsByFund(service, b)).toEqual({ 1: '10.00', [roof]: '20.00' });
  });

  it('can be reversed again, by its own id or that of the gift', async () => {
    const gift = await newGift();
    await service.reverse(`${gift}/a`).expect(200);
    const [id = 0] = await idsIn(call(`${gift}/reinstate`));
    await service.reverse(`${id}/a?amount=4`).expect(200);
    await service.reverse(`${gift}/a`).expect(200);
    expect(await takenFrom(service, gift)).toEqual([
      [gift, 1, '-10.00'],
      [id, 1, '-4.00'],
      [id, 1, '-6.00'],
    ]);
    expect(await noticesOf(service, gift)).toMatchObject([
      { contributionId: gift, left: '0.00', isPartial: false },
      { contributionId: gift, left: '6.00', isPartial: true },
      { contributionId: gift, left: '0.00', isPartial: true },
    ]);
    await refusal(service, () => service.reverse(`${gift}/a`), 409, 'already_reversed');
  });

  it('happens once of 20 calls at once', async () => {
    const gift = await newGift();
    await service.reverse(`${gift}/a`).expect(200);
    await fillPool(service);
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(`${gift}/reinstate`)));
    expect(tally(answers)).toEqual({ 200: 1, '409 not_reinstatable': 19 });
  });

  it('of nothing is refused', async () => {
    const gift = await newGift();
    await refusal(service, () => call(`${gift}/reinstate`), 409, 'not_reinstatable');
    await refusal(service, () => call('2000000001/reinstate'), 404, 'contribution_not_found');
  });
});

describe('a move', () => {
  it('adds a pair to today’s bundle of Finance, and changes nothing else', async () => {
    const gift = await newGift({ BundleTypeId: 20, ContributionTypeId: 5, Source: 'shop' });
    const [before] = await rowsOf(service, gift);
    await service.database.query('UPDATE bundle SET status = 0, closed_at = now() WHERE id = $1', [before?.bundle]);
    const ids = await idsIn(call(`${gift}/move`, { FundId: roof, Reason: 'The giver meant the roof' }));
    const rows = await rowsOf(service, gift);
    const shared = {
      ...{ type: 5, moves: gift, notes: 'The giver meant the roof', reason: null, created_by: financeId, giver: null },
      ...{ status: 0, source: 'shop' },
    };
    expect(rows).toEqual([
      before,
      expect.objectContaining({ ...shared, id: ids[0], amount: '-10.00', fund: 1 }),
      expect.objectContaining({ ...shared, id: ids[1], amount: '10.00', fund: roof }),
    ]);
    expect(rows[1]?.bundle).toBe(rows[2]?.bundle);
    expect(rows[1] && (await bundleOf(rows[1]))).toMatchObject({ user: financeId, type: 20, status: 1 });
    expect(await noticesOf(service, gift)).toEqual([]);
    expect(await auditOf(gift, 'contribution.move')).toEqual([
      { amount: '10.00', currency: 'USD', fromFundIds: [1], toFundId: roof, contributionIds: ids },
    ]);
  });

  it('is followed by a refund from the new fund', async () => {
    const gift = await newGift();
    await service.reverse(`${gift}/a?amount=1`).expect(200);
    const [, moved = 0] = await idsIn(call(`${gift}/move`, { FundId: roof, Reason: 'x' }));
    await service.reverse(`${gift}/a?amount=2`).expect(200);
    await refusal(service, () => service.reverse(`${gift}/a?fundId=1`), 422, 'reversal_exceeds_gift');
    await service.reverse(`${moved}/a?amount=3&fundId=${roof}`).expect(200);
    expect(await ledgerOf(gift)).toEqual([
      'gift General 10.00',
      'reversal General -1.00',
      'move General -9.00',
      'move Roof 9.00',
      'reversal Roof -2.00',
      'reversal Roof -3.00',
    ]);
    expect(await sumsByFund(service, gift)).toEqual({ [roof]: '4.00' });
    expect((await noticesOf(service, gift)).map(({ fund }) => fund.name)).toEqual(['General', 'Roof', 'Roof']);
  });

  it('moves on, back, and only what is not there yet', async () => {
    const [a = 0] = await splitGift(service, [
      ['10', 1],
      ['20', roof],
    ]);
    await idsIn(call(`${a}/move`, { FundId: roof, Reason: 'x' }));
    await idsIn(call(`${a}/move`, { FundId: organ, Reason: 'x' }));
    await idsIn(call(`${a}/move`, { FundId: 1, Reason: 'x' }));
    expect(await ledgerOf(a)).toEqual([
      ...['gift General 10.00', 'gift Roof 20.00', 'move General -10.00', 'move Roof 10.00'],
      ...['move Roof -10.00', 'move Organ 10.00', 'move Roof -20.00', 'move Organ 20.00'],
      ...['move Organ -10.00', 'move General 10.00', 'move Organ -20.00', 'move General 20.00'],
    ]);
    await refusal(service, () => call(`${a}/move`, { FundId: 1, Reason: 'x' }), 409, 'not_movable');
  });

  it('compares what is left and its fund with what the caller has seen', async () => {
    const gift = await newGift();
    const move = (body: object): supertest.Test => call(`${gift}/move`, { FundId: roof, Reason: 'x', ...body });
    const other = await problemOf(move({ Left: '9.99', FromFundId: 1 }), 409, 'gift_changed');
    expect(other.current).toEqual({ contributionId: gift, left: '10.00', currency: 'USD' });
    const moved = await problemOf(move({ Left: '10', FromFundId: organ }), 409, 'gift_changed');
    expect(moved.current).toEqual({ contributionId: gift, left: '10.00', currency: 'USD', fundIds: [1] });
    expect(await ledgerOf(gift)).toEqual(['gift General 10.00']);
    const key = newKey();
    await move({ Left: '10', FromFundId: 1 }).set('Idempotency-Key', key).expect(200);
    await move({ Left: '10', FromFundId: 1 }).set('Idempotency-Key', key).expect(200);
    expect(await ledgerOf(gift)).toEqual(['gift General 10.00', 'move General -10.00', 'move Roof 10.00']);
  });

  it('after a reinstatement moves the new gift, and a reinstatement after it comes back in the new fund', async () => {
    const gift = await newGift();
    await service.reverse(`${gift}/a?amount=4`).expect(200);
    await idsIn(call(`${gift}/reinstate`));
    await idsIn(call(`${gift}/move`, { FundId: roof, Reason: 'x' }));
    await service.reverse(`${gift}/a`).expect(200);
    await idsIn(call(`${gift}/reinstate`));
    expect(await sumsByFund(service, gift)).toEqual({ [roof]: '10.00' });
    await service.reverse(`${gift}/a?amount=5`).expect(200);
    expect(await sumsByFund(service, gift)).toEqual({ [roof]: '5.00' });
  });

  it('of a gift of which nothing is left, of a reversing entry or to an unknown fund is refused', async () => {
    const gift = await newGift();
    const move = (id: number | undefined, fund = roof): supertest.Test =>
      call(`${id}/move`, { FundId: fund, Reason: 'x' });
    const unknown = await refusal(service, () => move(gift, 2_000_000_001), 422, 'fund_not_found');
    expect(unknown.detail).toContain('FundId 2000000001');
    await refusal(service, () => move(2_000_000_001), 404, 'contribution_not_found');
    await service.reverse(`${gift}/a`).expect(200);
    await refusal(service, () => move(gift), 409, 'not_movable');
    const [entry] = await entriesOf(service, gift);
    await refusal(service, () => move(entry?.id), 409, 'not_movable');
  });

  it.each([
    [{}, ['FundId', 'Reason']],
    [{ FundId: 0, Reason: ' ' }, ['FundId', 'Reason']],
    [{ FundId: 1, Reason: 'x'.repeat(4001) }, ['Reason']],
  ])('with %j is refused', async (body, fields) => {
    const { errors } = await refusal(service, () => call('1/move', body), 400, 'invalid_request');
    expect(errors?.map(({ field }) => field)).toEqual(fields);
  });

  it('together with refunds never overdraws a fund', async () => {
    const gift = await newGift({ Amount: '100' });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => service.reverse(`${gift}/a?amount=7`)),
      ...[roof, organ, 1, roof].map((FundId) => call(`${gift}/move`, { FundId, Reason: 'x' })),
    ]);
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    const sums = await sumsByFund(service, gift);
    expect(Object.values(sums)).toEqual(['30.00']);
  });
});

describe('a correction', () => {
  const BODIES = {
    reverse: { Reason: 'error', Amount: '1' },
    reinstate: { Note: 'x' },
    move: { FundId: 0, Reason: 'x' },
  };
  const ACTIONS = Object.keys(BODIES) as (keyof typeof BODIES)[];
  const bodyOf = (action: keyof typeof BODIES): object =>
    action === 'move' ? { FundId: roof, Reason: 'x' } : BODIES[action];

  it.each(ACTIONS)('%s honours an Idempotency-Key', async (action) => {
    const gift = await newGift();
    await service.reverse(`${gift}/a?amount=1`).expect(200);
    const key = newKey();
    const keyed = (path: string, body: object): supertest.Test => call(path, body).set('Idempotency-Key', key);
    const first = await keyed(`${gift}/${action}`, bodyOf(action)).expect(200);
    await replay(service, () => keyed(`${gift}/${action}`, bodyOf(action)), first);
    const another = await newGift();
    await refusal(service, () => keyed(`${another}/${action}`, bodyOf(action)), 422, 'idempotency_key_reused');
  });

  it.each(ACTIONS)('%s is forbidden for processors and for tokens', async (action) => {
    const gift = await newGift();
    const forbidden = await problemOf(
      correct(service, service.login, `${gift}/${action}`, bodyOf(action)),
      403,
      'forbidden',
    );
    expect(forbidden.detail).toContain('Finance');
    const [username] = await service.createUser(`all for ${action}`, 'correct horse battery', [...ROLES, 'Finance']);
    const { login } = await new TokenUsers(service).newToken(username);
    await problemOf(correct(service, login, `${gift}/${action}`, bodyOf(action)), 403, 'forbidden');
  });

  it.each(ACTIONS)('%s reads the id strictly', async (action) => {
    const { errors } = await refusal(service, () => call(`01/${action}`, bodyOf(action)), 400, 'invalid_request');
    expect(errors?.map(({ field }) => field)).toEqual(['id']);
  });
});
