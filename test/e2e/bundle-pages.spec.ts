import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Added, addedGift, readBack, recordedGift } from '../contract/gift-requests.js';
import {
  type ConsoleVisitor,
  flashOf,
  hiddenFieldsOf,
  logInToConsole,
  mainOf,
  newVisitor,
  textOf,
} from '../support/console.js';
import { ROLES, startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;
let finance: ConsoleVisitor;
let auditor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp();
  ({ visitor: finance } = await newVisitor(service));
  auditor = await logInToConsole(service, await service.createUser('auditor', PASSWORD, ['Auditor']));
});
afterAll(() => service.stop());

const page = async (visitor: ConsoleVisitor, path: string): Promise<string> =>
  mainOf((await visitor.get(path).expect(200)).text);

/** The cells of the rows of a page, a line of text for each. */
const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

let count = 0;

/** An open bundle of its own with a gift of USD 25. */
async function openBundle(): Promise<number> {
  const login = await service.createUser(`processor ${++count}`, PASSWORD, ['Developer', 'APIOnly', 'APIWrite']);
  const answer = await service.add({ Amount: '25' }, login).expect(200);
  const [row] = await service.database.query<{ id: number }>('SELECT bundle_id AS id FROM contribution WHERE id = $1', [
    (answer.body as { ContributionId: number }).ContributionId,
  ]);
  return row?.id ?? 0;
}

async function statusOf(bundleId: number): Promise<number | undefined> {
  const [row] = await service.database.query<{ status: number }>('SELECT status FROM bundle WHERE id = $1', [bundleId]);
  return row?.status;
}

const OPEN = 1;
const CLOSED = 0;
const HELD = '1 entry, USD 25.00';

it('the list says what would be there', async () => {
  expect(await page(finance, '/console/bundles')).toContain('No bundle is open. The first gift');
});

describe('the list of bundles', () => {
  it('has day, whose, kind, count, total and status, and filters', async () => {
    const bundleId = await openBundle();
    const [user] = await service.database.query<{ name: string }>(
      'SELECT username AS name FROM bundle b JOIN app_user u ON u.id = b.user_id WHERE b.id = $1',
      [bundleId],
    );
    const filter = `user=${encodeURIComponent(user?.name ?? '')}`;
    const [, row] = rowsOf(await page(finance, `/console/bundles?${filter}&status=Open&bundleTypeId=4&from=&to=`));
    expect(row).toMatch(new RegExp(`^${bundleId} [A-Z][a-z]{2} \\d+, \\d{4} ${user?.name ?? ''} Online 1 25.00$`));
    const none = await page(finance, `/console/bundles?${filter}&status=Closed`);
    expect(none).toContain('No bundle is like that.');
    expect(none).toContain('<option value="Closed" selected');
    const { text } = await finance.get('/console/bundles?from=yesterday').expect(400);
    expect(text).toContain('value="yesterday"');
    expect(text).toContain('id="field-from-fault"');
  });
});

describe('the list of bundles without a choice of the status', () => {
  it('has the open ones, and leads to the closed ones', async () => {
    const [open, closed] = [await openBundle(), await openBundle()];
    await finance.post(`/console/bundles/${closed}/close`, { holds: HELD }).expect(303);
    const ids = async (query: string): Promise<string[]> =>
      rowsOf(await page(finance, `/console/bundles${query}`)).map((row) => row.split(' ')[0] ?? '');
    expect(await ids('')).toEqual(expect.arrayContaining([String(open)]));
    expect(await ids('')).not.toContain(String(closed));
    expect(await ids('?status=all')).toEqual(expect.arrayContaining([String(open), String(closed)]));
    const text = await page(finance, '/console/bundles?from=2026-01-01');
    expect(text).toContain('href="../console/bundles?from=2026-01-01&amp;status=Closed">Closed bundles');
    expect(text).toMatch(/<p class="count">\d+ open bundles?</);
    expect(await ids('?status=Closed&from=2026-01-01')).toEqual(['Bundle', String(closed)]);
    await finance.get('/console/bundles?status=none').expect(400);
  });
});

