import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, type Problem, readBack, rowCounts, type View } from '../contract/gift-requests.js';
import { type Details, giver } from '../contract/givers.js';
import { addPart, moveToFund, reinstate, reversePart } from '../contract/payment-rows.js';
import { openReview } from './review-requests.js';
import { mergePersons } from '../support/merge-persons.js';

let service: TestApp;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);

async function newPerson(): Promise<[Details, number]> {
  const sent = giver();
  return [sent, (await added(sent)).PeopleId];
}

const reassign = (id: number | string, body: object | string): supertest.Test =>
  service
    .http()
    .post(`/Api/Contributions/${id}/reassign`)
    .auth(...finance)
    .set('Content-Type', 'application/json')
    .send(body);

const kept = (contributionId: number): Promise<unknown[]> =>
  service.database.query(
    `SELECT from_person_id AS from, to_person_id AS to, reassigned_by AS by, reassigned_at AS at
     FROM reassignment WHERE contribution_id = $1 ORDER BY id`,
    [contributionId],
  );

const everything = async (): Promise<unknown> => [
  await rowCounts(service),
  await service.database.query('SELECT id, person_id, status FROM contribution ORDER BY id'),
  await service.database.query('SELECT * FROM reassignment ORDER BY id'),
  await service.database.query('SELECT * FROM review ORDER BY id'),
];

