import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConsoleVisitor, logInToConsole, mainOf } from '../support/console.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;
let finance: ConsoleVisitor;
let auditor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp();
  finance = await logInToConsole(service, await service.createUser('treasurer', PASSWORD, ['Finance']));
  auditor = await logInToConsole(service, await service.createUser('auditor', PASSWORD, ['Auditor']));
});
afterAll(() => service.stop());

/** Adds a fund, and returns its address. */
async function added(name: string): Promise<string> {
  const { headers } = await finance.post('/console/funds', { Name: name }).expect(303);
  const id = /funds\/(\d+)\?/.exec(headers['location'] ?? '')?.[1] ?? '';
  return `/console/funds/${id}`;
}

const page = async (visitor: ConsoleVisitor, path: string): Promise<string> =>
  (await visitor.get(path).expect(200)).text;

describe('the pages of funds', () => {
  it('list all funds, with the default one', async () => {
    const text = await page(finance, '/console/funds');
    expect(text).toContain('<title>Funds · ');
    expect(text).toMatch(/data-header="Default">Default</);
    expect(text).toContain('Add a fund');
  });

  it('add a fund, in the name of who did it, on a page', async () => {
    const address = await added('Roof');
    expect(await page(finance, address)).toContain('<h1>Roof</h1>');
    const [entry] = await service.database.query(
      `SELECT actor, via, subject FROM audit_entry WHERE action = 'fund.create' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry).toEqual({ actor: 'treasurer', via: 'page', subject: `fund ${address.split('/').at(-1) ?? ''}` });
  });

  it.each([
    ['', 400],
    ['x'.repeat(101), 400],
    ['gen-eral', 409],
  ])('refuse to add %j, and keep what was typed', async (Name, status) => {
    const { text } = await finance.post('/console/funds', { Name }).expect(status);
    expect(text).toContain('role="alert"');
    if (Name !== '') expect(text).toContain(`value="${Name}"`);
    expect(await service.database.query('SELECT FROM fund WHERE name = $1', [Name])).toHaveLength(0);
  });

  it('rename a fund, whose old name stays known', async () => {
    const address = await added('Mission');
    await finance.post(`${address}/rename`, { Name: 'Missions', Was: 'Mission' }).expect(303);
    const text = await page(finance, address);
    expect(text).toContain('<h1>Missions</h1>');
    expect(text).toMatch(/Former names<\/h2>.*data-header="Name">Mission</s);
  });

  it('refuse a name that another fund has, and keep what was typed', async () => {
    const address = await added('Youth');
    const { text } = await finance.post(`${address}/rename`, { Name: 'General', Was: 'Youth' }).expect(409);
    expect(text).toContain('There is already a fund with this name.');
    expect(text).toContain('value="General"');
    expect(text).toContain('<h1>Youth</h1>');
  });

  it('say what the fund is named now if somebody else was faster, and keep what was typed', async () => {
    const address = await added('Garden');
    await finance.post(`${address}/rename`, { Name: 'Gardens', Was: 'Garden' }).expect(303);
    const invalid = await finance.post(`${address}/rename`, { Name: ' ', Was: 'Garden' }).expect(400);
    // A form that is shown again is compared with what it began with.
    expect(invalid.text).toMatch(/name="Was" value="Garden"/);
    const { text } = await finance.post(`${address}/rename`, { Name: 'Park', Was: 'Garden' }).expect(409);
    expect(text).toContain('The fund is named Gardens now. Nothing was changed.');
    expect(text).toContain('<h1>Gardens</h1>');
    expect(text).toContain('value="Park"');
    // What is shown now can be sent again.
    expect(text).toMatch(/name="Was" value="Gardens"/);
  });

  it('close and open a fund, and make it the default in place of the one that was seen', async () => {
    const address = await added('Camp');
    expect(await page(finance, address)).toContain(`${address}/close" class="button" data-hotkey="c"`);
    expect(await page(finance, `${address}/close`)).toMatch(/>Close Camp<.*<\/button>/);
    expect(await page(finance, address)).toContain('<dd>Open</dd>');
    await finance.post(`${address}/close`).expect(303);
    expect(await page(finance, address)).toContain('<dd>Closed</dd>');
    expect(await page(finance, address)).not.toContain('Make it the default');
    await finance.post(`${address}/open`).expect(303);
    expect(await page(finance, address)).toContain('Make it the default in place of General');
    expect(await page(finance, `${address}/default`)).toContain('go to Camp, and no longer to General.');
    expect(await page(finance, '/console/funds/1/close')).toContain('General is the default: gifts that name no fund');
    const refused = await finance.post(`${address}/default`, { Was: '2' }).expect(409);
    expect(refused.text).toContain('The default fund is General now. Nothing was changed.');
    await finance.post(`${address}/default`, { Was: '1' }).expect(303);
    expect(await page(finance, address)).toContain('Yes: gifts that name no fund go here');
    await finance.post('/console/funds/1/default', {}).expect(303);
  });

  it('say that there is no such fund', async () => {
    expect((await finance.get('/console/funds/999').expect(422)).text).toContain('There is no fund 999.');
    await finance.get('/console/funds/one').expect(400);
  });

  it('are shown to auditors without forms and buttons, and refuse theirs', async () => {
    const address = await added('Choir');
    for (const path of ['/console/funds', address]) {
      expect(mainOf(await page(auditor, path))).not.toMatch(/<form|Add a fund|<button/);
    }
    await auditor.get('/console/funds/new').expect(403);
    for (const question of ['close', 'default']) await auditor.get(`${address}/${question}`).expect(403);
    for (const [path, fields] of [
      ['/console/funds', { Name: 'Organ' }],
      [`${address}/rename`, { Name: 'Organ', Was: 'Choir' }],
      [`${address}/close`, {}],
      [`${address}/open`, {}],
      [`${address}/default`, {}],
    ] as const)
      await auditor.post(path, fields).expect(403);
    expect(await page(auditor, address)).toContain('<h1>Choir</h1>');
  });
});
