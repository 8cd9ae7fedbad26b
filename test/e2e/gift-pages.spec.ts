import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { addedGift } from '../contract/gift-requests.js';
import { entriesOf as entriesOfPayment, newFund, rowsOf, splitGift } from '../contract/reversal-requests.js';
import {
  type ConsoleVisitor,
  entriesOf,
  flashOf,
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
  service = await startTestApp({ CHURCH_NAME: 'Grace Church', FINANCE_EMAILS: 'office@example.org' });
  ({ login, visitor } = await newVisitor(service));
  auditor = await logInToConsole(service, await service.createUser('reads only', 'correct horse battery', ['Auditor']));
  await service.database.query(`INSERT INTO fund (name) VALUES ('Roof')`);
});
afterAll(() => service.stop());

async function page(path: string, by = visitor): Promise<string> {
  return textOf((await by.get(path).expect(200)).text);
}

const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

describe('the search for gifts', () => {
  it('says what would be there before there are gifts', async () => {
    expect(await page('/console/gifts')).toContain('There are no gifts yet.');
  });

  it('finds a gift by name, amount and check number, keeps what was typed, and leads to the gift', async () => {
    const { ContributionId: id } = await addedGift(service, {
      First: 'Ida',
      Last: 'Searched',
      Amount: '1234.50',
      Method: 'check',
      CheckNumber: '1042',
    });
    for (const q of ['searched', '1234.50', '1042', String(id)]) {
      const { text } = await visitor.get(`/console/gifts?q=${q}`).expect(200);
      expect(text).toContain(`href="../console/gifts/${id}"`);
      expect(text).toContain(`value="${q}"`);
      expect(textOf(text)).toContain('1,234.50');
      expect(textOf(text)).toContain('Check 1042');
    }
    expect(await page('/console/gifts?q=nobody-has-this')).toContain('No gift matches.');
    expect(await page('/console/gifts?method=cash')).toContain('No gift matches.');
    // What may be meant: a similar name, or the same search without the filters.
    const near = (await visitor.get('/console/gifts?q=serched&method=check').expect(200)).text;
    expect(textOf(near)).toContain('Similar names: Ida Searched');
    expect(near).toContain('href="../console/gifts?method=check&amp;q=Ida+Searched"');
    const filtered = (await visitor.get('/console/gifts?q=searched&method=cash').expect(200)).text;
    expect(filtered).toContain('href="../console/gifts?q=searched">Search without the filters');
    // What is blank is not there, and amounts may have commas.
    expect(await page('/console/gifts?q=&method=check&from=&processor=+&minAmount=1,000')).toContain('Ida Searched');
    expect(await page('/console/gifts?q=searched&maxAmount=1,234.49')).toContain('No gift matches.');
  });

  it('shows what is wrong with a filter beside it, with what was typed', async () => {
    const { text } = await visitor.get('/console/gifts?q=ida&minAmount=20&maxAmount=10').expect(400);
    expect(textOf(text)).toContain('Amount to must not be less than the lowest amount.');
    expect(text).toContain('value="ida"');
    await visitor.get('/console/gifts?from=soon').expect(400);
    await visitor.get('/console/gifts/export?from=soon').expect(400);
  });

  it('shows 50 gifts on a page and leads to the next ones', async () => {
    for (let count = 0; count < 51; count++) await addedGift(service, { Last: 'Paged' });
    const { text } = await visitor.get('/console/gifts?q=paged').expect(200);
    expect(textOf(text)).toContain('1–50 of 51 gifts');
    expect(text).toContain('aria-label="Months"');
    const next = /href="\.\.(\/console\/gifts\?q=paged&amp;after=\d+&amp;row=51)"/.exec(text)?.[1] ?? '';
    const second = await page(next.replaceAll('&amp;', '&'));
    expect(second).toContain('First page');
    expect(second).toContain('51 of 51 gifts');
  });

  it('gives a file with the gifts that were found, and records who has read them', async () => {
    const { headers, text } = await visitor.get('/console/gifts/export?q=searched').expect(200);
    expect(headers['content-disposition']).toBe('attachment; filename="gifts.csv"');
    expect(text.split('\r\n')).toEqual([
      expect.stringContaining('ContributionId,PaymentId,Day,PeopleId,First,Last,FundId,Fund,Amount,Left'),
      expect.stringMatching(/,Ida,Searched,1,\w+,1234\.50,1234\.50,USD,check,1042,/),
      '',
    ]);
    expect(await entriesOf(service, login)).toContainEqual(
      expect.objectContaining({
        action: 'contribution.export',
        via: 'page',
        details: expect.objectContaining({ gifts: 1 }),
      }),
    );
  });
});