describe('a gift that is reassigned', () => {
  it('is reviewed again: reasons of the old giver are settled and those of the new one are listed', async () => {
    const [sent] = await newPerson();
    const [other, to] = await newPerson();
    const { ContributionId } = await added({ ...sent, Amount: '91' });
    await added({ ...other, Amount: '91' });
    await service.app.get(PersonRecords).edit({ peopleId: to, deceased: true });
    await reassign(ContributionId, { PeopleId: to }).expect(200);
    expect(
      await service.database.query('SELECT reasons, accepted_at FROM review WHERE contribution_id = $1', [
        ContributionId,
      ]),
    ).toEqual([{ reasons: ['deceased', 'possible_duplicate'], accepted_at: null }]);
  });

  it('to its current person does not change, and nothing is stored', async () => {
    const [sent, id] = await newPerson();
    const { ContributionId } = await added(sent);
    const before = await everything();
    await reassign(ContributionId, { PeopleId: id }).expect(200);
    expect(await everything()).toEqual(before);
  });

  it('belongs to the new person, is otherwise unchanged, and a record of the reassignment is stored', async () => {
    const [sent, from] = await newPerson();
    const [, to] = await newPerson();
    const { ContributionId } = await added({ ...sent, Amount: '12.34', Notes: 'a note', Source: 'a' });
    const before = await readBack(service, ContributionId);
    const answer = await reassign(ContributionId, { PeopleId: to }).expect(200);
    expect(JSON.stringify(answer.body)).toBe(
      JSON.stringify({ contributionId: ContributionId, fromPeopleId: from, toPeopleId: to }),
    );
    const after = await readBack(service, ContributionId);
    expect(after).toEqual({ ...before, peopleId: to, updatedAt: after['updatedAt'] });
    expect(await kept(ContributionId)).toEqual([{ from, to, by: 'treasurer', at: expect.any(Date) }]);
  });

  it('moves with its reversing entry, and a later reversing entry belongs to the new person', async () => {
    const [sent, from] = await newPerson();
    const [, to] = await newPerson();
    const gifts = [await added({ ...sent, Amount: '5' }), await added({ ...sent, Amount: '6' })] as const;
    await service.reverse(`${gifts[0].ContributionId}/test`).expect(200);
    for (const { ContributionId } of gifts) await reassign(ContributionId, { PeopleId: to }).expect(200);
    const late = await service.reverse(`${gifts[1].ContributionId}/test`).expect(200);
    expect(late.body).toMatchObject({ peopleId: to });
    for (const { ContributionId } of gifts) {
      const { reversal } = await readBack(service, ContributionId);
      expect((await readBack(service, reversal.contributionId)).peopleId).toBe(to);
    }
    const sums =
      'SELECT person_id AS id, sum(amount)::text AS sum FROM contribution WHERE person_id = ANY($1) GROUP BY 1';
    expect(await service.database.query(`${sums} ORDER BY 1`, [[from, to]])).toEqual([
      { id: from, sum: '10.00' },
      { id: to, sum: '10.00' },
    ]);
  });

  it('is no longer listed for review, and an accepted review keeps who accepted it', async () => {
    const [sent, from] = await newPerson();
    const [, to] = await newPerson();
    await service.app.get(PersonRecords, { strict: false }).edit({ peopleId: from, deceased: true });
    const { ContributionId } = await added({ ...sent, Amount: '5' });
    const reviews = (): Promise<Record<string, unknown>[]> =>
      service.database.query('SELECT * FROM review WHERE contribution_id = $1', [ContributionId]);
    expect(await reviews()).toMatchObject([{ accepted_by: null }]);
    await reassign(ContributionId, { PeopleId: to }).expect(200);
    const first = await reviews();
    expect(first).toMatchObject([{ accepted_by: 'treasurer' }]);
    const open = await service
      .http()
      .get('/Api/Reviews')
      .auth(...finance);
    expect(JSON.stringify(open.body)).not.toContain(`"contributionId":${ContributionId},`);
    finance = await service.createUser('second', 'correct horse battery', ['Finance']);
    await reassign(ContributionId, { PeopleId: from }).expect(200);
    expect(await reviews()).toEqual(first);
    expect(await kept(ContributionId)).toMatchObject([
      { from, to, by: 'treasurer' },
      { from: to, to: from, by: 'second' },
    ]);
  });

  it('to a merged person belongs to the survivor', async () => {
    const [sent] = await newPerson();
    const [, merged] = await newPerson();
    const [, into] = await newPerson();
    await mergePersons(service, { from: merged, into });
    const { ContributionId } = await added(sent);
    const answer = await reassign(ContributionId, { PeopleId: merged }).expect(200);
    expect(answer.body).toMatchObject({ toPeopleId: into });
    expect((await readBack(service, ContributionId)).peopleId).toBe(into);
  });

  it('in a closed bundle changes only its person', async () => {
    const [sent] = await newPerson();
    const [, to] = await newPerson();
    const { ContributionId } = await added(sent);
    const { bundleId } = await readBack(service, ContributionId);
    await service.database.query('UPDATE bundle SET status = 0, closed_at = now() WHERE id = $1', [bundleId]);
    const bundle = (): Promise<unknown> =>
      service.database.query(
        'SELECT id, amount, fund_id, day, status FROM contribution WHERE bundle_id = $1 ORDER BY 1',
        [bundleId],
      );
    const before = await bundle();
    const view: View = await readBack(service, ContributionId);
    await reassign(ContributionId, { PeopleId: to }).expect(200);
    expect(await bundle()).toEqual(before);
    const after = await readBack(service, ContributionId);
    expect(after).toEqual({ ...view, peopleId: to, updatedAt: after['updatedAt'] });
  });

  it('during a merge of its person and its own reversal belongs to the new person, as does its reversing entry', async () => {
    for (let i = 0; i < 10; i++) {
      const [sent, from] = await newPerson();
      const [, into] = await newPerson();
      const [, to] = await newPerson();
      const { ContributionId } = await added({ ...sent, Amount: '5' });
      const [reassigned, reversed] = await Promise.all([
        reassign(ContributionId, { PeopleId: to }),
        service.reverse(`${ContributionId}/test`),
        mergePersons(service, { from, into }),
      ]);
      expect([reassigned.status, reversed.status]).toEqual([200, 200]);
      const view = await readBack(service, ContributionId);
      expect(view.peopleId).toBe(to);
      expect((await readBack(service, view.reversal.contributionId)).peopleId).toBe(to);
      expect(await service.database.query('SELECT id FROM contribution WHERE person_id = $1', [from])).toEqual([]);
    }
  });

  it('to a person who is being merged belongs to the survivor', async () => {
    for (let i = 0; i < 10; i++) {
      const [sent] = await newPerson();
      const [, merged] = await newPerson();
      const [, into] = await newPerson();
      const { ContributionId } = await added(sent);
      const [answer] = await Promise.all([
        reassign(ContributionId, { PeopleId: merged }),
        mergePersons(service, { from: merged, into }),
      ]);
      expect(answer.status).toBe(200);
      expect((await readBack(service, ContributionId)).peopleId).toBe(into);
    }
  });
});

