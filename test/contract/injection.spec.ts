import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, type Problem, readBack, rowCounts } from './gift-requests.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

/** Texts that a database, shell, template, browser, spreadsheet or log might run as code. */
const CODE = [
  `'; DELETE FROM contribution; --`,
  `' OR '1'='1`,
  `Robert'); DROP TABLE person;--`,
  `\\'; SELECT pg_sleep(9); --`,
  `$1`,
  `$$; SELECT 1; $$`,
  `\\x00`,
  '%_%',
  `{"$gt":""}`,
  '`id`; $(id) | id',
  '${7*7}{{7*7}}<%= 7*7 %>#{7*7}',
  '${jndi:ldap://127.0.0.1/a}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '=HYPERLINK("http://127.0.0.1/")',
  '../../../../etc/passwd',
  '__proto__',
];

describe.each(CODE)('the text %j', (text) => {
  it('is stored unchanged in every text field', async () => {
    const texts = { First: text, Last: text, Address: text, Notes: text, Source: text };
    const { ContributionId, PeopleId } = await addedGift(service, { ...texts, Zip: text.slice(0, 20) });
    const read = await readBack(service, ContributionId);
    expect(read).toMatchObject({
      ...{ notes: text, source: text },
      giver: { first: text, last: text, address: text, zip: text.slice(0, 20) },
    });
    // Names match by it as well, if it contains letters.
    const again = await addedGift(service, { ...texts, Email: read.giver['email'] });
    if (/\p{L}/u.test(text)) expect(again.PeopleId).toBe(PeopleId);
  });

  it('is stored unchanged as the source of a reversal', async () => {
    const { ContributionId } = await addedGift(service, {});
    await service.reverse(`${ContributionId}/${encodeURIComponent(text)}`).expect(200);
    expect((await readBack(service, ContributionId)).reversal.source).toBe(text);
    const second = await service.reverse(`${ContributionId}/again`).expect(409);
    expect((second.body as Problem).detail).toContain(`by source ${text}.`);
  });

  it('is refused as id, amount, date, e-mail address and credentials', async () => {
    const before = await rowCounts(service);
    const problem = (
      await service.add({ Amount: text, Date: text, Email: text, PeopleId: text, FundId: text }).expect(400)
    ).body as Problem;
    expect(problem.errors?.map(({ field }) => field).sort()).toEqual(['Amount', 'Date', 'Email', 'FundId', 'PeopleId']);
    await service.read(encodeURIComponent(text)).expect(400);
    await service.reverse(`${encodeURIComponent(text)}/a`).expect(400);
    await service.add({}, [text.replaceAll(':', ''), text]).expect(401);
    await service.add({}, ['api', text]).expect(401);
    expect(await rowCounts(service)).toEqual(before);
  });
});
