import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import {
  foldEmailByPreviousRule,
  FOLDING_VERSION,
  foldNameByPreviousRule,
  foldPhone,
} from '../../src/people/matching/folding.js';
import { RefoldPersons } from '../../src/people/refolding/refold-persons.service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { type Added, addedGift } from '../contract/gift-requests.js';
import { type Details, email, giver, letters, phone } from '../contract/givers.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({}, { workers: true });
});
afterAll(() => service.stop());
beforeEach(() => refold.run());

const refold = {
  run: (): Promise<void> => service.app.get(RefoldPersons, { strict: false }).refoldAll(),
  keepUp: (): Promise<void> =>
    service.app.get(RefoldPersons, { strict: false }).refoldOutdated(new AbortController().signal),
};
const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  service.database.query<Row>(sql, values);
const added = (fields: object): Promise<Added> => addedGift(service, fields);

/** The folded values of a giver in folding version 1. */
const foldedBefore = ({ First, Last, Email, Phone }: Details): (string | null)[] => [
  ...[foldNameByPreviousRule(First), foldNameByPreviousRule(Last)],
  ...[foldEmailByPreviousRule(Email), foldPhone(Phone, 'US')],
];

/** Creates a person like folding version 1, which does not know the columns of version 2. */
async function createdBefore(sent: Details): Promise<number> {
  const [person] = await query<{ id: number }>(
    `INSERT INTO person (first_name, last_name, email, phone, address, zip,
       first_name_folded, last_name_folded, email_folded, phone_folded)
     VALUES ($1, $2, $3, $4, NULL, NULL, $5, $6, $7, $8) RETURNING id`,
    [sent.First, sent.Last, sent.Email, sent.Phone, ...foldedBefore(sent)],
  );
  return Number(person?.id);
}

/** The persons that folding version 1 finds for these details. */
async function foundBefore(sent: Details): Promise<number[]> {
  const [first, last, ...contacts] = foldedBefore(sent);
  const rows = await query<{ person_id: number }>(
    `SELECT DISTINCT person_id FROM match_key
     WHERE contact = ANY ($1::text[]) AND last_name = $2 AND first_name = $3 ORDER BY 1`,
    [contacts.filter((contact) => contact !== null), last, first],
  );
  return rows.map(({ person_id }) => person_id);
}

const noted = async (): Promise<number[]> =>
  (await query<{ id: number }>('SELECT person_id AS id FROM person_to_fold ORDER BY 1')).map(({ id }) => id);

const saint = (): Details => giver({ Last: `St. John ${letters()}, Jr.` });
const respelt = (sent: Details): Details => ({ ...sent, Last: sent.Last.replaceAll(/[., ]/g, '') });

