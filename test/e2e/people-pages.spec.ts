import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import {
  type ConsoleVisitor,
  entriesOf,
  hiddenFieldsOf,
  logInToConsole,
  newVisitor,
  textOf,
} from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let login: Login;
let visitor: ConsoleVisitor;
let auditor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp();
  ({ login, visitor } = await newVisitor(service));
  auditor = await logInToConsole(service, await service.createUser('reads only', 'correct horse battery', ['Auditor']));
});
afterAll(() => service.stop());

async function page(path: string, by = visitor): Promise<string> {
  return textOf((await by.get(path).expect(200)).text);
}

const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** The PeopleId at the end of the address to which a form leads. */
const leadsTo = ({ headers }: { readonly headers: Readonly<Record<string, string>> }): string =>
  /people\/(\d+)/.exec(headers['location'] ?? '')?.[1] ?? '';

describe('people', () => {
  it('says what would be there before there is anybody, and that nobody is found', async () => {
    expect(await page('/console/people')).toContain('There is nobody yet.');
    expect(await page('/console/people?q=nobody')).toContain('Nobody matches.');
    await visitor.get('/console/people?after=x').expect(400);
  });

  it('adds a person, asks first if others are similar, and adds once however often the form is sent', async () => {
    const form = await visitor.get('/console/people/new').expect(200);
    const person = { First: 'Nora', Last: 'Added', Email: 'nora@example.org', Key: hidden(form.text, 'Key') };
    const refused = await visitor.post('/console/people', { ...person, Last: '', Phone: '1' }).expect(400);
    expect(textOf(refused.text)).toContain('Last name is required.');
    expect(refused.text).toContain('value="nora@example.org"');
    const wrong = await visitor.post('/console/people', { ...person, Phone: '9O1-555-0188' }).expect(400);
    expect(textOf(wrong.text)).toContain('Please correct the marked field.');
    expect(textOf(wrong.text)).toContain('Phone must be a valid phone number.');
    const added = await visitor.post('/console/people', person).expect(303);
    expect(leadsTo(await visitor.post('/console/people', person).expect(303))).toBe(leadsTo(added));

    // Somebody went back, and typed another person into the same form.
    const other = { ...person, First: 'Olaf', Email: 'olaf@example.org' };
    const back = await visitor.post('/console/people', other).expect(422);
    expect(textOf(back.text)).toContain(`This form has added person ${leadsTo(added)} before. Nothing was added now.`);
    expect(back.text).toContain('value="Olaf"');
    expect(leadsTo(await visitor.post('/console/people', { ...other, Key: hidden(back.text, 'Key') }))).not.toBe('');

    const again = await visitor.post('/console/people', { ...person, Key: 'another' }).expect(409);
    expect(textOf(again.text)).toMatch(
      /may be in the books already.*Is it one of these\? Nora Added : nora@example\.org/,
    );
    expect(again.text.match(/<button type="submit"(?! class="quiet")/g)).toHaveLength(1);
    const confirmed = await visitor.post('/console/people', { ...person, Key: 'another', Confirm: 'true' }).expect(303);
    expect(leadsTo(confirmed)).not.toBe(leadsTo(added));
    expect(await page('/console/people?q=added')).toMatch(/3 people .*Nora Added.*Nora Added/);
    expect(await page('/console/people?q=noar+aded')).toMatch(/Nobody matches.*Similar names: Nora Added , Nora Added/);
    expect((await entriesOf(service, login)).at(-1)).toMatchObject({ action: 'person.search', details: { people: 2 } });
    expect(await entriesOf(service, login)).toContainEqual(
      expect.objectContaining({ action: 'person.create', via: 'page', subject: `person ${leadsTo(added)}` }),
    );
  });

  it('shows a person with contacts, years, gifts and changes', async () => {
    const { PeopleId: id } = await addedGift(service, {
      First: 'Olga',
      Last: 'Shown',
      Amount: '30',
      Date: '2026-02-01',
    });
    const text = await page(`/console/people/${id}`);
    for (const part of [
      'Olga Shown',
      '2026',
      '30.00',
      'All gifts of this person',
      'Nobody has changed this person yet.',
    ])
      expect(text).toContain(part);
    expect(await page(`/console/gifts?peopleId=${id}`)).toContain('Olga Shown');
    await visitor.get('/console/people/2000000000').expect(404);
  });

  it('shows an auditor the same without anything that changes it, and refuses the forms', async () => {
    const { PeopleId: id } = await addedGift(service, { Last: 'Audited' });
    const text = await page(`/console/people/${id}`, auditor);
    expect(text).toContain('Audited');
    for (const button of ['Edit', 'Merge', 'Remove', 'Add a contact']) expect(text).not.toContain(button);
    expect(await page('/console/people', auditor)).not.toContain('Add a person');
    for (const path of ['new', `${id}/edit`, `${id}/merge`, `${id}/merge/1`])
      await auditor.get(`/console/people/${path}`).expect(403);
    for (const path of [
      '',
      `/${id}/edit`,
      `/${id}/contacts`,
      `/${id}/contacts/1/confirm`,
      `/${id}/contacts/1/remove`,
      `/${id}/merge/1`,
    ])
      await auditor.post(`/console/people${path}`).expect(403);
  });

  it('edits a person, removes what was emptied, and shows the present state if somebody else was faster', async () => {
    const { PeopleId: id } = await addedGift(service, { First: 'Petra', Last: 'Edited', Address: '1 Main Street' });
    const path = `/console/people/${id}/edit`;
    const form = await visitor.get(path).expect(200);
    const all = { Version: hidden(form.text, 'Version'), First: 'Petra', Nickname: '', FormerLast: '', Zip: '' };
    await visitor.post(path, { ...all, Last: 'Married', Address: '', Deceased: 'true' }).expect(303);
    const text = await page(`/console/people/${id}`);
    expect(text).toMatch(/Petra Married.*Deceased/);
    expect(text).not.toContain('1 Main Street');
    expect(text).toContain('edited a person');

    const late = await visitor.post(path, { ...all, Last: 'Late', Address: '2 Side Street' }).expect(409);
    expect(textOf(late.text)).toMatch(/Somebody else has changed this person.*It is now: Married\./);
    expect(late.text).toContain('value="Late"');
    expect(late.text).not.toMatch(/<input[^>]*name="Deceased"[^>]*checked/);
    await visitor.post(path, { ...all, Version: hidden(late.text, 'Version'), Last: 'Late', Address: '' }).expect(303);
    expect(await page(`/console/people/${id}`)).toContain('Petra Late');
    expect(textOf((await visitor.post(path, { ...all, Last: '' }).expect(400)).text)).toContain(
      'Last name is required.',
    );
    await visitor.post(path, { ...all, Version: '', Last: 'x' }).expect(400);
  });

  it('compares a form that is shown again with what it began with, also after a field was not valid', async () => {
    const { PeopleId: id } = await addedGift(service, { First: 'Vera', Last: 'Versioned' });
    const path = `/console/people/${id}/edit`;
    const mine: Record<string, string> = {
      ...hiddenFieldsOf((await visitor.get(path).expect(200)).text),
      First: 'Vera',
      Last: 'Versioned',
    };
    const theirs = { ...mine, Nickname: 'Vee', Deceased: 'true' };
    await visitor.post(path, theirs).expect(303);
    const invalid = await visitor.post(path, { ...mine, First: '', Zip: '38103' }).expect(400);
    expect(hiddenFieldsOf(invalid.text)['Version']).toBe(mine['Version']);
    const again = { ...hiddenFieldsOf(invalid.text), First: 'Vera', Last: 'Versioned', Zip: '38103' };
    const late = await visitor.post(path, again).expect(409);
    // What was not typed is as it is now, and is said; what was typed is kept.
    expect(late.text).toMatch(/name="Nickname" value="Vee"/);
    expect(late.text).toMatch(/name="Zip" value="38103"/);
    expect(late.text).toMatch(/<input[^>]*name="Deceased"[^>]*checked/);
    expect(textOf(late.text)).toContain('Somebody else has changed it. It was: not ticked.');
    expect(textOf(late.text)).toContain('Somebody else has changed it. It was: empty.');
    const decided = { ...hiddenFieldsOf(late.text), First: 'Vera', Last: 'Versioned', Zip: '38103', Nickname: 'Vee' };
    await visitor.post(path, { ...decided, Deceased: 'true' }).expect(303);
    expect(await page(`/console/people/${id}`)).toMatch(/Nickname Vee .*Postal code 38103 Deceased Yes/);
  });

  it('keeps the lines of an address', async () => {
    const { PeopleId: id } = await addedGift(service, { Last: 'Lines', Address: '1 Main Street\nMemphis' });
    const path = `/console/people/${id}/edit`;
    const { text } = await visitor.get(path).expect(200);
    expect(text).toMatch(/<textarea[^>]*name="Address"[^>]*>1 Main Street\nMemphis</);
    const fields = { ...hiddenFieldsOf(text), First: 'Li', Last: 'Lines', Address: '1 Main Street\r\nMemphis' };
    await visitor.post(path, fields).expect(303);
    const [person] = await service.database.query('SELECT address FROM person WHERE id = $1', [id]);
    expect(person).toEqual({ address: '1 Main Street\nMemphis' });
  });

  it('adds, confirms and removes contacts', async () => {
    const { PeopleId: id } = await addedGift(service, { Last: 'Contacted', Email: 'c1@example.org' });
    const path = `/console/people/${id}/contacts`;
    const invalid = await visitor.post(path, { Kind: 'email', Value: 'no address' }).expect(400);
    expect(invalid.text).toContain('value="no address"');
    await visitor.post(path, { Kind: 'mail', Value: 'c2@example.org' }).expect(400);
    await visitor.post(path, { Kind: 'email', Value: 'c2@example.org' }).expect(303);
    expect(await page(`/console/people/${id}`)).toContain('c2@example.org');
    await service.database.query('UPDATE contact SET confirmed = false WHERE value = $1', ['c2@example.org']);
    expect(await page(`/console/people/${id}`)).toContain('Not yet');
    const [contact] = await service.database.query<{ id: number }>('SELECT id FROM contact WHERE value = $1', [
      'c2@example.org',
    ]);
    await visitor.post(`${path}/${contact?.id}/confirm`).expect(303);
    expect(await page(`/console/people/${id}`)).not.toContain('Not yet');
    await visitor.post(`${path}/${contact?.id}/remove`).expect(303);
    expect(await page(`/console/people/${id}`)).not.toContain('c2@example.org');
    await visitor.post(`${path}/${contact?.id}/remove`).expect(404);
  });
});