describe('the page of a gift', () => {
  it('shows the gift, its payment, the giver as sent and now, and its history', async () => {
    const { ContributionId: id } = await addedGift(service, {
      First: 'Una',
      Last: 'Page',
      Amount: '50',
      Fee: '1.50',
      Method: 'card',
      Source: 'txt2give',
      TransactionId: 'T-7',
      Notes: 'For the <roof>',
    });
    const text = await page(`/console/gifts/${id}`);
    for (const part of ['50.00 from Una Page', 'Fee 1.50', 'After the fee 48.50', 'T-7', 'For the &lt;roof>', 'Card'])
      expect(text).toContain(part);
    expect(text).toContain('Nobody matched when the gift arrived, so the person was added.');
    expect(text).toMatch(/50\.00 recorded , by api|50\.00 recorded, by api/);
    expect(text).toContain('Take back');
    await visitor.get('/console/gifts/2000000000').expect(404);
  });

  it('names the former giver after Finance has changed the giver, and no longer after that was undone', async () => {
    const sent = { First: 'Ulla', Last: 'Former', Email: 'ulla@example.org', Phone: '9015550171' };
    const { PeopleId: former } = await addedGift(service, sent);
    const { ContributionId: id, PeopleId: found } = await addedGift(service, sent);
    const { PeopleId: other } = await addedGift(service, { First: 'Vito', Last: 'Latter' });
    expect(found).toBe(former);
    const matched = 'The person was found by last name, first name, e-mail, phone.';
    expect(await page(`/console/gifts/${id}`)).toContain(matched);
    const give = (PeopleId: number, FromPeopleId: number): supertest.Test =>
      visitor.post(`/console/gifts/${id}/giver`, { PeopleId: String(PeopleId), FromPeopleId: String(FromPeopleId) });
    const { headers } = await give(other, former).expect(303);
    expect(flashOf(headers)).toBe(`Gift ${id} has another giver now.`);
    const text = await page(`/console/gifts/${id}`);
    expect(text).toMatch(
      /Finance has changed the giver\. Before that, it was Ulla Former ?\. That person had been found by last name/,
    );
    expect(text).not.toContain(matched);
    await give(former, other).expect(303);
    expect(await page(`/console/gifts/${id}`)).toContain(matched);
  });

  it('says what type a gift is of if it is not plain money, also in lists and files', async () => {
    const { ContributionId: id } = await addedGift(service, { Last: 'Promised', Amount: '70', ContributionTypeId: 8 });
    expect(await page(`/console/gifts/${id}`)).toContain('Amount 70.00 Type Pledge Status Recorded');
    expect(await page(`/console/gifts/${id}/take-back`)).toContain('Type Pledge');
    expect(await page('/console/gifts?q=promised')).toMatch(/Amount Type Method .* 70\.00 Pledge /);
    expect((await visitor.get('/console/gifts/export?q=promised').expect(200)).text).toMatch(/,Type\r\n.*,Pledge\r\n$/);
    const { ContributionId: dinner } = await addedGift(service, { Last: 'Dinner', ContributionTypeId: 9 });
    expect(await page(`/console/gifts/${dinner}`)).toContain('Type Not deductible');
    const { ContributionId: plain } = await addedGift(service, { Last: 'Plain', ContributionTypeId: 5 });
    expect(await page(`/console/gifts/${plain}`)).not.toContain('Type');
    expect(await page('/console/gifts?q=plain')).not.toContain('Type');
  });

  it('shows an auditor the same without anything that changes it, and refuses the forms', async () => {
    const { ContributionId: id } = await addedGift(service, { Last: 'Audited' });
    const text = await page(`/console/gifts/${id}`, auditor);
    expect(text).toContain('Audited');
    expect(text).not.toContain('Take back');
    expect(await page('/console/gifts?q=audited', auditor)).toContain('Audited');
    for (const form of ['giver', 'take-back', 'fund']) await auditor.get(`/console/gifts/${id}/${form}`).expect(403);
    for (const form of ['giver', 'take-back', 'take-back/confirm', 'fund', 'accept', 'reinstate/1'])
      await auditor.post(`/console/gifts/${id}/${form}`).expect(403);
  });

  it('leads from a reversing entry to its gift', async () => {
    const { ContributionId: id } = await addedGift(service, { Last: 'Entry' });
    await service.reverse(`${id}/txt2give`).expect(200);
    const [entry] = await service.database.query<{ id: number }>('SELECT id FROM contribution WHERE reverses_id = $1', [
      id,
    ]);
    const { headers } = await visitor.get(`/console/gifts/${entry?.id}`).expect(303);
    expect(headers['location']).toContain(`console/gifts/${id}?`);
    expect(await page(`/console/gifts/${id}`)).toContain('Taken back');
  });
});