describe('a payment of several entries', () => {
  /** A payment of two parts, one of them reversed in part, moved, and reinstated. */
  async function payment(): Promise<{ from: number; gifts: number[]; entry: number; moves: number[] }> {
    const [sent, from] = await newPerson();
    const { ContributionId } = await added({ ...sent, Amount: '30' });
    const part = await addPart(service, ContributionId, '20');
    const entry = await reversePart(service, part, '5');
    const moves = await moveToFund(service, part, 1);
    return { from, gifts: [ContributionId, part, await reinstate(service, entry)], entry, moves };
  }

  /** The reasons of the open review of each gift. */
  const reasonsOf = async (gifts: readonly number[]): Promise<unknown[]> =>
    Promise.all(
      gifts.map(async (gift) => {
        const open = 'SELECT reasons FROM review WHERE contribution_id = $1 AND accepted_at IS NULL';
        const [review] = await service.database.query<{ reasons: string[] }>(open, [gift]);
        return review?.reasons ?? [];
      }),
    );

  const personsOf = (ids: readonly number[]): Promise<number[]> =>
    Promise.all(ids.map(async (id) => (await readBack(service, id)).peopleId));

  it.each([
    ['its first part', ({ gifts }: { gifts: number[] }) => gifts[0]],
    ['another part', ({ gifts }: { gifts: number[] }) => gifts[1]],
    ['a reinstatement', ({ gifts }: { gifts: number[] }) => gifts[2]],
    ['a move to another fund', ({ moves }: { moves: number[] }) => moves[0]],
  ])('is reassigned as a whole by the id of %s, with a record for each gift', async (_what, idOf) => {
    const { from, gifts, entry, moves } = await payment();
    const [, to] = await newPerson();
    const named = idOf({ gifts, moves }) ?? 0;
    const answer = await reassign(named, { PeopleId: to }).expect(200);
    expect(answer.body).toEqual({ contributionId: named, fromPeopleId: from, toPeopleId: to });
    expect(new Set(await personsOf([...gifts, entry, ...moves]))).toEqual(new Set([to]));
    for (const gift of gifts) expect(await kept(gift)).toMatchObject([{ from, to, by: finance[0] }]);
    for (const other of [entry, ...moves]) expect(await kept(other)).toEqual([]);
    const [trail] = await service.database.query(
      `SELECT details FROM audit_entry WHERE subject = $1 AND action = 'contribution.reassign'`,
      [`contribution ${named}`],
    );
    expect(trail).toEqual({ details: { from, to, gifts } });
  });

  it('is merged as a whole, with a record for each gift', async () => {
    const { from, gifts, entry, moves } = await payment();
    const [, into] = await newPerson();
    await mergePersons(service, { from, into });
    expect(new Set(await personsOf([...gifts, entry, ...moves]))).toEqual(new Set([into]));
    for (const gift of gifts) expect(await kept(gift)).toMatchObject([{ from, to: into }]);
    for (const other of [entry, ...moves]) expect(await kept(other)).toEqual([]);
  });

  it('is not reassigned by the id of a reversing entry', async () => {
    const { entry, from } = await payment();
    expect((await reassign(entry, { PeopleId: from }).expect(409)).body).toMatchObject({ code: 'not_reassignable' });
  });

  it('is reviewed again, each of its gifts, without taking its own parts for duplicates', async () => {
    const { gifts } = await payment();
    const [, to] = await newPerson();
    await service.app.get(PersonRecords).edit({ peopleId: to, deceased: true });
    await reassign(gifts[1] ?? 0, { PeopleId: to }).expect(200);
    // Doubts about the giver are listed once for a payment.
    expect(await reasonsOf(gifts)).toEqual([['deceased'], [], []]);
    const [, next] = await newPerson();
    await service.app.get(PersonRecords).edit({ peopleId: next, deceased: true });
    await reversePart(service, gifts[0] ?? 0, '30');
    await reassign(gifts[1] ?? 0, { PeopleId: next }).expect(200);
    expect(await reasonsOf(gifts)).toEqual([[], ['deceased'], []]);
  });

  it('reassigned from both ends and merged at the same time belongs to one person', async () => {
    for (let i = 0; i < 10; i++) {
      const { from, gifts, entry, moves } = await payment();
      const [, one] = await newPerson();
      const [, two] = await newPerson();
      const answers = await Promise.all([
        reassign(gifts[0] ?? 0, { PeopleId: one }),
        reassign(gifts[2] ?? 0, { PeopleId: two }),
        mergePersons(service, { from, into: two }),
      ]);
      expect(answers.slice(0, 2).map((answer) => answer?.status)).toEqual([200, 200]);
      const persons = new Set(await personsOf([...gifts, entry, ...moves]));
      expect([[one], [two]]).toContainEqual([...persons]);
    }
  });
});

