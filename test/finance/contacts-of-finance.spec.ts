import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { changesRecordedBy, postAs } from './finance-calls.js';
import { type Added, addedGift, refusal } from '../contract/gift-requests.js';
import { type Details, email, giver, phone } from '../contract/givers.js';

let service: TestApp;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'some long password', ['Finance']);
});
afterAll(() => service.stop());

interface Contact {
  readonly id: number;
  readonly kind: string;
  readonly value: string;
  readonly confirmed: boolean;
}

const post = (path: string, body?: object): supertest.Test => postAs(service, finance, path, body);

const contactsOf = async (id: number): Promise<readonly Contact[]> =>
  ((await service.get(`People/${id}`, finance).expect(200)).body as { contacts: Contact[] }).contacts;

const added = (fields: object): Promise<Added> => addedGift(service, fields);

async function newPerson(): Promise<[Details, number]> {
  const sent = giver();
  return [sent, (await added(sent)).PeopleId];
}

describe('contacts', () => {
  const waiting = async (after = 0): Promise<Contact[]> =>
    ((await service.get(`Contacts?after=${after}`, finance).expect(200)).body as { contacts: Contact[] }).contacts;

  it('that gifts bring are listed, confirmed and removed, and match as long as they are confirmed', async () => {
    const [sent, id] = await newPerson();
    const Email = email();
    await added({ ...sent, Email });
    const contact = (await waiting()).find(({ value }) => value === Email);
    expect(contact).toMatchObject({ peopleId: id, kind: 'email', confirmed: false });
    const changes = await changesRecordedBy(service, async () => {
      await post(`Contacts/${contact?.id}/confirm`).expect(200);
      expect((await waiting()).map(({ value }) => value)).not.toContain(Email);
      expect(await added({ ...sent, Email, Phone: 'n/a' })).toMatchObject({ PeopleId: id });
      expect((await post(`Contacts/${contact?.id}/remove`).expect(200)).body).toMatchObject({ value: Email });
    });
    expect(changes).toEqual([
      ['treasurer', 'contact.confirm', `contact ${contact?.id}`, { peopleId: id }],
      ['treasurer', 'contact.remove', `contact ${contact?.id}`, { peopleId: id }],
    ]);
    expect((await added({ ...sent, Email, Phone: 'n/a' })).PeopleId).not.toBe(id);
    await post(`Contacts/${contact?.id}/remove`).expect(404);
  });

  it('are added once, confirmed, in any notation', async () => {
    const [sent, id] = await newPerson();
    const Phone = phone();
    const changes = await changesRecordedBy(service, async () => {
      const first = await post(`People/${id}/contacts`, { Kind: 'PHONE', Value: Phone }).expect(200);
      expect(first.body).toMatchObject({ peopleId: id, kind: 'phone', value: Phone, confirmed: true });
      const again = await post(`People/${id}/contacts`, { Kind: 'phone', Value: `+1 ${Phone}` }).expect(200);
      expect(again.body).toEqual(first.body);
    });
    expect(changes).toEqual([['treasurer', 'contact.add', expect.any(String), { peopleId: id }]]);
    expect(await added({ ...sent, Email: email(), Phone })).toMatchObject({ PeopleId: id });
  });

  it('that are unconfirmed become confirmed when they are added', async () => {
    const [sent, id] = await newPerson();
    const Email = email();
    await added({ ...sent, Email });
    const changes = await changesRecordedBy(service, () =>
      post(`People/${id}/contacts`, { Kind: 'email', Value: Email }).expect(200),
    );
    expect(changes).toMatchObject([['treasurer', 'contact.confirm', expect.any(String), { peopleId: id }]]);
  });

  it('have pages of 200, and each reading leaves one entry', async () => {
    const [, id] = await newPerson();
    await service.database.query(
      `INSERT INTO contact (person_id, kind, value, folded, confirmed)
       SELECT $1, 'email', n || '@pages.example', n || '@pages.example', false FROM generate_series(1, 250) n`,
      [id],
    );
    const values: string[] = [];
    let pages = 0;
    for (let after: number | null = 0; after !== null; pages++) {
      const answer = await service.get(`Contacts${after === 0 ? '' : `?after=${after}`}`, finance).expect(200);
      const page = answer.body as { contacts: Contact[]; next: number | null };
      values.push(...page.contacts.map(({ value }) => value));
      after = page.next;
    }
    expect(pages).toBe(2);
    expect(new Set(values).size).toBe(values.length);
    expect(values.filter((value) => value.endsWith('@pages.example'))).toHaveLength(250);
    const readings = await service.database.query(
      `SELECT FROM audit_entry WHERE action = 'contact.list' AND actor = 'treasurer'`,
    );
    expect(readings.length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    [{ Kind: 'email', Value: 'nowhere' }, ['Value']],
    [{ Kind: 'phone', Value: 'n/a' }, ['Value']],
    [{ Kind: 'phone', Value: '12345' }, ['Value']],
    [{ Kind: 'fax', Value: '1' }, ['Kind']],
    [{ Kind: 'email' }, ['Value']],
  ])('are not added by %j', async (body, names) => {
    const [, id] = await newPerson();
    const problem = await refusal(service, () => post(`People/${id}/contacts`, body), 400, 'invalid_request');
    expect(problem.errors?.map(({ field }) => field)).toEqual(names);
    expect(await contactsOf(id)).toHaveLength(2);
  });

  it('of unknown persons, and unknown contacts, are not found', async () => {
    const body = { Kind: 'email', Value: email() };
    await refusal(service, () => post('People/2000000001/contacts', body), 404, 'giver_not_found');
    for (const what of ['confirm', 'remove'])
      await refusal(service, () => post(`Contacts/2000000001/${what}`), 404, 'contact_not_found');
  });
});
