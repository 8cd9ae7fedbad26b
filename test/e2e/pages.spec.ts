import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BOOK_READERS } from '../../src/auth/index.js';
import { Navigation } from '../../src/pages/index.js';
import { type ConsoleVisitor, logInToConsole, originOf } from '../support/console.js';
import { HOSTILE, ParcelModule, stored } from '../support/parcel-pages.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let finance: ConsoleVisitor;
let auditor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_NAME: 'Grace <b>Church</b>' }, { modules: [{ module: ParcelModule }] });
  finance = await logInToConsole(service, await service.createUser('treasurer', 'some long password', ['Finance']));
  auditor = await logInToConsole(service, await service.createUser('auditor', 'some long password', ['Auditor']));
});
afterAll(() => service.stop());

describe('a page', () => {
  it('has the frame: a title, one heading, the way past the navigation, and the entries that all parts declare', async () => {
    const { text: html, headers } = await finance.get('/console/parcels').expect(200);
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    expect(html).toContain('<title>Parcels · Grace &lt;b>Church&lt;/b></title>');
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain('href="#content"');
    expect([...html.matchAll(/data-hotkey="(g \w)"/g)].map(([, key]) => key)).toEqual(
      expect.arrayContaining(['g h', 'g z', 'g a']),
    );
    expect(html).toContain('href="../console/parcels" data-hotkey="g z" aria-current="page"');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(html).not.toMatch(/ style=| on\w+=|<script>/);
  });

  it('escapes texts, and shows amounts and days in the church’s way', async () => {
    const { text: html } = await finance.get('/console/parcels').expect(200);
    expect(html).toContain('&lt;script>alert(1)&lt;/script> &amp; &quot;co&quot;');
    expect(html).toContain('<span class="amount negative">−1,234.50</span>');
    expect(html).toContain('<span class="amount negative">EUR −1,234.50</span>');
    expect(html).toContain('<time datetime="2026-11-29">Nov 29, 2026</time>');
    expect(html).toContain('href="../console/parcels?Name=a+b&amp;after=1"');
  });

  it('says so when a list is empty, and keeps what was searched', async () => {
    const { text: html } = await finance.get('/console/parcels?none=1&Name=Lee').expect(200);
    expect(html).toContain('<p class="empty">No parcel is like that.</p>');
    expect(html).toContain('value="Lee"');
  });

  it('is only for its roles, and says which are missing', async () => {
    await auditor.get('/console/parcels').expect(200);
    const { text: html } = await auditor.get('/console/parcels/new').expect(403);
    expect(html).toContain('<h1>You may not see or do this</h1>');
    expect(html).toContain('Your user lacks the role Finance.');
    expect(html).toContain('aria-label="Main"');
    const { status } = await auditor.post('/console/parcels', { Name: 'a' });
    expect([status, stored]).toEqual([403, []]);
  });

  it('loads files that browsers may keep for ever', async () => {
    const { text: html } = await finance.get('/console/parcels').expect(200);
    const files = [...html.matchAll(/(?:href|src)="\.\.\/(console\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(3);
    for (const path of files) {
      expect(path).toMatch(/\.[0-9a-f]{16}\.(css|js|svg)$/);
      const { headers } = await service.http().get(`/${path}`).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    await service.http().get('/console/assets/console.css').expect(404);
    await service.http().get('/console/assets/..%2fassets.js').expect(404);
  });
});

describe('the form of a page', () => {
  it('stores valid fields, and goes to the next page, which says once what was done', async () => {
    const sent = { Name: ' Lee ', Day: '2026-11-29', Kind: 'small', Notes: 'a\r\nb', Urgent: 'true' };
    const { headers } = await finance.post('/console/parcels', sent).expect(303);
    expect(stored).toEqual([{ Name: 'Lee', Day: '2026-11-29', Kind: 'Small', Notes: 'a\nb', Urgent: true }]);
    const next = new URL(headers['location'] ?? '', `${originOf(service)}/console/parcels`);
    expect(next.pathname).toBe('/console/parcels');
    const { text: html } = await finance.get(next.pathname + next.search).expect(200);
    expect(html).toContain('<p class="message" role="status">treasurer added parcel 1.</p>');
    // Somebody else's link says nothing.
    expect((await auditor.get(next.pathname + next.search).expect(200)).text).not.toContain('added parcel');
  });

  it('shows invalid fields again with what was typed and what is accepted', async () => {
    const sent = { Name: `${'x'.repeat(11)}"`, Day: '2026-02-30', Kind: 'none', Notes: HOSTILE };
    const { text: html } = await finance.post('/console/parcels', sent).expect(400);
    expect(html).toContain('<div class="refusal" role="alert">Please correct the marked fields.</div>');
    expect(html).toContain('value="xxxxxxxxxxx&quot;"');
    expect(html).toMatch(/aria-describedby="field-Name-help field-Name-fault" aria-invalid="true"/);
    expect(html).toMatch(/<p class="fault" id="field-Name-fault">Name must be at most 10 characters[^<]*\.<\/p>/);
    expect(html).toContain('id="field-Day-fault"');
    expect(html).toContain('id="field-Kind-fault"');
    expect(html).toContain('&lt;script>alert(1)');
    expect(stored).toHaveLength(1);
  });

  it('keeps what was typed when somebody else was faster', async () => {
    const { text: html } = await finance.post('/console/parcels', { Name: 'taken', Urgent: 'true' }).expect(409);
    expect(html).toContain('Somebody else has taken this name.');
    expect(html).toContain('value="taken"');
    expect(html).toMatch(/type="checkbox"[^>]* checked/);
  });

  it('shows a fault of the service with the number to report', async () => {
    const answer = await finance
      .post('/console/parcels', { Name: 'broken' })
      .set('X-Request-Id', 'for-support')
      .expect(500);
    expect(answer.text).toContain('<code>for-support</code>');
    expect(answer.text).not.toContain('Nobody expected this');
  });

  it('asks before an action that cannot be undone, and shows a refusal as a page', async () => {
    const { text: html } = await finance.get('/console/parcels/7/open').expect(200);
    expect(html).toContain('It has 3 things in it.');
    expect(html).toContain('since Nov 1, 2026.');
    expect(html).toContain('<a href="../../../console/parcels?Name=Lee+%26+Co">');
    expect(html).toMatch(/<input type="hidden" name="count" value="3"\/?>/);
    const refused = await finance.post('/console/parcels/7/open', { count: '3' }).expect(409);
    expect(refused.text).toContain('<h1>Somebody else was faster</h1>');
    expect(refused.text).toContain('Somebody else has opened it.');
  });

  it.each([
    ['JSON', 'application/json', '{"Name":"a"}', 415],
    ['plain text', 'text/plain', 'Name=a', 415],
    ['another charset', 'application/x-www-form-urlencoded; charset=latin1', 'Name=a', 415],
    ['more than 64 KB', 'application/x-www-form-urlencoded', `Name=${'a'.repeat(65_536)}`, 413],
    ['invalid percent-encoding', 'application/x-www-form-urlencoded', 'Name=%ff', 400],
  ])('is refused with %s', async (_what, type, body, status) => {
    const before = stored.length;
    const answer = await service
      .http()
      .post('/console/parcels')
      .set('Cookie', finance.cookie)
      .set('Origin', originOf(service))
      .set('Content-Type', type)
      .send(body);
    expect([answer.status, answer.type, stored.length]).toEqual([status, 'text/html', before]);
  });

  it('uses none of two values with one name', async () => {
    const answer = await service
      .http()
      .post('/console/parcels')
      .set('Cookie', finance.cookie)
      .set('Origin', originOf(service))
      .type('form')
      .send(`formToken=${finance.formToken}&Name=a&Name=b`)
      .expect(400);
    expect(answer.text).toContain('id="field-Name-fault"');
    expect(answer.text).not.toContain('value="a"');
  });
});

describe('failures under /console', () => {
  it('are pages, and problem documents elsewhere', async () => {
    const { text: html, headers } = await finance.get('/console/nothing-here').expect(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(html).toContain('<h1>Not found</h1>');
    expect(html).toContain('href="../console"');
    const elsewhere = await service.http().get('/nothing-here').expect(404);
    expect(elsewhere.type).toBe('application/problem+json');
  });

  it('name the methods of a page that is asked in another way', async () => {
    const answer = await service.http().put('/console/parcels').set('Origin', originOf(service)).expect(405);
    expect([answer.headers['allow'], answer.type]).toEqual(['GET, HEAD, POST', 'text/html']);
  });
});

it('the home page shows what the parts declare', async () => {
  const { text: html } = await finance.get('/console').expect(200);
  expect(html).toContain('<a href="./console/parcels"><strong>3</strong> parcels to open</a>');
  expect(html).toContain('November 2026: −1 parcels');
  expect(html).toContain('<rect x="0" y="0" width="10" height="100"');
  expect(html).toContain('<rect x="0" y="100" width="10" height="0"');
});

it('two entries of the navigation cannot have the same letter', () => {
  const entry = { label: 'Other', to: '/console/other', letter: 'z', position: 1_000, roles: BOOK_READERS };
  expect(() => {
    service.app.get(Navigation).add(entry);
  }).toThrow('The navigation entries Parcels and Other conflict');
});
