import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { type ConsoleVisitor, newVisitor } from '../support/console.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let visitor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp({
    CHURCH_NAME: 'Grace Church',
    CHURCH_TIME_ZONE: 'America/Chicago',
    FINANCE_EMAILS: 'office@example.org',
  });
  ({ visitor } = await newVisitor(service));
});
afterAll(() => service.stop());

/** The texts of the home page, without its elements. */
async function home(): Promise<string> {
  const { text } = await visitor.get('/console').expect(200);
  return (text.split('<main')[1] ?? '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

it('the page at / has the church’s name, and leads to the console and the API page, without a login', async () => {
  const { text, headers } = await service.http().get('/').expect(200);
  expect(text).toContain('<div class="church"><span>Grace Church</span></div>');
  expect(text).toContain('href="./console"');
  expect(text).toContain('href="./docs"');
  expect(headers['content-security-policy']).toContain("script-src 'self'");
});

// Each test continues from the one before.
it('the home page of a church without gifts says that there is nothing to do', async () => {
  const text = await home();
  expect(text).toContain('To do Nothing to do.');
  expect(text).toContain('Gifts of the last 12 months in USD');
  expect(text.match(/USD 0\.00, 0 gifts/g)).toHaveLength(12);
});

it('the home page counts open reviews, bundles of more than three days ago, and notices that were not sent', async () => {
  const { ContributionId } = await addedGift(service, { Amount: '1234.50' });
  await service.database.query(`
    INSERT INTO review (contribution_id, reasons) VALUES (${ContributionId}, '{deceased}');
    INSERT INTO bundle (bundle_type_id, user_id, day) SELECT 1, 1, (now() AT TIME ZONE 'America/Chicago')::date - d
    FROM unnest(ARRAY[3, 4, 400]) AS d;
    INSERT INTO bundle (bundle_type_id, user_id, day, status, closed_at, closed_by) VALUES (1, 1, '2026-01-01', 0, now(), 'x');
    INSERT INTO notice (id, reversing_contribution_id, content) VALUES (gen_random_uuid(), ${ContributionId}, '{}');
    INSERT INTO delivery (notice_id, recipient, message_id, status, attempts)
    SELECT id, 'office@example.org', 'one', 'failed', 9 FROM notice`);
  const text = await home();
  const { text: page } = await visitor.get('/console').expect(200);
  const [{ day } = { day: '' }] = await service.database.query<{ day: string }>(
    `SELECT ((now() AT TIME ZONE 'America/Chicago')::date - 4)::text AS day`,
  );
  expect(page).toContain(`href="./console/bundles?status=Open&amp;to=${day}"`);
  expect(text).toContain('1 open review');
  expect(text).toContain('2 bundles open for more than 3 days');
  expect(text).toContain('1 notice of a reversal not sent');
  expect(text).not.toContain('given up');
  expect(text).not.toContain('Nothing to do.');
});

it('the home page warns of what the service reports to Finance', async () => {
  const quiet = await startTestApp();
  try {
    const { visitor: treasurer } = await newVisitor(quiet);
    expect((await treasurer.get('/console').expect(200)).text).toContain('No one is notified of reversals');
  } finally {
    await quiet.stop();
  }
});

it('the picture of the home page has the gifts of this month, without what was taken back', async () => {
  const fresh = await startTestApp();
  try {
    const { visitor: treasurer } = await newVisitor(fresh);
    const { ContributionId } = await addedGift(fresh, { Amount: '1234.50' });
    await addedGift(fresh, { Amount: '100' });
    await addedGift(fresh, { Amount: '5000', ContributionTypeId: 8 });
    await fresh.reverse(`${ContributionId}/a`).expect(200);
    const { text } = await treasurer.get('/console').expect(200);
    expect(text).toMatch(/[A-Z][a-z]+ \d{4}: USD 100\.00, 2 gifts/);
    expect(text.match(/USD 0\.00, 0 gifts/g)).toHaveLength(22);
  } finally {
    await fresh.stop();
  }
});