describe('giving a gift to another person', () => {
  it('searches for the person and gives the gift, as done on a page', async () => {
    const { ContributionId: id, PeopleId: wrong } = await addedGift(service, { Last: 'Wrong' });
    const { PeopleId: right } = await addedGift(service, { First: 'Rita', Last: 'Right' });
    const { text } = await visitor.get(`/console/gifts/${id}/giver?q=rita`).expect(200);
    expect(textOf(text)).toContain('It is from Rita Right');
    const fields = { PeopleId: String(right), FromPeopleId: hidden(text, 'FromPeopleId') };
    expect(fields.FromPeopleId).toBe(String(wrong));
    await visitor.post(`/console/gifts/${id}/giver`, fields).expect(303);
    expect(await page(`/console/gifts/${id}`)).toContain('The giver is Rita Right');
    expect(await entriesOf(service, login)).toContainEqual(
      expect.objectContaining({ action: 'contribution.reassign', via: 'page', subject: `contribution ${id}` }),
    );
    // Somebody else was faster.
    const late = await visitor.post(`/console/gifts/${id}/giver`, { PeopleId: '1', FromPeopleId: String(wrong) });
    expect([late.status, textOf(late.text)]).toEqual([409, expect.stringContaining(`belongs to person ${right} now`)]);
    await visitor.post(`/console/gifts/${id}/giver`, { PeopleId: 'x' }).expect(400);
    expect(await page(`/console/gifts/${id}/giver?q=nobody-has-this`)).toContain('Nobody matches.');
  });
});

