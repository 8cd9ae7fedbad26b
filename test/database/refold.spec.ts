import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import { FOLDING_VERSION } from '../../src/people/matching/folding.js';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { RefoldPersons } from '../../src/people/refolding/refold-persons.service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift } from '../contract/gift-requests.js';
import { type Details, email, giver, phone } from '../contract/givers.js';
import { mergePersons } from '../support/merge-persons.js';

/** A church in the United States, and the same church after its country was changed to Great Britain. */
let service: TestApp;
let british: TestApp;

beforeAll(async () => {
  service = await startTestApp();
  british = await startTestApp({ CHURCH_COUNTRY: 'GB' }, { database: service.database });
});
afterAll(async () => {
  await british.stop();
  await service.stop();
});
beforeEach(() => refold());
afterEach(async () => {
  // After every refolding match_key agrees with the persons and contacts.
  expect(await matchKeys()).toEqual(await expectedKeys());
});

const refold = (app = service): Promise<void> => app.app.get(RefoldPersons, { strict: false }).refoldAll();
const query = (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  service.database.query(sql, values);
const added = (fields: object, app = service): Promise<Added> => addedGift(app, fields);

async function newPerson(fields: Partial<Details> = {}): Promise<[Details, number]> {
  const sent = giver(fields);
  return [sent, (await added(sent)).PeopleId];
}

const KEY = 'kind, contact, last_name, first_name, person_id';
const matchKeys = (): Promise<unknown[]> => query(`SELECT ${KEY} FROM match_key ORDER BY ${KEY}`);

/** The expected rows of match_key, computed independently of the triggers of the database. */
const expectedKeys = (): Promise<unknown[]> =>
  query(
    `WITH RECURSIVE standing AS (
       SELECT id, id AS survivor FROM person WHERE merged_into IS NULL
       UNION ALL SELECT p.id, s.survivor FROM person p JOIN standing s ON p.merged_into = s.id
     ), firsts AS (
       SELECT id, COALESCE(first_name_folded, '') AS first_name FROM person
       UNION SELECT id, nickname_folded FROM person
       UNION SELECT id, unnest(first_names_before) FROM person
     ), lasts AS (
       SELECT id, last_name_folded AS last_name FROM person
       UNION SELECT id, former_last_name_folded FROM person
       UNION SELECT id, unnest(last_names_before) FROM person
     ), names AS (
       SELECT DISTINCT survivor, last_name, first_name FROM standing JOIN firsts USING (id) JOIN lasts USING (id)
     )
     SELECT c.kind, c.folded AS contact, last_name, first_name, survivor AS person_id
     FROM names JOIN contact c ON c.person_id = survivor AND c.confirmed AND c.folded IS NOT NULL
     WHERE last_name IS NOT NULL AND first_name IS NOT NULL ORDER BY 1, 2, 3, 4, 5`,
  );

/** All that refolding may change. Contacts have no ids here, because a changed contact gets a new id. */
const stored = async (): Promise<unknown> => [
  await query('SELECT * FROM person ORDER BY id'),
  await query('SELECT person_id, kind, value, folded, confirmed FROM contact ORDER BY 1, 2, 4, 3'),
  await query('SELECT * FROM folding'),
];

const contactsOf = async (peopleId: number): Promise<unknown[]> =>
  (await service.app.get(Contacts, { strict: false }).list(peopleId)).map(({ value, confirmed }) => [value, confirmed]);

/** Makes the next refolding compute everything again, as for values of an older version. */
const stale = (): Promise<unknown> => query('UPDATE folding SET version = version - 1');

describe('refolding at the start', () => {
  it('is fast after hundreds of merges into one person, and gives the survivor the numbers that become usable', async () => {
    const [, survivor] = await newPerson();
    // London numbers without a country code are unusable in the United States.
    await query(
      `INSERT INTO person (first_name, last_name, email, phone, first_name_folded, last_name_folded, email_folded, merged_into)
       SELECT 'Cash', 'Donor', 'cash' || n || '@example.org', '020 7946 0' || n, 'cash', 'donor', 'cash' || n || '@example.org', $1
       FROM generate_series(100, 399) n`,
      [survivor],
    );
    await query('UPDATE contact SET person_id = $1 WHERE person_id IN (SELECT id FROM person WHERE merged_into = $1)', [
      survivor,
    ]);
    await refold(british);
    const phones = await query(
      "SELECT 1 FROM contact WHERE person_id = $1 AND kind = 'phone' AND folded LIKE '+4420%'",
      [survivor],
    );
    expect(phones).toHaveLength(300);
    await refold();
  });

  it('stores version and country, and does nothing if both are the same', async () => {
    expect(await query('SELECT version, country FROM folding')).toEqual([{ version: FOLDING_VERSION, country: 'US' }]);
    const [, id] = await newPerson();
    await query(`UPDATE person SET last_name_folded = 'damaged', folded_by = 'a test' WHERE id = $1`, [id]);
    const before = await stored();
    await refold();
    expect(await stored()).toEqual(before);
    await stale();
    await refold();
    expect(await stored()).not.toEqual(before);
  });

  it('changes nothing that is already folded correctly', async () => {
    const [sent, one] = await newPerson();
    const [, two] = await newPerson();
    const [, three] = await newPerson({ Phone: 'n/a' });
    await added({ ...sent, Email: email() });
    await service.app
      .get(PersonRecords, { strict: false })
      .edit({ peopleId: two, nickname: 'Skip', formerLast: 'Old' });
    await mergePersons(service, { from: one, into: two });
    await mergePersons(service, { from: two, into: three });
    const before = await stored();
    for (const forget of [
      'DELETE FROM folding',
      'UPDATE folding SET version = 0',
      `UPDATE folding SET country = 'FR'`,
    ]) {
      await query(forget);
      await refold();
      expect(await stored()).toEqual(before);
    }
  });

  it.each([
    'first_name_folded',
    'last_name_folded',
    'nickname_folded',
    'former_last_name_folded',
    'email_folded',
    'phone_folded',
  ])('repairs a damaged or missing %s of a person', async (column) => {
    const [sent, id] = await newPerson();
    await service.app
      .get(PersonRecords, { strict: false })
      .edit({ peopleId: id, nickname: 'Skip', formerLast: `Old ${sent.Last}` });
    const before = await stored();
    for (const damage of [`'damaged'`, 'NULL']) {
      await query(`UPDATE person SET ${column} = ${damage} WHERE id = $1`, [id]);
      await stale();
      await refold();
      expect(await stored()).toEqual(before);
    }
    const old = { ...sent, First: 'skip', Last: `OLD${sent.Last}` };
    for (const gift of [sent, { ...old, Email: email() }, { ...old, Phone: 'n/a' }]) {
      expect(await added(gift)).toMatchObject({ PeopleId: id });
    }
  });

  it('repairs contacts, which then match', async () => {
    const [sent, id] = await newPerson();
    await query(`UPDATE contact SET folded = 'damaged' || kind WHERE person_id = $1`, [id]);
    expect((await added(sent)).PeopleId).not.toBe(id);
    await query('UPDATE contribution SET person_id = $1 WHERE person_id > $1', [id]);
    await query('DELETE FROM match_key WHERE person_id > $1', [id]);
    await query('DELETE FROM contact WHERE person_id > $1', [id]);
    await query('DELETE FROM person WHERE id > $1', [id]);
    await stale();
    await refold();
    expect(await added({ ...sent, Email: email() })).toMatchObject({ PeopleId: id, NewPerson: false });
    expect(await added({ ...sent, Phone: phone() })).toMatchObject({ PeopleId: id, NewPerson: false });
  });

  it.each([
    [false, false, false],
    [false, true, true],
    [true, false, true],
    [true, true, true],
  ])('combines two contacts that are equal by the new rule: confirmed %j and %j gives %j', async (one, two, both) => {
    const [sent, id] = await newPerson();
    await query(`DELETE FROM contact WHERE person_id = $1 AND kind = 'email'`, [id]);
    const insert = `INSERT INTO contact (person_id, kind, value, folded, confirmed) VALUES ($1, 'email', $2, $2, $3)`;
    await query(insert, [id, sent.Email.toUpperCase(), one]);
    await query(insert, [id, sent.Email, two]);
    await stale();
    await refold();
    const emails = await query(`SELECT folded, confirmed FROM contact WHERE person_id = $1 AND kind = 'email'`, [id]);
    expect(emails).toEqual([{ folded: sent.Email, confirmed: both }]);
  });

  it('can swap the folded values of two contacts', async () => {
    const [sent, id] = await newPerson();
    const Email = email();
    await added({ ...sent, Email });
    const before = await stored();
    await query(`UPDATE contact SET folded = folded || 'x' WHERE person_id = $1 AND kind = 'email'`, [id]);
    await query('UPDATE contact SET folded = $2 WHERE person_id = $1 AND value = $3', [id, Email, sent.Email]);
    await query('UPDATE contact SET folded = $2 WHERE person_id = $1 AND value = $3', [id, sent.Email, Email]);
    await stale();
    await refold();
    expect(await stored()).toEqual(before);
  });

  it('does not restore a contact that Finance removed', async () => {
    const [, id] = await newPerson();
    const contacts = service.app.get(Contacts, { strict: false });
    for (const contact of await contacts.list(id)) await contacts.remove(contact.id);
    await stale();
    await refold();
    expect(await contactsOf(id)).toEqual([]);
  });

  it('folds more persons than fit into one batch', async () => {
    await query(
      `INSERT INTO person (first_name, last_name, email, phone)
       SELECT 'Änne', 'Lot' || n, 'Lot' || n || '@example.org', 'n/a' FROM generate_series(1, 2500) n`,
    );
    await stale();
    await refold();
    for (const n of [1, 1000, 1001, 2500]) {
      const sent = giver({ First: 'Anne', Last: `lot ${n}`, Email: `LOT${n}@example.org` });
      expect(await added(sent)).toMatchObject({ NewPerson: false });
    }
    expect(await query(`SELECT 1 FROM person WHERE first_name_folded IS NULL`)).toEqual([]);
  });
});

describe('after the church’s country was changed', () => {
  const LONDON = '020 7946 0958';

  it('national numbers belong to the new country: its own become usable and the old ones unusable, and vice versa', async () => {
    const [american, one] = await newPerson();
    const [london, two] = await newPerson({ Phone: LONDON });
    const before = [await contactsOf(one), await contactsOf(two)];
    expect(before[1]).toEqual([[london.Email, true]]);
    await refold(british);
    expect(await query('SELECT country FROM folding')).toEqual([{ country: 'GB' }]);
    expect((await added({ ...american, Email: email() }, british)).PeopleId).not.toBe(one);
    expect(await contactsOf(two)).toContainEqual([LONDON, true]);
    const spelt = { ...london, Email: london.Email.toUpperCase(), Phone: '+44 20 79460958' };
    expect(await added(spelt, british)).toMatchObject({ PeopleId: two });
    expect(await added({ ...spelt, First: `${london.First}x` }, british)).toMatchObject({ NewPerson: true });
    await refold();
    expect(await added({ ...american, Email: email() })).toMatchObject({ PeopleId: one });
    expect((await added({ ...london, Email: email() })).PeopleId).not.toBe(two);
  });

  it('by mistake and changed back, no number from gifts or merges is lost', async () => {
    const [one, from] = await newPerson();
    const [, into] = await newPerson();
    const numbers = [phone(), phone(), phone()];
    for (const Phone of numbers) await added({ ...one, Phone });
    const contacts = service.app.get(Contacts, { strict: false });
    for (const { id, value } of await contacts.list(from)) if (value !== numbers[2]) await contacts.confirm(id);
    await mergePersons(service, { from, into });
    const kept = async (): Promise<Set<unknown>> => new Set(await contactsOf(into));
    const before = await kept();
    await refold(british);
    expect(await kept()).toEqual(before);
    expect(await added({ ...one, Email: email(), Phone: numbers[0] }, british)).toMatchObject({ NewPerson: true });
    await refold();
    expect(await kept()).toEqual(before);
    expect(await added({ ...one, Email: email(), Phone: numbers[1] })).toMatchObject({ PeopleId: into });
  });

  it('numbers with a country code do not change', async () => {
    const [sent, id] = await newPerson({ Phone: '+1 615 730 0101' });
    await refold(british);
    expect(await contactsOf(id)).toContainEqual([sent.Phone, true]);
    expect(await added({ ...sent, Email: email() }, british)).toMatchObject({ PeopleId: id });
  });

  it('a removed e-mail stays removed', async () => {
    const [, id] = await newPerson();
    await query(`DELETE FROM contact WHERE person_id = $1 AND kind = 'email'`, [id]);
    await refold(british);
    await refold();
    expect(await query(`SELECT kind FROM contact WHERE person_id = $1`, [id])).toEqual([{ kind: 'phone' }]);
  });

  it('two simultaneous starts refold together', async () => {
    await newPerson();
    await Promise.all([refold(british), refold(british)]);
    const before = await stored();
    await query('UPDATE folding SET version = 0');
    await Promise.all([refold(british), refold(british)]);
    expect(await stored()).toEqual(before);
  });
});
