import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postAs } from '../finance/finance-calls.js';
import { addedGift } from '../contract/gift-requests.js';
import { giver } from '../contract/givers.js';
import { type ConsoleVisitor, logInToConsole } from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let finance: Login;
let visitor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  finance = await service.createUser('treasurer', 'some long password', ['Finance']);
  visitor = await logInToConsole(service, finance);
});
afterAll(() => service.stop());

async function open(query = '', status = 200): Promise<string> {
  return (await visitor.get(`/console/changes${query}`).expect(status)).text;
}

/** The texts of the rows of the table. */
async function rows(query = ''): Promise<string[]> {
  const [, body = ''] = (await open(query)).split('<tbody>');
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );
}

describe('the page of changes', () => {
  it('shows who did what, about what and when, the newest first, without readings', async () => {
    await postAs(service, finance, 'Funds/1/close').expect(200);
    await postAs(service, finance, 'Funds/1/open').expect(200);
    const { PeopleId } = await addedGift(service, giver());
    await service.get(`People/${PeopleId}`, finance).expect(200);
    const [first, second] = await rows();
    expect(first).toMatch(/^\w{3} \d+, \d{4}, \d\d:\d\d treasurer a program, by the API opened a closed fund fund 1$/);
    expect(second).toContain('closed a fund fund 1');
    expect(await open()).toContain('href="../console/funds/1"');
    expect(await rows('?readings=true')).toEqual([
      expect.stringContaining(`read a person people: 1 · person: ${PeopleId} person ${PeopleId}`),
      ...(await rows()),
    ]);
    expect(await rows('?action=person.read')).toHaveLength(1);
  });

  it('finds a gift by the word that Finance uses, and links it', async () => {
    const { ContributionId } = await addedGift(service, giver());
    await service.reverse(`${ContributionId}/txt2give`).expect(200);
    const query = `?subject=Gift+${ContributionId}`;
    await postAs(service, finance, `Contributions/${ContributionId}/reinstate`).expect(200);
    const [found, ...others] = await rows(query);
    expect(found).toContain(`undid a reversal of a gift`);
    expect(found).toContain(`gift ${ContributionId}`);
    expect(others.every((row) => row.endsWith(`gift ${ContributionId}`))).toBe(true);
    const text = await open(query);
    expect(text).toContain(`href="../console/gifts/${ContributionId}"`);
    expect(text).toContain(`value="Gift ${ContributionId}"`);
  });

  it('finds a gift by its number alone, and names the funds of a move', async () => {
    const [{ fundId } = { fundId: 0 }] = await service.database.query<{ fundId: number }>(
      `INSERT INTO fund (name) VALUES ('Attic') RETURNING id AS "fundId"`,
    );
    const { ContributionId } = await addedGift(service, giver());
    const move = { FundId: fundId, Reason: 'For the attic' };
    await postAs(service, finance, `Contributions/${ContributionId}/move`, move).expect(200);
    const [moved] = await rows(`?subject=${ContributionId}`);
    expect(moved).toMatch(/to fund: Attic · from fund: General/);
    const gift = (await visitor.get(`/console/gifts/${ContributionId}`).expect(200)).text;
    expect(gift).toContain(`console/changes?subject=gift+${ContributionId}"`);
  });

  it('filters by who, what and days, and says so if nothing is found', async () => {
    expect(await rows('?actor=treasurer&action=fund.open')).toHaveLength(1);
    expect(await open('?actor=nobody')).toContain('No change matches.');
    expect(await open('?from=2001-01-01&to=2001-12-31')).toContain('No change matches.');
    expect(await open('?actor=treasurer')).toContain('value="treasurer"');
  });

  it('shows what is wrong with a day beside its field, with what was typed', async () => {
    const text = await open('?from=soon&actor=treasurer', 400);
    expect(text).toMatch(/id="field-from-fault">From [^<]+/);
    expect(text).toContain('value="treasurer"');
  });

  it('goes on with the next page, with the same filter', async () => {
    await service.database.query(`
      INSERT INTO audit_entry (actor, action, subject) SELECT 'many', 'fund.close', 'fund ' || n FROM generate_series(1, 250) n`);
    const next = /href="\.\.(\/console\/changes[^"]+)" data-hotkey="n"/.exec(await open('?actor=many'))?.[1] ?? '';
    expect(next).toContain('actor=many');
    const { text } = await visitor.get(next.replaceAll('&amp;', '&')).expect(200);
    expect(text.match(/<tr>/g)).toHaveLength(51);
    expect(text).toContain('First page');
    expect(text).not.toContain('data-hotkey="n"');
  });

  it('escapes what the names of users and subjects contain', async () => {
    await service.database.query(
      `INSERT INTO audit_entry (actor, action, subject) VALUES ('<b>x', 'fund.close', '<i>y')`,
    );
    const text = await open(`?actor=${encodeURIComponent('<b>x')}`);
    expect(text).toContain('&lt;b>x');
    expect(text).not.toContain('<i>y');
  });

  it('is open to an auditor', async () => {
    const auditor = await service.createUser('auditor', 'some long password', ['Auditor']);
    const { text } = await (await logInToConsole(service, auditor)).get('/console/changes?actor=treasurer').expect(200);
    expect(text).toContain('closed a fund');
    expect(text.split('<main')[1]).not.toContain('method="post"');
  });
});