describe('a bundle', () => {
  it('is shown with its totals by fund, type and method, and its entries, which is recorded', async () => {
    const gift = await recordedGift(service, { Amount: '40', Method: 'check', CheckNumber: '1042', BundleTypeId: 1 });
    await service.reverse(`${gift.contributionId}/a`).expect(200);
    const text = await page(auditor, `/console/bundles/${gift.bundleId}`);
    expect(rowsOf(text)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^General \d 0\.00$/), expect.stringMatching(/^Check \d 0\.00$/)]),
    );
    expect(text).toContain(`Takes back ${gift.contributionId}`);
    // The reversing entry has no giver as sent: its person has a name.
    expect(text).not.toMatch(/>Person \d+</);
    const name = [gift.giver['first'], gift.giver['last']].join(' ');
    expect(text.split(`>${name}</a>`)).toHaveLength(3);
    expect(text).toContain('Check 1042');
    const [entry] = await service.database.query(
      `SELECT actor, via, details -> 'peopleIds' AS ids FROM audit_entry WHERE action = 'contribution.list' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry).toEqual({ actor: 'auditor', via: 'page', ids: [gift.peopleId] });
  });

  it('names pledges and what was only promised beside its sums, here and in the list', async () => {
    const login = await service.createUser('promises', PASSWORD, ROLES);
    const answer = await service.add({ Amount: '25', Method: 'card' }, login).expect(200);
    await service.add({ Amount: '1070', ContributionTypeId: 8, Method: 'card' }, login).expect(200);
    await service.add({ Amount: '30', ContributionTypeId: 9, Method: 'card' }, login).expect(200);
    const { bundleId } = await readBack(service, (answer.body as Added).ContributionId, login);
    const text = await page(finance, `/console/bundles/${bundleId}`);
    expect(textOf(text)).toContain('Contains 2 entries of 55.00 and 1 pledge of 1,070.00');
    expect(rowsOf(text)).toEqual(
      expect.arrayContaining([
        ...['Fund Count Total Pledges Pledged', 'General 2 55.00 1 1,070.00', 'Card 2 55.00 1 1,070.00'],
        ...['Regular 1 25.00', 'Pledge 1 1,070.00', 'Not deductible 1 30.00'],
      ]),
    );
    const [, row] = rowsOf(await page(finance, '/console/bundles?user=promises'));
    expect(row).toContain('Online 2 and 1 pledge 55.00 pledged 1,070.00');
    const { headers } = await finance
      .post(`/console/bundles/${bundleId}/close`, { holds: '2 entries, USD 55.00, and 1 pledge, USD 1,070.00' })
      .expect(303);
    expect(flashOf(headers)).toBe(
      `Bundle ${bundleId} is closed with 2 entries, USD 55.00, and 1 pledge, USD 1,070.00.`,
    );
  });

  it('is closed after a confirmation with count and total, by the person who did it', async () => {
    const bundleId = await openBundle();
    const path = `/console/bundles/${bundleId}`;
    expect(await page(finance, `${path}/close`)).toContain(`<input type="hidden" name="holds" value="${HELD}"/>`);
    await finance.post(`${path}/close`, { holds: HELD }).expect(303);
    const text = await page(finance, path);
    expect(text).toContain('<dd>Closed</dd>');
    expect(text).not.toContain(`/close"`);
    const [entry] = await service.database.query(
      `SELECT b.closed_by = e.actor AS same, e.via FROM bundle b JOIN audit_entry e ON e.subject = 'bundle ' || b.id
       WHERE b.id = $1 AND e.action = 'bundle.close'`,
      [bundleId],
    );
    expect(entry).toEqual({ same: true, via: 'page' });
    await finance.get(`${path}/close`).expect(303);
  });

  it('of many that are closed together, the message has count and total; too many are refused', async () => {
    const ids: number[] = [];
    for (let added = 0; added < 21; added++) ids.push(await openBundle());
    const ticks = (some: readonly number[]): Record<string, string> =>
      Object.fromEntries(some.map((id) => [`bundle-${id}`, HELD]));
    const { headers } = await finance.post('/console/bundles/close', { ...ticks(ids), confirmed: 'true' }).expect(303);
    expect(flashOf(headers)).toBe('21 bundles are closed with 21 entries, USD 525.00.');
    const many = Array.from({ length: 101 }, (_, index) => index + 1_000_000);
    const refused = await finance.post('/console/bundles/close', ticks(many)).expect(303);
    expect(flashOf(refused.headers)).toBe('101 bundles were ticked: close at most 100 at once.');
  });

  it('stays open if it changed since, and the page shows what it holds now', async () => {
    const bundleId = await openBundle();
    const path = `/console/bundles/${bundleId}/close`;
    const { text } = await finance.post(path, { holds: '2 entries, USD 50.00' }).expect(409);
    expect(text).toContain(`Bundle ${bundleId} holds something else than you expect: ${HELD}.`);
    expect(text).toContain(`name="holds" value="${HELD}"`);
    expect(await statusOf(bundleId)).toBe(OPEN);
    // Without what was seen, it asks again.
    expect(textOf((await finance.post(path, {}).expect(200)).text)).toContain('permanently Cancel');
    expect(await statusOf(bundleId)).toBe(OPEN);
  });

  it('is a file for a spreadsheet, whose reading is recorded', async () => {
    const bundleId = await openBundle();
    const { headers, text } = await auditor.get(`/console/bundles/${bundleId}/export`).expect(200);
    expect(headers['content-disposition']).toBe(`attachment; filename="bundle-${bundleId}.csv"`);
    expect(text.split('\r\n')).toHaveLength(3);
    const rows = await service.database.query(
      `SELECT via FROM audit_entry WHERE action = 'bundle.export' AND subject = $1`,
      [`bundle ${bundleId}`],
    );
    expect(rows).toEqual([{ via: 'page' }]);
  });

  it('is not found, and its address has a number', async () => {
    expect((await finance.get('/console/bundles/999').expect(404)).text).toContain('There is no bundle 999.');
    await finance.get('/console/bundles/999/close').expect(404);
    await finance.get('/console/bundles/999/export').expect(404);
  });

  it('has several pages of entries', async () => {
    const login = await service.createUser('busy', PASSWORD, ['Developer', 'APIOnly', 'APIWrite']);
    const answer = await service.add({}, login).expect(200);
    const [row] = await service.database.query<{ id: number }>(
      'SELECT bundle_id AS id FROM contribution WHERE id = $1',
      [(answer.body as { ContributionId: number }).ContributionId],
    );
    for (let gifts = 1; gifts < 101; gifts++) await service.add({}, login).expect(200);
    const path = `/console/bundles/${row?.id ?? 0}`;
    const first = await page(finance, path);
    const next = /href="\.\.\/\.\.(\/console\/bundles\/\d+\?after=[^"#]+)#entries"/.exec(first)?.[1] ?? '';
    const second = await page(finance, next);
    expect([first, second].map((html) => html.match(/data-header="Entry"/g)?.length)).toEqual([100, 1]);
    expect(second).not.toContain('Next page');
    expect(second).toContain('First page');
  });
});