describe('taking back a gift', () => {
  it('says what will happen, with figures, takes back a part once, and undoes it', async () => {
    const { ContributionId: id } = await addedGift(service, { Last: 'Part', Amount: '50' });
    const path = `/console/gifts/${id}/take-back`;
    expect(await page(path)).toContain('How much All that is left: USD 50.00 A part, which is typed below');
    const part = { HowMuch: 'part', Amount: '$20', Reason: 'refund', Note: 'Agreed' };
    const { text } = await visitor.post(path, part).expect(200);
    expect(textOf(text)).toMatch(/^ Take back USD 20\.00 of USD 50\.00 from \w+ Part\? /);
    expect(textOf(text)).toMatch(/Taken back −20\.00 Left afterwards 30\.00 Why Refund: /);
    const fields = Object.fromEntries(
      ['Amount', 'Left', 'Reason', 'Key', 'Note'].map((name) => [name, hidden(text, name)]),
    );
    const { headers } = await visitor.post(`${path}/confirm`, fields).expect(303);
    expect(flashOf(headers)).toBe(`USD 20.00 of gift ${id} was taken back. Finance will be notified.`);
    await visitor.post(`${path}/confirm`, fields).expect(303);
    expect(await page(`/console/gifts/${id}`)).toContain('Left 30.00');
    expect(await page(`/console/gifts/${id}`)).toContain('20.00 taken back (refund): “Agreed”, by');
    // Somebody who still has the old figures.
    const late = await visitor.post(`${path}/confirm`, { ...fields, Key: 'another' }).expect(409);
    expect(textOf(late.text)).toContain(`Not as much is left of gift ${id} as you have seen, but USD 30.00.`);
    expect(late.text).toContain('value="20.00"');

    const [entry] = await service.database.query<{ id: number }>('SELECT id FROM contribution WHERE reverses_id = $1', [
      id,
    ]);
    const back = `/console/gifts/${id}/reinstate/${entry?.id}`;
    const confirmation = await visitor.get(back).expect(200);
    expect(textOf(confirmation.text)).toMatch(
      /Undo this reversal of USD 20\.00 from .*Added again 20\.00 Left now 30\.00 Left afterwards 50\.00/,
    );
    await visitor.post(back, { Key: hidden(confirmation.text, 'Key') }).expect(303);
    expect(await page(`/console/gifts/${id}`)).toContain('20.00 added again: a reversal was undone');
    await visitor.post(back, { Key: 'another' }).expect(409);
    await visitor.get(`/console/gifts/${id}/reinstate/${id}`).expect(404);
  });

  it('undoes all that was taken at once, in each fund, after saying so with the sum', async () => {
    const roof = await newFund(service, 'Attic');
    const [id = 0, other = 0] = await splitGift(service, [
      ['100', 1],
      ['50', roof],
    ]);
    await service.reverse(`${id}/bank?amount=30`).expect(200);
    const text = await page(`/console/gifts/${id}`);
    expect(text).toMatch(
      /What was taken back When .* −30\.00 \w+ 20\.00 , Attic 10\.00 No reason was sent api Undo… the reversal by entry/,
    );
    expect(text.split('Undo… the reversal by entry')).toHaveLength(2);
    const entries = await entriesOfPayment(service, id);
    expect(entries.map(({ reverses }) => reverses)).toEqual([id, other]);
    for (const entry of entries) {
      const question = await page(`/console/gifts/${id}/reinstate/${entry.id}`);
      expect(question).toMatch(
        /Added again 30\.00 .*20\.00 .*Attic 10\.00 In total 30\.00 .*Undo the reversal of USD 30\.00/,
      );
    }
    const path = `/console/gifts/${id}/reinstate/${entries[1]?.id}`;
    const { headers } = await visitor.post(path, { Key: 'once' }).expect(303);
    const given = (await rowsOf(service, id)).filter(({ reinstates }) => reinstates !== null);
    expect(given.map(({ amount }) => amount)).toEqual(['20.00', '10.00']);
    const ids = given.map((row) => row.id).join(', ');
    expect(flashOf(headers)).toBe(`The reversal was undone: USD 30.00 are in the books again as gifts ${ids}.`);
    expect(await page(`/console/gifts/${id}`)).toContain(`As gift ${given[0]?.id} , ${given[1]?.id}`);
    const again = await visitor.post(path, { Key: 'another' }).expect(409);
    expect(textOf(again.text)).toContain('is left to undo');
  });

  it('leads back from the question to the form, with what was chosen and typed', async () => {
    const { ContributionId: id } = await addedGift(service, { Last: 'Changed', Amount: '50' });
    const path = `/console/gifts/${id}/take-back`;
    const goBack = async (sent: Readonly<Record<string, string>>): Promise<string> => {
      const { text } = await visitor.post(path, sent).expect(200);
      expect(text).toMatch(new RegExp(`formaction="[./]*${path.slice(1)}"[^>]*>Cancel<`, 'i'));
      return (await visitor.post(path, { ...hiddenFieldsOf(text), Change: 'true' }).expect(200)).text;
    };
    const part = await goBack({ HowMuch: 'part', Amount: '20', Reason: 'refund', Note: 'Agreed' });
    expect(part).toMatch(/value="part" checked/);
    expect(part).toMatch(/name="Amount" value="20\.00"/);
    expect(part).toContain('<option value="refund" selected');
    expect(part).toContain('>Agreed</textarea>');
    const all = await goBack({ HowMuch: 'all', Amount: '', Reason: 'returned' });
    expect(all).toMatch(/value="all" checked/);
    expect(all).not.toMatch(/name="Amount" value/);
    expect(await page(`/console/gifts/${id}`)).toContain('Status Recorded');
  });

  it('asks how much, and takes back nothing while that is in doubt', async () => {
    const { ContributionId: id } = await addedGift(service, { Last: 'Doubtful', Amount: '50' });
    const path = `/console/gifts/${id}/take-back`;
    const refusalOf = async (sent: Readonly<Record<string, string>>): Promise<string> =>
      textOf((await visitor.post(path, { Reason: 'refund', ...sent }).expect(400)).text);
    expect(await refusalOf({ Amount: '' })).toContain('How much must be chosen.');
    expect(await refusalOf({ HowMuch: 'part', Amount: ' ' })).toContain('Amount to take back is required.');
    expect(await refusalOf({ HowMuch: 'all', Amount: '20' })).toContain('and an amount is typed: choose one of both.');
    expect(await refusalOf({ Amount: '-20' })).toContain('Amount to take back must be more than zero.');
    expect(await refusalOf({ Amount: '€20' })).toContain('without a minus or a currency sign.');
  });

  it('shows giver, amount, check number and fund first, on the form and before it is confirmed', async () => {
    const details = { First: 'Cora', Last: 'Checked', Amount: '75', Method: 'check', CheckNumber: '2042' };
    const { ContributionId: id } = await addedGift(service, details);
    const path = `/console/gifts/${id}/take-back`;
    expect(await page(path)).toMatch(
      /^ Take back USD 75\.00 from Cora Checked Giver Cora Checked Amount 75\.00 Left 75\.00 Fund \w+ Method Check 2042 /,
    );
    const { text } = await visitor.post(path, { HowMuch: 'all', Reason: 'returned' }).expect(200);
    expect(textOf(text)).toMatch(
      /^ Take back USD 75\.00 from Cora Checked\? Giver Cora Checked Paid 75\.00 Method Check 2042 Day .* Fund \w+ Taken back −75\.00/,
    );
  });

  it('refuses what cannot be taken back, and keeps what was typed', async () => {
    const { ContributionId: id } = await addedGift(service, { Last: 'Refused', Amount: '50' });
    const path = `/console/gifts/${id}/take-back`;
    const tooMuch = await visitor.post(path, { Amount: '51', Reason: 'refund', Note: ' ' }).expect(422);
    expect(textOf(tooMuch.text)).toContain('Only USD 50.00 is left');
    expect(tooMuch.text).toMatch(/aria-invalid="true"[^>]* name="Amount" value="51"/);
    expect(textOf(tooMuch.text)).toContain('Amount to take back is more than is left.');
    expect(textOf((await visitor.post(path, { Amount: '5' }).expect(400)).text)).toContain('Why is required.');
    expect(
      (await visitor.post(path, { HowMuch: 'all', Reason: 'refund', FundId: '77' }).expect(400)).text,
    ).toBeDefined();
    const { text } = await visitor.post(path, { HowMuch: 'all', Reason: 'returned', Amount: '' }).expect(200);
    expect(hidden(text, 'Amount')).toBe('50.00');
    await visitor.post(`${path}/confirm`, { Amount: '50', Left: '50', Reason: 'returned', Key: 'one' }).expect(303);
    expect(await page(path)).toContain('Nothing is left of this gift');
    await visitor.post(`${path}/confirm`, { Reason: 'never' }).expect(400);
  });
});