describe('the review reason earlier_year', () => {
  const list = (id: number, ...reasons: string[]): Promise<unknown> =>
    service.database.query('INSERT INTO review (contribution_id, reasons) VALUES ($1, $2)', [id, reasons]);

  it('stays while the review is open, and the doubts about the giver are decided again', async () => {
    const [sent] = await newPerson();
    const [, to] = await newPerson();
    const { ContributionId } = await added({ ...sent, Amount: '77' });
    await list(ContributionId, 'other_last_name', 'earlier_year');
    await reassign(ContributionId, { PeopleId: to }).expect(200);
    expect((await openReview(service, finance, ContributionId)).reasons).toEqual(['earlier_year']);
    const [, next] = await newPerson();
    await service.app.get(PersonRecords).edit({ peopleId: next, deceased: true });
    await reassign(ContributionId, { PeopleId: next }).expect(200);
    expect((await openReview(service, finance, ContributionId)).reasons).toEqual(['deceased', 'earlier_year']);
  });

  it('does not return once it was accepted', async () => {
    const [sent] = await newPerson();
    const [, to] = await newPerson();
    const { ContributionId } = await added({ ...sent, Amount: '77' });
    await list(ContributionId, 'earlier_year');
    const { reviewId } = await openReview(service, finance, ContributionId);
    await service
      .http()
      .post(`/Api/Reviews/${reviewId}/accept`)
      .auth(...finance)
      .expect(200);
    await reassign(ContributionId, { PeopleId: to }).expect(200);
    await expect(openReview(service, finance, ContributionId)).rejects.toThrow('No open review');
  });
});

it('a gift that was moved out of a closed fund is not listed for that fund when it is reassigned', async () => {
  const [fund] = await service.database.query<{ id: number }>(
    "INSERT INTO fund (name, is_open) VALUES ('Closed', false) RETURNING id",
  );
  const [sent] = await newPerson();
  const [, to] = await newPerson();
  const { ContributionId } = await added({ ...sent, Amount: '78', FundId: fund?.id });
  expect((await openReview(service, finance, ContributionId)).reasons).toEqual(['closed_fund']);
  await moveToFund(service, ContributionId, 1);
  await reassign(ContributionId, { PeopleId: to }).expect(200);
  await expect(openReview(service, finance, ContributionId)).rejects.toThrow('No open review');
});

describe('reassigning is refused and changes nothing', () => {
  it.each<[string, object | string, number, string]>([
    ['for an unknown person', { PeopleId: 2_147_483_647 }, 422, 'person_not_found'],
    ['without a PeopleId', {}, 400, 'invalid_request'],
    ['with PeopleId null', { PeopleId: null }, 400, 'invalid_request'],
    ['with PeopleId 0', { PeopleId: 0 }, 400, 'invalid_request'],
    ['with PeopleId 1.5', { PeopleId: 1.5 }, 400, 'invalid_request'],
    ['with PeopleId true', { PeopleId: true }, 400, 'invalid_request'],
    ['with PeopleId an object', { PeopleId: {} }, 400, 'invalid_request'],
    ['with a duplicate field name', '{"PeopleId":1,"peopleid":1}', 400, 'invalid_request'],
    ['with an incomplete body', '{"PeopleId":', 400, 'malformed_json'],
    ['with a list', '[1]', 400, 'invalid_request'],
  ])('%s', async (_what, body, status, code) => {
    const [sent] = await newPerson();
    const { ContributionId } = await added(sent);
    const before = await everything();
    const answer = await reassign(ContributionId, body);
    expect([answer.status, (answer.body as Problem).code]).toEqual([status, code]);
    expect(await everything()).toEqual(before);
  });

  it('with a body that is not JSON, or without a body', async () => {
    const [sent] = await newPerson();
    const { ContributionId } = await added(sent);
    const before = await everything();
    const form = await reassign(ContributionId, 'PeopleId=1').set('Content-Type', 'application/x-www-form-urlencoded');
    expect([form.status, (form.body as Problem).code]).toEqual([415, 'unsupported_media_type']);
    const none = await service
      .http()
      .post(`/Api/Contributions/${ContributionId}/reassign`)
      .auth(...finance);
    expect([none.status, (none.body as Problem).code]).toEqual([415, 'unsupported_media_type']);
    expect(await everything()).toEqual(before);
  });

  it('for a reversing entry, which moves with its gift', async () => {
    const [sent, PeopleId] = await newPerson();
    const { ContributionId } = await added(sent);
    await service.reverse(`${ContributionId}/test`).expect(200);
    const { reversal } = await readBack(service, ContributionId);
    const before = await everything();
    const answer = await reassign(reversal.contributionId, { PeopleId }).expect(409);
    expect(answer.body).toMatchObject({
      code: 'not_reassignable',
      detail: expect.stringContaining(String(ContributionId)),
    });
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['2147483647', 404, 'contribution_not_found'],
    ['01', 400, 'invalid_request'],
    ['x', 400, 'invalid_request'],
  ])('for contribution %s', async (id, status, code) => {
    const [, PeopleId] = await newPerson();
    const answer = await reassign(id, { PeopleId });
    expect([answer.status, (answer.body as Problem).code]).toEqual([status, code]);
  });
});