describe('replacing a contact', () => {
  it('puts the new one in place of the old one, at once', async () => {
    const { PeopleId: id } = await addedGift(service, {
      Last: 'Replaced',
      Email: 'old@example.org',
      Phone: '901-555-0177',
    });
    const contactOf = async (value: string): Promise<number | undefined> => {
      const [row] = await service.database.query<{ id: number }>(
        'SELECT id FROM contact WHERE person_id = $1 AND value = $2 AND confirmed',
        [id, value],
      );
      return row?.id;
    };
    const old = await contactOf('old@example.org');
    const path = `/console/people/${id}/contacts/${old}`;
    expect((await visitor.get(`/console/people/${id}`).expect(200)).text).toContain(`/contacts/${old}">Replace…`);
    const { text } = await visitor.get(path).expect(200);
    expect(text).toContain('In place of old@example.org.');
    expect(text).toContain('>Cancel</a>');
    for (const Value of ['', 'no address'])
      expect((await visitor.post(`${path}/replace`, { Value }).expect(400)).text).toContain('id="field-Value-fault"');
    expect(await contactOf('old@example.org')).toBe(old);
    await visitor.post(`${path}/replace`, { Value: 'new@example.org' }).expect(303);
    expect(await contactOf('new@example.org')).toBeGreaterThan(old ?? 0);
    expect(await contactOf('old@example.org')).toBeUndefined();
    const actions = await service.database.query(
      `SELECT action FROM audit_entry WHERE action ~ '^contact\\.(add|remove)$' AND details ->> 'peopleId' = $1 ORDER BY id`,
      [String(id)],
    );
    expect(actions.slice(-2)).toEqual([{ action: 'contact.add' }, { action: 'contact.remove' }]);
    // It is gone, and never was of anybody else.
    await visitor.get(path).expect(404);
    await visitor.post(`${path}/replace`, { Value: 'other@example.org' }).expect(404);
    const { PeopleId: other } = await addedGift(service, { Last: 'Other', Email: 'else@example.org' });
    const phone = await contactOf('901-555-0177');
    await visitor.post(`/console/people/${other}/contacts/${phone}/replace`, { Value: '901-555-0178' }).expect(404);
    // The same in another notation.
    await visitor.post(`/console/people/${id}/contacts/${phone}/replace`, { Value: '(901) 555-0177' }).expect(303);
    expect(await contactOf('901-555-0177')).toBe(phone);
  });
});

