import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { keptLog } from '../support/kept-logs.js';
import { leaksOf } from '../support/log-check.mjs';
import { gift, type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const PASSWORD = 'a password that no log may tell';

let service: TestApp;
let caller: Login;

beforeAll(async () => {
  // Port 1 is closed: every notice fails, and the failure is logged.
  service = await startTestApp(
    { SMTP_URL: `smtp://mailer:${encodeURIComponent(PASSWORD)}@127.0.0.1:1`, FINANCE_EMAILS: 'office@example.org' },
    { workers: true },
  );
  caller = await service.createUser('caller', PASSWORD, ['Developer', 'APIOnly', 'APIWrite']);
});
afterAll(() => service.stop());

/** A gift with personal data in every field that takes any. */
const privateGift = (fields: object = {}): object =>
  gift('app1', { Address: 'PRIVATE street', Zip: 'PRIVATE', Notes: 'PRIVATE note', Source: 'PRIVATE', ...fields });

const give = (fields: object = {}, login = caller): supertest.Test => service.add(privateGift(fields), login);

const post = (body: string): supertest.Test =>
  service
    .http()
    .post('/Api/AddContribution')
    .auth(...caller)
    .set('Content-Type', 'application/json')
    .send(body);

/** The entries that a call adds, without the access log's, which is checked for leaks here. */
async function loggedBy(call: () => PromiseLike<unknown>): Promise<string[]> {
  const isAccess = (line: string): boolean => line.includes('"context":"Access"');
  const before = keptLog().length;
  await call();
  // The access log entry is written when the response ends, which may be after the caller has it.
  await until(() => keptLog().slice(before).some(isAccess));
  const entries = keptLog().slice(before);
  expect(leaksOf(entries.filter(isAccess).join('\n'), [PASSWORD])).toEqual([]);
  return entries.filter((line) => !isAccess(line));
}

/** Makes the database refuse gifts with a message that quotes the whole row, as PostgreSQL's own messages may. */
async function whileTheDatabaseFails(sqlState: string, call: () => PromiseLike<unknown>): Promise<void> {
  await service.database.query(`
    CREATE FUNCTION quote() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE 'bad %', row_to_json(NEW) USING ERRCODE = '${sqlState}', DETAIL = row_to_json(NEW)::text; END$$;
    CREATE TRIGGER quote BEFORE INSERT ON contribution FOR EACH ROW EXECUTE FUNCTION quote()`);
  try {
    await call();
  } finally {
    await service.database.query('DROP FUNCTION quote CASCADE');
  }
}

describe('the log', () => {
  it.each([
    ['500', '22P02', 'failed with internal_error: DatabaseError 22P02'],
    ['503', '53200', 'failed with database_unavailable: DatabaseError 53200'],
  ])('has one entry for a %s, with the request id and without personal data', async (status, state, what) => {
    const logged = await loggedBy(() =>
      whileTheDatabaseFails(state, () => give().set('X-Request-Id', `id-${state}`).expect(Number(status))),
    );
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(`"message":"Request id-${state} ${what}"`);
    expect(leaksOf(String(logged), [PASSWORD])).toEqual([]);
  });

  it.each<[string, number, () => PromiseLike<supertest.Response>]>([
    ['a gift', 200, () => give()],
    ['invalid fields', 400, () => give({ Amount: 'PRIVATE', Email: 'PRIVATE', First: '', Zip: 'PRIVATE'.repeat(9) })],
    ['broken JSON', 400, () => post('{"First":"Annapp1","Notes":"PRIVATE')],
    ['a malformed path', 400, () => service.reverse('1/%zzPRIVATE', caller)],
    ['a wrong password', 401, () => give({}, ['caller', `${PASSWORD}!`])],
    ['an unknown path', 404, () => service.http().get('/PRIVATE/ann@example.org')],
    ['an unknown gift', 404, () => service.reverse('2000000001/PRIVATE', caller)],
    ['too large a body', 413, () => post(JSON.stringify(privateGift({ Notes: 'PRIVATE'.repeat(20_000) })))],
    ['another type', 415, () => post('First=Annapp1').set('Content-Type', 'application/x-www-form-urlencoded')],
    ['an unknown fund', 422, () => give({ FundId: 2000000001 })],
    ['an invalid request id', 200, () => service.http().get('/').set('X-Request-Id', 'PRIVATE note')],
  ])(
    'has only the access log entry for a call that succeeds or that the caller must correct: %s',
    async (_what, status, call) => {
      expect(await loggedBy(() => call().then((answer) => expect(answer.status).toBe(status)))).toEqual([]);
    },
  );

  it('names neither recipient, giver nor SMTP password when a notice cannot be sent', async () => {
    const added = (await give().expect(200)).body as { ContributionId: number };
    const entries = (): string[] => keptLog().filter((line) => line.includes('SendDeliveryWorker'));
    await service.reverse(`${added.ContributionId}/PRIVATE`, caller).expect(200);
    await until(() => entries().length > 0);
    expect(entries()[0]).toMatch(/is not sent, try 1: ESOCKET/);
    expect(leaksOf(entries().join('\n'), [PASSWORD, encodeURIComponent(PASSWORD)])).toEqual([]);
  });
});