describe('beside the previous version, which folds by another rule, the service', () => {
  it('finds persons created by it at once by the same spelling, and after the next job by any spelling', async () => {
    const sent = saint();
    const id = await createdBefore(sent);
    expect(await noted()).toEqual([id]);
    for (const change of [{}, { Email: email() }, { Phone: phone() }]) {
      expect(await added({ ...sent, ...change })).toMatchObject({ PeopleId: id, NewPerson: false });
    }
    await query(`INSERT INTO job (queue) VALUES ('refold-persons')`);
    await until(async () => (await noted()).length === 0);
    expect(await added(respelt(sent))).toMatchObject({ PeopleId: id, NewPerson: false, MultipleMatches: false });
  });

  it('creates and refolds persons so that the previous version finds them', async () => {
    const [one, two] = [saint(), saint()];
    const [created, refolded] = [(await added(one)).PeopleId, await createdBefore(two)];
    await refold.keepUp();
    expect([await foundBefore(one), await foundBefore(two)]).toEqual([[created], [refolded]]);
    expect(await noted()).toEqual([]);
    expect(await added(respelt(one))).toMatchObject({ PeopleId: created });
    expect(await added(respelt(two))).toMatchObject({ PeopleId: refolded });
  });

  it('does not queue its own persons for refolding', async () => {
    const sent = saint();
    await added(sent);
    await added({ ...sent, Email: email() });
    await added(giver({ First: '-', Email: `x..${email()}` }));
    expect(await noted()).toEqual([]);
  });

  it('folds names that the previous version changed', async () => {
    const sent = giver();
    const { PeopleId } = await added(sent);
    const other = { ...sent, Last: saint().Last };
    const names = [other.Last, foldNameByPreviousRule(other.Last)];
    await query('UPDATE person SET last_name = $2, last_name_folded = $3 WHERE id = $1', [PeopleId, ...names]);
    expect(await noted()).toEqual([PeopleId]);
    await refold.keepUp();
    expect(await added(respelt(other))).toMatchObject({ PeopleId, NewPerson: false });
    expect(await foundBefore(other)).toEqual([PeopleId]);
  });

  it('folds contacts that the previous version added', async () => {
    const sent = giver();
    const { PeopleId } = await added(sent);
    const [plain, spelt] = [email(), (address: string) => address.replace('@', '\u{200B}@')];
    await query(`INSERT INTO contact (person_id, kind, value, folded, confirmed) VALUES ($1, 'email', $2, $2, true)`, [
      PeopleId,
      spelt(plain),
    ]);
    const gift = { ...sent, Phone: 'n/a' };
    expect(await added({ ...gift, Email: spelt(plain) })).toMatchObject({ PeopleId, NewPerson: false });
    await refold.keepUp();
    expect(await added({ ...gift, Email: plain })).toMatchObject({ PeopleId, NewPerson: false });
    expect(await noted()).toEqual([]);
  });

  it('lists a gift for review if the previous version created its person twice', async () => {
    const sent = giver({ Last: '-' });
    const ids = [await createdBefore(sent), await createdBefore(sent)];
    await refold.keepUp();
    const gift = await added(sent);
    expect(gift).toMatchObject({ PeopleId: ids[0], MultipleMatches: true });
    const [review] = await query('SELECT reasons FROM review WHERE contribution_id = $1', [gift.ContributionId]);
    expect(review?.['reasons']).toContain('several_matches');
  });

  it('refolds what a restart of the previous version folded back', async () => {
    const sent = saint();
    const { PeopleId } = await added(sent);
    const [first, last] = foldedBefore(sent);
    await query('UPDATE person SET first_name_folded = $2, last_name_folded = $3 WHERE id = $1', [
      PeopleId,
      first,
      last,
    ]);
    await query('DELETE FROM person_to_fold');
    await query(`UPDATE folding SET version = 1, country = 'US'`);
    expect(await added(sent)).toMatchObject({ PeopleId, NewPerson: false });
    await refold.keepUp();
    expect(await query('SELECT version, country, folded_up_to FROM folding')).toEqual([
      { version: FOLDING_VERSION, country: 'US', folded_up_to: null },
    ]);
    expect(await added(respelt(sent))).toMatchObject({ PeopleId, NewPerson: false });
  });

  it.each([
    ['a newer version', FOLDING_VERSION + 1, 'US'],
    ['this version with another country', FOLDING_VERSION, 'GB'],
  ])('does not refold what %s folded until its own next start', async (_whose, version, country) => {
    await query('UPDATE folding SET version = $1, country = $2', [version, country]);
    const id = await createdBefore(saint());
    await refold.keepUp();
    expect(await noted()).toEqual([id]);
    expect(await query('SELECT version, country FROM folding')).toEqual([{ version, country }]);
    await refold.run();
    expect(await noted()).toEqual([]);
    expect(await query('SELECT version, country FROM folding')).toEqual([{ version: FOLDING_VERSION, country: 'US' }]);
  });

  it('does not wait for a person locked by a gift and does not block gifts of others', async () => {
    const [held, free] = [saint(), saint()];
    const ids = [await createdBefore(held), await createdBefore(free)];
    const gift = new Client({ connectionString: service.database.url });
    await gift.connect();
    try {
      await gift.query('BEGIN');
      await gift.query('SELECT 1 FROM person WHERE id = $1 FOR SHARE', [ids[0]]);
      await refold.keepUp();
      expect(await noted()).toEqual([ids[0]]);
      expect(await added(respelt(free))).toMatchObject({ PeopleId: ids[1], NewPerson: false });
      await gift.query('COMMIT');
    } finally {
      await gift.end();
    }
    await refold.keepUp();
    expect(await added(respelt(held))).toMatchObject({ PeopleId: ids[0], NewPerson: false });
  });

  it('continues where an interrupted start ended', async () => {
    const [done, left] = [saint(), saint()];
    const ids = [await createdBefore(done), await createdBefore(left)];
    await query('DELETE FROM person_to_fold');
    await query('UPDATE folding SET folded_up_to = $1', [ids[0]]);
    await refold.run();
    expect(await query('SELECT folded_by FROM person WHERE id = ANY ($1) ORDER BY id', [ids])).toEqual([
      { folded_by: null },
      { folded_by: `${FOLDING_VERSION} US` },
    ]);
    expect(await query('SELECT folded_up_to FROM folding')).toEqual([{ folded_up_to: null }]);
  });
});