describe('several bundles', () => {
  /** All gifts of these tests are alike. */
  const REVIEW = '1 gift in this bundle has an open review : it may have been sent twice, for example\\. .*';

  it('are closed together after a confirmation, each with what was shown', async () => {
    const bundleIds = [await openBundle(), await openBundle()];
    const ticks = Object.fromEntries(bundleIds.map((id) => [`bundle-${id}`, HELD]));
    expect(await page(finance, '/console/bundles')).toContain(`name="bundle-${bundleIds[0] ?? 0}" value="${HELD}"`);
    const { text } = await finance.post('/console/bundles/close', ticks).expect(200);
    expect(text).toContain('Close 2 bundles permanently');
    expect(await Promise.all(bundleIds.map(statusOf))).toEqual([OPEN, OPEN]);
    await finance.post('/console/bundles/close', { ...ticks, confirmed: 'true' }).expect(303);
    expect(await Promise.all(bundleIds.map(statusOf))).toEqual([CLOSED, CLOSED]);
  });

  it('are confirmed with day, whose, kind and grand total, and lead back to the list in which they were ticked', async () => {
    const [one, other, changed] = [await openBundle(), await openBundle(), await openBundle()];
    const list = '/console/bundles?from=2026-01-01&bundleTypeId=4';
    expect(hiddenFieldsOf(await page(finance, list))['list']).toBe(list.replace('&', '&amp;'));
    const ticks = { [`bundle-${one}`]: HELD, [`bundle-${other}`]: HELD, list };
    const { text } = await finance.post('/console/bundles/close', { ...ticks, [`bundle-${changed}`]: '9 entries' });
    expect(rowsOf(text)).toEqual([
      'Bundle Day Recorded by Kind Contains Please note',
      ...[one, other].map((id) =>
        expect.stringMatching(new RegExp(`^${id} \\w+ \\d+, \\d+ processor \\d+ Online ${HELD} ${REVIEW}$`)),
      ),
      expect.stringMatching(new RegExp(`^${changed} .* 9 entries now ${HELD}, not counted below ${REVIEW}$`)),
      'Together 2 entries of 50.00',
    ]);
    const { headers } = await finance.post('/console/bundles/close', { ...ticks, confirmed: 'true' }).expect(303);
    expect(headers['location']).toContain(`${list}&flash=`);
    for (const elsewhere of ['https://example.org/', '/console/gifts', '/console/bundles/7/close', '//example.org']) {
      const none = await finance.post('/console/bundles/close', { list: elsewhere }).expect(303);
      expect(none.headers['location']).toMatch(/console\/bundles\?flash=/);
    }
  });

  it('stay open if they changed meanwhile, with the reason, while the others are closed', async () => {
    const [same, changed] = [await openBundle(), await openBundle()];
    const sent = { [`bundle-${same}`]: HELD, [`bundle-${changed}`]: '3 entries, USD 75.00', confirmed: 'true' };
    const { text } = await finance.post('/console/bundles/close', sent).expect(409);
    expect([await statusOf(same), await statusOf(changed)]).toEqual([CLOSED, OPEN]);
    expect(rowsOf(text)).toEqual([
      'Tick Bundle Day Recorded by Kind You saw Result',
      expect.stringMatching(new RegExp(`^${same} .* Online ${HELD} Closed$`)),
      expect.stringMatching(
        new RegExp(`^${changed} .* Online 3 entries, USD 75.00 Bundle ${changed} holds something else`),
      ),
    ]);
    // It is ticked with what it holds now.
    expect(text).toMatch(new RegExp(`name="bundle-${changed}" value="${HELD}"[^>]* checked`));
  });

  it('are not closed if none is ticked, or what is sent is no tick', async () => {
    for (const fields of [{}, { confirmed: 'true' }, { 'bundle-x': HELD, 'bundle-1': '', confirmed: 'true' }]) {
      const { headers } = await finance.post('/console/bundles/close', fields).expect(303);
      expect(headers['location']).toContain('No+bundle+was+ticked');
    }
  });
});

it('auditors see bundles without ticks and buttons that close, and close none', async () => {
  const { bundleId } = await recordedGift(service, {});
  await addedGift(service, {});
  for (const path of ['/console/bundles', `/console/bundles/${bundleId}`]) {
    expect(await page(auditor, path)).not.toMatch(/method="post"|class="tick"|Close(…| the)/);
  }
  await auditor.get(`/console/bundles/${bundleId}/close`).expect(403);
  await auditor.post(`/console/bundles/${bundleId}/close`, { holds: HELD }).expect(403);
  await auditor.post('/console/bundles/close', { [`bundle-${bundleId}`]: HELD, confirmed: 'true' }).expect(403);
  expect(await statusOf(bundleId)).toBe(OPEN);
});
