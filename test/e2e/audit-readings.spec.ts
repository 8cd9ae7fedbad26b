import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PEOPLE_PER_READING } from '../../src/audit/index.js';
import { postAs } from '../finance/finance-calls.js';
import { addedGift, readBack } from '../contract/gift-requests.js';
import { email, giver, phone } from '../contract/givers.js';
import { keptLog } from '../support/kept-logs.js';
import { holdLock } from '../support/held-lock.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let finance: Login;
let one: { PeopleId: number; ContributionId: number };
let two: { PeopleId: number; ContributionId: number };
let bundleId: number;
const sent = giver();

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'some long password', ['Finance']);
  one = await addedGift(service, sent);
  two = await addedGift(service, giver());
  await addedGift(service, { ...giver(), PeopleId: two.PeopleId });
  bundleId = (await readBack(service, one.ContributionId)).bundleId;
});
afterAll(() => service.stop());

/** What was recorded while this went on, oldest first: actor, origin, action, subject, details. */
async function recordedBy(work: () => PromiseLike<unknown>): Promise<unknown[][]> {
  const [before] = await service.database.query<{ id: number }>('SELECT max(id) AS id FROM audit_entry');
  await work();
  const entries = await service.database.query(
    'SELECT actor, via, action, subject, details FROM audit_entry WHERE id > $1 ORDER BY id',
    [before?.id],
  );
  return entries.map(({ actor, via, action, subject, details }) => [actor, via, action, subject, details]);
}

const readByFinance = (path: string, status = 200): Promise<unknown[][]> =>
  recordedBy(() => service.get(path, finance).expect(status));

