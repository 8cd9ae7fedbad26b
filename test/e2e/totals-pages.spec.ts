import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { type ConsoleVisitor, logInToConsole } from '../support/console.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let auditor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp();
  const login = await service.createUser('auditor', 'correct horse battery', ['Auditor']);
  auditor = await logInToConsole(service, login);
  await service.database.query(`INSERT INTO fund (name) VALUES ('=Roof "1"')`);
  await addedGift(service, { Amount: '1200.50', Date: '2025-01-05' });
  await addedGift(service, { Amount: '30', Date: '2025-01-20', ContributionTypeId: 9 });
  await addedGift(service, { Amount: '7', Date: '2025-12-31', FundId: 2 });
});
afterAll(() => service.stop());

const cells = (html: string): string[] =>
  [...html.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell.replaceAll(/<[^>]+>/g, ''));

describe('the page of totals', () => {
  it('shows fund and month with the sums of both, and what is deductible', async () => {
    const { text } = await auditor.get('/console/totals?year=2025').expect(200);
    expect(text).toContain('<h1>Totals 2025</h1>');
    const months = (first: string, last: string): string[] => [first, ...Array<string>(10).fill(''), last];
    expect(cells(text)).toEqual([
      ...['General', ...months('1,230.50', ''), '1,230.50'],
      ...['=Roof &quot;1&quot;', ...months('', '7.00'), '7.00'],
      ...['All funds', ...months('1,230.50', '7.00'), '1,237.50'],
      ...['General', '2', '1,200.50', '30.00', '0.00', '1,230.50', '0.00'],
      ...['=Roof &quot;1&quot;', '1', '7.00', '0.00', '0.00', '7.00', '0.00'],
      ...['All funds', '3', '1,207.50', '30.00', '0.00', '1,237.50', '0.00'],
    ]);
    expect(text).toContain('General: USD 1,230.50, 2 gifts');
  });

  it('says so if nothing is recorded in a year, and leads to the years beside it', async () => {
    const { text } = await auditor.get('/console/totals?year=1999').expect(200);
    expect(text).toContain('Nothing is recorded in 1999.');
    expect(text).toContain('console/totals?year=1998"');
    expect(text).toContain('console/totals?year=2000"');
  });

  it('shows this year if none is named', async () => {
    const year = String(new Date().getUTCFullYear());
    expect((await auditor.get('/console/totals').expect(200)).text).toContain(`<h1>Totals ${year}</h1>`);
  });

  it('keeps a year that is none, and says what is accepted', async () => {
    const { text } = await auditor.get('/console/totals?year=20x5').expect(400);
    expect(text).toContain('Year must be a year from 1900 to 2199.');
    expect(text).toContain('value="20x5"');
  });

  it('leads to a file for a spreadsheet, in which no name is a formula', async () => {
    const { text, headers } = await auditor.get('/console/totals/export?year=2025').expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="totals-2025-01-to-2025-12.csv"');
    expect(text.split('\r\n')).toEqual([
      '\uFEFFCurrency,FundId,Fund,Month,Gifts,Net,Deductible,NonDeductible,NonCash,Pledges',
      'USD,1,General,2025-01,2,1230.50,1200.50,30.00,0.00,0.00',
      `USD,2,"'=Roof ""1""",2025-12,1,7.00,7.00,0.00,0.00,0.00`,
      '',
    ]);
    await auditor.get('/console/totals/export?year=x').expect(400);
  });
});
