import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { correct } from '../contract/reversal-requests.js';
import { type ConsoleVisitor, entriesOf, logInToConsole, textOf } from '../support/console.js';
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
      ...['General', '1,230.50', ...months('1,230.50', '')],
      ...['=Roof &quot;1&quot;', '7.00', ...months('', '7.00')],
      ...['All funds', '1,237.50', ...months('1,230.50', '7.00')],
      ...['General', '2', '1,200.50', '30.00', '0.00', '1,230.50', '0.00'],
      ...['=Roof &quot;1&quot;', '1', '7.00', '0.00', '0.00', '7.00', '0.00'],
      ...['All funds', '3', '1,207.50', '30.00', '0.00', '1,237.50', '0.00'],
      ...['General', '1,230.50', '0.00', '1,230.50'],
      ...['=Roof &quot;1&quot;', '7.00', '0.00', '7.00'],
      ...['All funds', '1,237.50', '0.00', '1,237.50'],
    ]);
    expect(text).toContain('General: USD 1,230.50, 2 gifts');
  });

  it('shows the months up to one, beside the same months of the year before', async () => {
    await addedGift(service, { Amount: '200.25', Date: '2023-06-30' });
    await addedGift(service, { Amount: '50', Date: '2023-07-01' });
    await addedGift(service, { Amount: '75', Date: '2022-02-01', FundId: 2 });
    await addedGift(service, { Amount: '900', Date: '2022-09-01' });
    const { text } = await auditor.get('/console/totals?year=2023&upTo=06').expect(200);
    expect(text).toContain('<h1>Totals January to June 2023</h1>');
    expect(text).toContain('January to June 2023 and January to June 2022, in USD');
    expect(cells(text).slice(-12)).toEqual([
      ...['General', '200.25', '0.00', '200.25'],
      ...['=Roof &quot;1&quot;', '0.00', '75.00', '−75.00'],
      ...['All funds', '200.25', '75.00', '125.25'],
    ]);
    expect(text).not.toContain('data-header="Jul"');
    expect(text).toContain('export?from=2023-01&amp;to=2023-06"');
    expect(text).toMatch(/<option value="06" selected/);
    expect(textOf((await auditor.get('/console/totals?year=2023&upTo=13').expect(400)).text)).toContain(
      'Up to must be a month from 01 to 12.',
    );
  });

  it('shows some months or only one, with the same months for a spreadsheet and in other years', async () => {
    for (const [Date, Amount] of [
      ['2021-09-30', '1'],
      ['2021-10-01', '20.50'],
      ['2021-11-30', '300'],
      ['2021-12-01', '4000'],
    ])
      await addedGift(service, { Amount, Date });
    const { text: some } = await auditor.get('/console/totals?year=2021&first=10&upTo=11').expect(200);
    expect(some).toContain('<h1>Totals October to November 2021</h1>');
    expect(cells(some).slice(0, 8)).toEqual([
      'General',
      '320.50',
      '20.50',
      '300.00',
      'All funds',
      '320.50',
      '20.50',
      '300.00',
    ]);
    expect(some).toContain('General: USD 320.50, 2 gifts');
    expect(some).toContain('export?from=2021-10&amp;to=2021-11"');
    const { text: one } = await auditor.get('/console/totals?year=2021&first=10&upTo=10').expect(200);
    expect(one).toContain('<h1>Totals October 2021</h1>');
    expect(cells(one).slice(0, 4)).toEqual(['General', '20.50', 'All funds', '20.50']);
    expect(one).toContain('October 2021 and October 2020, in USD');
    expect(one).toContain('console/totals?year=2020&amp;first=10&amp;upTo=10"');
    const refused = await auditor.get('/console/totals?year=2021&first=10&upTo=09').expect(400);
    expect(textOf(refused.text)).toContain('Up to must not be before the first month.');
  });

  it('has the church and the day for paper', async () => {
    const { text } = await auditor.get('/console/totals?year=2025').expect(200);
    expect(text).toMatch(/<p class="printed">[^<]+, <time/);
    expect(text).toContain('<span class="on-screen">Each number leads');
  });

  it('says so if nothing is recorded in a year, and leads to the years beside it', async () => {
    const { text } = await auditor.get('/console/totals?year=1999').expect(200);
    expect(text).toContain('Nothing is recorded in 1999.');
    expect(text).toContain('console/totals?year=1998"');
    expect(text).toContain('console/totals?year=2000"');
  });

  it('shows this year if none is named, and has it in its field', async () => {
    const year = String(new Date().getUTCFullYear());
    for (const path of ['/console/totals', '/console/totals?year=']) {
      const { text } = await auditor.get(path).expect(200);
      expect(text).toMatch(new RegExp(`<h1>Totals (\\w+ (to \\w+ )?)?${year}</h1>`));
      expect(text).toContain(`name="year" value="${year}"`);
    }
  });

  it('keeps a year that is none, and says what is accepted', async () => {
    const { text } = await auditor.get('/console/totals?year=20x5').expect(400);
    expect(text).toContain('Year must be a year from 1900 to 2199.');
    expect(text).toContain('value="20x5"');
  });

  it('says that amounts are net, and leads from each number to the entries that add up to it', async () => {
    const login = await service.createUser('corrects', 'correct horse battery', ['Finance']);
    const fields = { Date: '2024-03-05', Amount: '100', First: 'Nell', Last: 'Net' };
    const { ContributionId: id } = await addedGift(service, fields);
    await addedGift(service, { ...fields, Amount: '20', Email: 'other@example.org', Phone: '901-555-0199' });
    await addedGift(service, { ...fields, Amount: '5000', ContributionTypeId: 8 });
    const { text } = await auditor.get('/console/totals?year=2024').expect(200);
    expect(text).toContain('All amounts are net of reversals');
    const [, path = ''] =
      /href="\.\.(\/console\/totals\/entries\?from=2024-03[^"]*)"><span class="amount">120\.00/.exec(text) ?? [];
    const march = await auditor.get(path.replaceAll('&amp;', '&')).expect(200);
    expect(march.text).toContain('<h1>General, March 2024</h1>');
    expect(textOf(march.text)).toMatch(/Net 120\.00 .*2 entries .*Nell Net .*20\.00 .*Nell Net .*100\.00/);
    expect(march.text).not.toContain('5,000.00');
    expect(await entriesOf(service, ['auditor', ''])).toContainEqual(
      expect.objectContaining({ action: 'contribution.list', details: expect.objectContaining({ contributions: 2 }) }),
    );

    // What is corrected now counts now, and what it undoes with it.
    const now = new Date().toISOString().slice(0, 7);
    const entries = `/console/totals/entries?from=${now}&to=${now}&currency=USD`;
    await correct(service, login, `${id}/reverse`, { Reason: 'error', Amount: '30' }).expect(200);
    await correct(service, login, `${id}/move`, { FundId: 2, Reason: 'x' }).expect(200);
    expect(textOf((await auditor.get(entries).expect(200)).text)).toMatch(
      /All funds Months .* Net −30\.00 .*3 entries/,
    );
    expect(textOf((await auditor.get(`${entries}&fundId=2`).expect(200)).text)).toMatch(/Net 70\.00 .*1 entry/);
    const back = await service.get(`Totals?from=${now}&to=${now}`, login).expect(200);
    const { currencies } = back.body as { currencies: { sum: { total: string } }[] };
    expect(currencies[0]?.sum.total).toBe('-30.00');
    await correct(service, login, `${id}/reinstate`).expect(200);
    expect(textOf((await auditor.get(entries).expect(200)).text)).toMatch(/Net 0\.00 .*4 entries .*Undoes reversal/);
    expect(textOf((await auditor.get(path.replaceAll('&amp;', '&')).expect(200)).text)).toContain('Net 120.00');
    await auditor.get('/console/totals/entries?from=2024-13&to=2024-03&currency=USD').expect(400);
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