describe('a reading of personal data leaves one entry', () => {
  it('of a person', async () => {
    expect(await readByFinance(`People/${one.PeopleId}`)).toEqual([
      ['treasurer', 'api', 'person.read', `person ${one.PeopleId}`, { people: 1, peopleIds: [one.PeopleId] }],
    ]);
  });

  it('of a gift by Finance, and of a list with each person once', async () => {
    expect(await readByFinance(`Contributions/${two.ContributionId}`)).toEqual([
      [
        'treasurer',
        'api',
        'contribution.read',
        `contribution ${two.ContributionId}`,
        { people: 1, peopleIds: [two.PeopleId] },
      ],
    ]);
    expect(await readByFinance('Contributions')).toEqual([
      [
        'treasurer',
        'api',
        'contribution.list',
        'contributions',
        { contributions: 3, people: 2, peopleIds: [one.PeopleId, two.PeopleId] },
      ],
    ]);
    expect(await readByFinance('Contributions?peopleId=2000000000')).toEqual([
      ['treasurer', 'api', 'contribution.list', 'contributions', { contributions: 0, people: 0, peopleIds: [] }],
    ]);
  });

  it('of an export, and of the reviews with all persons that they name', async () => {
    expect(await readByFinance(`Bundles/${bundleId}/export`)).toEqual([
      [
        'treasurer',
        'api',
        'bundle.export',
        `bundle ${bundleId}`,
        { contributions: 3, people: 2, peopleIds: [one.PeopleId, two.PeopleId] },
      ],
    ]);
    const reviews = await recordedBy(async () => {
      const answer = await service.get('Reviews', finance).expect(200);
      expect((answer.body as { reviews: unknown[] }).reviews).toHaveLength(1);
    });
    expect(reviews).toMatchObject([
      ['treasurer', 'api', 'review.list', 'reviews', { reviews: 1, people: 1, peopleIds: [two.PeopleId] }],
    ]);
  });

  it('of a page of unconfirmed contacts, of a merge before it is made, and of the persons similar to a new one', async () => {
    await service.database.query(
      `INSERT INTO contact (person_id, kind, value, folded, confirmed) VALUES ($1, 'email', $2, $2, false)`,
      [one.PeopleId, email()],
    );
    const unconfirmed = await readByFinance('Contacts');
    expect(unconfirmed).toEqual([
      ['treasurer', 'api', 'contact.list', 'contacts', { contacts: 1, people: 1, peopleIds: [one.PeopleId] }],
    ]);
    const merge = await readByFinance(`People/${one.PeopleId}/merge?into=${two.PeopleId}`);
    const both = { people: 2, peopleIds: [one.PeopleId, two.PeopleId] };
    expect(merge).toEqual([['treasurer', 'api', 'person.read', `person ${one.PeopleId}`, both]]);
    const similar = await recordedBy(() => postAs(service, finance, 'People', sent).expect(409));
    const found = { people: 1, peopleIds: [one.PeopleId] };
    expect(similar).toEqual([['treasurer', 'api', 'person.read', 'people', found]]);
  });

  it('of a person who was changed by somebody else meanwhile, and whom the refusal shows', async () => {
    const body = { Version: 'another', Nickname: 'Skip' };
    const refused = await recordedBy(() => postAs(service, finance, `People/${two.PeopleId}/edit`, body).expect(409));
    const found = { people: 1, peopleIds: [two.PeopleId] };
    expect(refused).toEqual([['treasurer', 'api', 'person.read', `person ${two.PeopleId}`, found]]);
  });

  it('of a dry run that names a person, and not of one that names nobody', async () => {
    const dryRun = (fields: object): Promise<unknown[][]> =>
      recordedBy(() => service.add(fields).query({ dryRun: 'true' }).expect(200));
    expect(await dryRun(sent)).toEqual([
      ['api', 'api', 'contribution.preview', `person ${one.PeopleId}`, { people: 1, peopleIds: [one.PeopleId] }],
    ]);
    expect(await dryRun(giver())).toEqual([]);
  });

  it('with the number of persons, and at most a hundred of their ids', async () => {
    for (let i = 0; i < PEOPLE_PER_READING; i++) await addedGift(service, giver());
    const expected = { people: PEOPLE_PER_READING + 2, contributions: PEOPLE_PER_READING + 3 };
    for (const path of ['Contributions?limit=500', `Bundles/${bundleId}/export`]) {
      const details = (await readByFinance(path))[0]?.[4];
      expect([path, details]).toEqual([path, { ...expected, peopleIds: expect.any(Array) }]);
      expect((details as { peopleIds: number[] }).peopleIds).toHaveLength(PEOPLE_PER_READING);
    }
  });

  it('of a dry run that names a person only as a further match', async () => {
    const other = await service.createUser('other', 'some long password', ROLES);
    const worse = { ...sent, Email: email(), Phone: phone() };
    const answer = await service.add({ ...worse, Amount: '10' }, other).expect(200);
    const { PeopleId } = answer.body as { PeopleId: number };
    const fields = { ...sent, Phone: worse.Phone };
    let named: unknown;
    const entries = await recordedBy(async () => {
      named = (await service.add(fields, other).query({ dryRun: 'true' }).expect(200)).body;
    });
    expect(named).toMatchObject({ peopleId: null, candidates: [PeopleId] });
    expect(entries).toEqual([
      ['other', 'api', 'contribution.preview', `person ${PeopleId}`, { people: 1, peopleIds: [PeopleId] }],
    ]);
  });
});

describe('no entry', () => {
  it('is left by a processor that reads or lists what it has sent', async () => {
    const entries = await recordedBy(async () => {
      await service.read(one.ContributionId).expect(200);
      await service.get('Contributions').expect(200);
    });
    expect(entries).toEqual([]);
  });

  it('is left by totals, funds and what was not found', async () => {
    const entries = await recordedBy(async () => {
      for (const path of ['Bundles', `Bundles/${bundleId}`, 'Funds']) await service.get(path, finance).expect(200);
      for (const path of ['People/2000000000', 'Contributions/2000000000', 'Bundles/2000000000/export'])
        await service.get(path, finance).expect(404);
    });
    expect(entries).toEqual([]);
  });
});

it('a reading succeeds within about a second when its entry cannot be added, and the log says so', async () => {
  const lock = await holdLock(service.database.url, 'LOCK TABLE audit_entry IN SHARE MODE', []);
  try {
    const begin = performance.now();
    await service.get(`People/${one.PeopleId}`, finance).expect(200);
    expect(performance.now() - begin).toBeLessThan(3_000);
  } finally {
    await lock.rollBack();
  }
  const line = `A reading is missing in the audit trail: person.read, person ${one.PeopleId}, by treasurer`;
  expect(keptLog().some((entry) => entry.includes(line))).toBe(true);
});