describe('merging people', () => {
  it('suggests who looks alike, shows both and what moves, and merges', async () => {
    const fields = { First: 'Wilma', Last: 'Twofold' };
    const { PeopleId: one } = await addedGift(service, {
      ...fields,
      Email: 'w1@example.org',
      Phone: '901-555-0111',
      Amount: '20',
    });
    const second = { ...fields, Email: 'w2@example.org', Phone: '901-555-0122' };
    const { PeopleId: other } = await addedGift(service, { ...second, Amount: '5' });
    expect(one).not.toBe(other);
    await addedGift(service, { ...second, Amount: '70', ContributionTypeId: 8 });
    // A pledge is no money that was received.
    expect(await page(`/console/people/${other}`)).toMatch(
      /In kind and stock Pledged \d{4} 1 5\.00 5\.00 0\.00 0\.00 70\.00 .*Type .*Pledge/,
    );
    expect(await page(`/console/people?q=w2@example.org`)).toMatch(/5\.00 , pledged 70\.00 , \d{4}/);
    expect(await page(`/console/people/${one}/merge`)).toMatch(
      new RegExp(
        `These look like the same person.*Keep this one, person ${other} Keep the other: Wilma Twofold, person ${one}`,
      ),
    );
    expect(await page(`/console/people/${one}/merge?q=twofold`)).toContain('This person');
    await visitor.get(`/console/people/${one}/merge?after=x`).expect(400);

    const path = `/console/people/${other}/merge/${one}`;
    const { text } = await visitor.get(path).expect(200);
    expect(textOf(text)).toContain('Wilma Twofold gets 1 gift of USD 5.00, and 1 pledge of USD 70.00.');
    expect(textOf(text)).toContain('w2@example.org');
    expect(textOf(text)).toContain('It cannot be undone.');
    const versions = { Version: hidden(text, 'Version'), IntoVersion: hidden(text, 'IntoVersion') };
    const late = await visitor.post(path, { ...versions, IntoVersion: 'old' }).expect(409);
    expect(textOf(late.text)).toContain('was changed meanwhile');
    await visitor.post(path, { Version: '' }).expect(400);
    expect(leadsTo(await visitor.post(path, versions).expect(303))).toBe(String(one));
    // The button was pressed twice.
    expect(leadsTo(await visitor.post(path, versions).expect(303))).toBe(String(one));
    expect(await page(`/console/people/${one}`)).toMatch(new RegExp(`Merged from person ${other}.*25\\.00`));
    expect(await page(`/console/people/${other}`)).toContain('This person was merged into');
    await visitor.get(path).expect(409);
    await visitor.get(`/console/people/${one}/merge/${one}`).expect(400);
    expect(await entriesOf(service, login)).toContainEqual(
      expect.objectContaining({ action: 'person.merge', via: 'page', subject: `person ${other}` }),
    );
  });
});