it('moves a gift to another fund', async () => {
  const { ContributionId: id } = await addedGift(service, { Last: 'Moved', Amount: '40' });
  const [roof] = await service.database.query<{ id: number }>(`SELECT id FROM fund WHERE name = 'Roof'`);
  const { text } = await visitor.get(`/console/gifts/${id}/fund`).expect(200);
  expect(text).toContain('>Roof</option>');
  const fields: Record<string, string> = {
    ...hiddenFieldsOf(text),
    FundId: String(roof?.id),
    Reason: 'The giver meant the roof',
  };
  expect(fields).toMatchObject({ Left: '40.00', SeenFunds: '1' });
  const invalid = await visitor.post(`/console/gifts/${id}/fund`, { ...fields, Reason: '' }).expect(400);
  expect(hidden(invalid.text, 'Key')).toBe(hidden(text, 'Key'));
  const { headers } = await visitor.post(`/console/gifts/${id}/fund`, fields).expect(303);
  expect(flashOf(headers)).toBe(`USD 40.00 of gift ${id} is in the fund Roof now.`);
  await visitor.post(`/console/gifts/${id}/fund`, fields).expect(303);
  expect(await page(`/console/gifts/${id}`)).toMatch(
    /Fund Roof .*40\.00 moved from \w+ to Roof: “[^”]+”, by treasurer/,
  );
  await visitor.post(`/console/gifts/${id}/fund`, { ...fields, Key: 'another' }).expect(409);
  // Somebody who still has the page of before, and chooses another fund.
  const attic = await newFund(service, 'Loft');
  const late = { ...fields, FundId: String(attic), Key: 'late' };
  const refused = await visitor.post(`/console/gifts/${id}/fund`, late).expect(409);
  expect(textOf(refused.text)).toContain(`is in fund ${roof?.id} now. Nothing was changed.`);
  const seen = { SeenFunds: String(roof?.id) };
  await visitor.post(`/console/gifts/${id}/fund`, { ...late, ...seen, Left: '41.00' }).expect(409);
  // A form that has acted before gets a new key.
  const again = await visitor
    .post(`/console/gifts/${id}/fund`, { ...late, ...seen, Key: fields['Key'] ?? '' })
    .expect(422);
  expect(hidden(again.text, 'Key')).not.toBe(fields['Key']);
  await visitor.post(`/console/gifts/${id}/fund`, { ...late, ...seen, Key: hidden(again.text, 'Key') }).expect(303);
});

it('accepts a review on the page of its gift', async () => {
  const { ContributionId: id } = await addedGift(service, { Last: 'Checked' });
  await service.database.query(
    `INSERT INTO review (contribution_id, reasons) VALUES ($1, '{deceased}')
     ON CONFLICT ON CONSTRAINT review_one_per_contribution DO UPDATE SET reasons = excluded.reasons`,
    [id],
  );
  const { text } = await visitor.get(`/console/gifts/${id}`).expect(200);
  expect(textOf(text)).toContain('The person is marked as deceased.');
  const { headers } = await visitor.post(`/console/gifts/${id}/accept`, hiddenFieldsOf(text)).expect(303);
  expect(flashOf(headers)).toBe(`Gift ${id} is kept as it is.`);
  await visitor.post(`/console/gifts/${id}/accept`).expect(400);
  expect(await page(`/console/gifts/${id}`)).toContain('Reviewed: kept as it is');
});
