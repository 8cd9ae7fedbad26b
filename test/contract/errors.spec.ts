import { STATUS_CODES } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type supertest from 'supertest';
import { Readiness } from '../../src/health/index.js';
import { declaredStatuses } from '../support/declared-errors.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { STATUS_OF_CODE } from './error-codes.js';
import { addedGift, type Problem, readBack, rowCounts, sendGift } from './gift-requests.js';
import { mergePersons } from '../support/merge-persons.js';
import { completeGift } from './repeated-requests.js';

const UNKNOWN_ID = 2000000001;
const PASSWORD = 'correct horse battery';

let service: TestApp;
let reader: Login;
let finance: Login;
/** A gift, one that is reversed, and its reversing entry. */
let gift: number;
let reversed: number;
let entry: number;
/** The gift for which a key and a pair of Source and TransactionId were used. */
const used = completeGift({ Source: 'errors', TransactionId: 'used' });
/** A person, one that was merged into it, a closed fund, and a notice that was sent. */
let person: number;
let merged: number;
let closedFund: number;
let sentDelivery: number;
let review: number;
/** An import that was tried twice, without a result file. */
let triedImport: number;
/** A reconciled deposit of the gift, and one that differs. */
let reconciled: number;
let differing: number;
/** A webhook, and one that is disabled. */
const WEBHOOK = { Url: 'https://example.org/hooks', Events: ['bundle.closed'] };
let webhook: number;
let disabledWebhook: number;
/** A connection whose locks make the service wait. */
let holder: Client;

beforeAll(async () => {
  service = await startTestApp({ LOGIN_FAILURES_PER_MINUTE: '2' });
  reader = await service.createUser('reader', PASSWORD, ['Developer', 'APIOnly']);
  finance = await service.createUser('treasurer', PASSWORD, ['Finance']);
  gift = (await addedGift(service, {})).ContributionId;
  reversed = (await addedGift(service, {})).ContributionId;
  await service.reverse(`${reversed}/first`).expect(200);
  entry = (await readBack(service, reversed)).reversal.contributionId;
  await sendGift(service, used).set('Idempotency-Key', 'used').expect(200);
  person = (await readBack(service, gift)).peopleId;
  merged = (await readBack(service, reversed)).peopleId;
  await mergePersons(service, { from: merged, into: person });
  closedFund = await insertedId(`INSERT INTO fund (name, is_open) VALUES ('Old organ', false) RETURNING id`);
  sentDelivery = await insertedId(`
    INSERT INTO delivery (notice_id, recipient, message_id, status, attempts, sent_at)
    SELECT id, 'treasurer@example.org', '<a@b>', 'sent', 1, now() FROM notice RETURNING id`);
  review = await insertedId(`
    INSERT INTO review (contribution_id, reasons) VALUES (${gift}, '{earlier_year}')
    ON CONFLICT ON CONSTRAINT review_one_per_contribution DO UPDATE SET reasons = excluded.reasons RETURNING id`);
  triedImport = await insertedId(`
    INSERT INTO import_file (uploaded_by, size, sha256, state, revision, options)
    VALUES ('treasurer', 1, repeat('0', 64), 'checked', 2, '{"username": "treasurer"}') RETURNING id`);
  reconciled = await newDeposit({ DepositId: 'r', Amount: '10', Items: [{ ContributionId: gift }] });
  await post(`/Api/Deposits/${reconciled}/reconcile`).expect(200);
  differing = await newDeposit({ DepositId: 'o', Amount: '5' });
  webhook = await newWebhook(WEBHOOK);
  disabledWebhook = await newWebhook({ ...WEBHOOK, Url: 'https://example.org/former' });
  await post(`/Api/Webhooks/${disabledWebhook}/disable`).expect(200);
  holder = new Client({ connectionString: service.database.url });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await service.stop();
});

const sendDeposit = (fields: object): supertest.Test =>
  service
    .http()
    .post('/Api/Deposits')
    .auth(...service.login)
    .send({ DepositId: 'x', Source: 'errors', Date: '2026-11-20', ...fields });

async function newWebhook(fields: object): Promise<number> {
  return ((await post('/Api/Webhooks').send(fields).expect(200)).body as { id: number }).id;
}

async function newDeposit(fields: object): Promise<number> {
  return ((await sendDeposit(fields).expect(200)).body as { id: number }).id;
}

/** The result of the bundle of a deposit, as if it were an answer: within one of status 200, it has no media type of its own. */
async function resultOfBundle(): Promise<supertest.Response> {
  const answer = await post(`/Api/Deposits/${reconciled}/close-bundles`);
  const [result] = (answer.body as { results: { status: number; problem: Problem }[] }).results;
  const headers = { ...answer.headers, 'content-type': 'application/problem+json; charset=utf-8' };
  return Object.assign(answer, { status: result?.status, body: result?.problem, headers });
}

async function insertedId(statement: string): Promise<number> {
  const [row] = await service.database.query<{ id: number }>(statement);
  return row?.id ?? 0;
}

const add = (fields: object): supertest.Test => sendGift(service, fields);
const post = (path: string, login = finance): supertest.Test =>
  service
    .http()
    .post(path)
    .auth(...login);
const send = (body: string, type = 'application/json'): supertest.Test =>
  post('/Api/AddContribution', service.login).set('Content-Type', type).send(body);

/** The answer while a statement's transaction is held open. */
async function during(statement: string, call: () => supertest.Test): Promise<supertest.Response> {
  await holder.query('BEGIN');
  try {
    await holder.query(statement);
    return await call();
  } finally {
    await holder.query('ROLLBACK');
  }
}

async function withPasswordsTried(): Promise<supertest.Response> {
  for (let i = 0; i < 2; i++) await service.read(gift, ['guessed', 'wrong']).expect(401);
  return service.read(gift, ['guessed', 'wrong']);
}

/** The answer to one of many simultaneous password checks, each for another user. */
async function withManyPasswordsTried(): Promise<supertest.Response> {
  const guesses = Array.from({ length: 300 }, (_, i) => service.read(gift, [`guessed ${i}`, 'wrong']));
  const answers = await Promise.all(guesses);
  const refused = answers.find(({ status }) => status === 503);
  if (refused === undefined) throw new Error('All 300 passwords were checked');
  return refused;
}

async function withGiftsRefused(): Promise<supertest.Response> {
  await service.database.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'secret'; END$$;
    CREATE TRIGGER fail BEFORE INSERT ON contribution FOR EACH ROW EXECUTE FUNCTION fail()`);
  try {
    return await add({});
  } finally {
    await service.database.query('DROP FUNCTION fail CASCADE');
  }
}

const TAKE_KEY = `
  INSERT INTO idempotency_key (user_id, operation, key, request_digest)
  SELECT id, 'AddContribution', 'held', '' FROM app_user WHERE username = 'api'`;

/** As after an upgrade, before the job has summed up the books for the first time. */
async function withoutTotals(): Promise<supertest.Response> {
  await service.database.query("UPDATE reading_progress SET complete = false WHERE reader = 'totals'");
  try {
    return await service
      .http()
      .get('/Api/Totals')
      .auth(...finance);
  } finally {
    await service.database.query('UPDATE reading_progress SET complete = true');
  }
}

/** Its application is not ready again afterwards. No call but this one depends on that. */
function whenStopping(): supertest.Test {
  service.app.get(Readiness).beginStopping();
  return service.http().get('/health/ready');
}

/** A call for each code of the contract. */
const CALLS: Readonly<Record<string, () => PromiseLike<supertest.Response>>> = {
  invalid_request: () => add({ Amount: 'x' }),
  malformed_json: () => send('{'),
  unauthenticated: () => service.read(gift, ['api', 'wrong']),
  forbidden: () => service.add({}, reader),
  not_found: () => post('/Api/Nothing'),
  contribution_not_found: () => service.reverse(`${UNKNOWN_ID}/a`),
  review_not_found: () => post(`/Api/Reviews/${UNKNOWN_ID}/accept`),
  bundle_not_found: () => post(`/Api/Bundles/${UNKNOWN_ID}/close`),
  giver_not_found: () =>
    service
      .http()
      .get(`/Api/People/${UNKNOWN_ID}`)
      .auth(...finance),
  contact_not_found: () => post(`/Api/Contacts/${UNKNOWN_ID}/confirm`),
  delivery_not_found: () => post(`/Api/Notices/${UNKNOWN_ID}/retry`),
  webhook_not_found: () => post(`/Api/Webhooks/${UNKNOWN_ID}/test`),
  webhook_delivery_not_found: () => post(`/Api/WebhookDeliveries/${UNKNOWN_ID}/replay`),
  import_not_found: () => post(`/Api/Imports/${UNKNOWN_ID}/forget`),
  import_without_result: () => service.get(`Imports/${triedImport}/result`, finance),
  import_changed: () => post(`/Api/Imports/${triedImport}/book`).send({ Revision: 1 }),
  file_not_usable: () => post('/Api/Imports?user=treasurer').type('text/csv').send('<html></html>'),
  method_not_allowed: () => service.http().get('/Api/AddContribution'),
  already_reversed: () => service.reverse(`${reversed}/second`),
  not_reversible: () => service.reverse(`${entry}/a`),
  not_reassignable: () => post(`/Api/Contributions/${entry}/reassign`).send({ PeopleId: 1 }),
  not_reinstatable: () => post(`/Api/Contributions/${gift}/reinstate`),
  not_movable: () => post(`/Api/Contributions/${reversed}/move`).send({ FundId: 1, Reason: 'x' }),
  deposit_not_found: () => post(`/Api/Deposits/${UNKNOWN_ID}/reconcile`),
  payout_not_found: () => post('/Api/Payouts/deposit').send({ Source: 'errors', PayoutId: 'none' }),
  in_other_deposit: () => sendDeposit({ Items: [{ ContributionId: gift }] }),
  deposit_reconciled: () => post(`/Api/Deposits/${reconciled}/adjust`).send({ Amount: '1', Reason: 'x' }),
  deposit_not_reconciled: () => post(`/Api/Deposits/${differing}/close-bundles`),
  deposit_differs: () => post(`/Api/Deposits/${differing}/reconcile`),
  deposit_changed: () => post(`/Api/Deposits/${reconciled}/reconcile`).send({ ItemCount: 9 }),
  bank_changed: () => post(`/Api/Deposits/${differing}/bank`).send({ Date: '2026-07-30', Amount: '5', Was: '1' }),
  bundle_not_covered: resultOfBundle,
  deposit_id_reused: () => sendDeposit({ DepositId: 'o', Amount: '6' }),
  deposit_item_not_found: () => sendDeposit({ Items: [{ ContributionId: UNKNOWN_ID }] }),
  deposit_item_unclear: () => sendDeposit({ Items: [{ ContributionId: entry }] }),
  bundle_changed: async () => post(`/Api/Bundles/${(await readBack(service, gift)).bundleId}/close?count=0`),
  fund_name_taken: () => post('/Api/Funds').send({ Name: 'general' }),
  fund_closed: () => post(`/Api/Funds/${closedFund}/default`),
  fund_changed: () => post('/Api/Funds/1/rename').send({ Name: 'Main', Was: 'Common' }),
  giver_changed: () =>
    post(`/Api/Contributions/${gift}/reassign`).send({ PeopleId: person + 2, FromPeopleId: person + 2 }),
  gift_changed: () => post(`/Api/Contributions/${gift}/reverse`).send({ Reason: 'error', Left: '9.99' }),
  review_changed: () => post(`/Api/Reviews/${review}/accept`).send({ PeopleId: person + 2 }),
  person_merged: () => post(`/Api/People/${merged}/edit`).send({ Version: 'any', Last: 'New' }),
  person_changed: () => post(`/Api/People/${person}/edit`).send({ Version: 'another', Last: 'New' }),
  similar_persons: () => post('/Api/People').send({ First: used.First, Last: used.Last }),
  delivery_sent: () => post(`/Api/Notices/${sentDelivery}/retry`),
  webhook_exists: () => post('/Api/Webhooks').send(WEBHOOK),
  webhook_disabled: () => post(`/Api/Webhooks/${disabledWebhook}/test`),
  webhook_changed: () => post(`/Api/Webhooks/${webhook}/rotate`).send({ SecretVersion: 9 }),
  request_in_progress: () => during(TAKE_KEY, () => add({}).set('Idempotency-Key', 'held')),
  payload_too_large: () => send('x'.repeat(70_000)),
  unsupported_media_type: () => send('{}', 'text/plain'),
  unknown_person: () => add({ IgnoreUnknownPerson: true }),
  person_not_found: () => add({ PeopleId: UNKNOWN_ID }),
  fund_not_found: () => add({ FundId: UNKNOWN_ID }),
  contribution_type_not_allowed: () => add({ ContributionTypeId: 7 }),
  bundle_type_not_found: () => add({ BundleTypeId: UNKNOWN_ID }),
  idempotency_key_reused: () => add({}).set('Idempotency-Key', 'used'),
  transaction_id_reused: () => add({ Source: 'errors', TransactionId: 'used' }),
  reversal_exceeds_gift: () => service.reverse(`${gift}/a?amount=10.01`),
  currency_mismatch: () => add({ Currency: 'EUR' }),
  too_many_requests: withPasswordsTried,
  internal_error: withGiftsRefused,
  database_unavailable: () => during('LOCK TABLE bundle', () => add({})),
  service_busy: withManyPasswordsTried,
  totals_not_ready: withoutTotals,
  service_stopping: whenStopping,
};

/** The codes whose answers show the present state. */
const SHOWING_THE_STATE = [
  ...[
    'bundle_changed',
    'import_changed',
    'fund_changed',
    'giver_changed',
    'gift_changed',
    'review_changed',
    'person_merged',
    'person_changed',
    'similar_persons',
  ],
  ...['delivery_sent', 'webhook_changed', 'deposit_differs', 'deposit_changed', 'bank_changed'],
];

it('the service declares the error codes and statuses of the contract', async () => {
  expect(await declaredStatuses()).toEqual(STATUS_OF_CODE);
  expect(Object.keys(CALLS)).toEqual(Object.keys(STATUS_OF_CODE));
});

describe.each(Object.entries(STATUS_OF_CODE))('%s', (code, status) => {
  it(`is a problem document with the status ${status} and stores nothing`, async () => {
    const before = await rowCounts(service);
    const answer = await CALLS[code]?.();
    expect(await rowCounts(service)).toEqual(before);
    const problem = answer?.body as Problem;
    expect([answer?.status, problem.code]).toEqual([status, code]);
    const { detail } = problem;
    expect([code, typeof problem.current]).toEqual([code, SHOWING_THE_STATE.includes(code) ? 'object' : 'undefined']);
    expect({ ...problem, errors: undefined, current: undefined }).toEqual({
      ...{ type: 'about:blank', title: STATUS_CODES[status], status, code, detail, Error: detail },
      instance: answer?.headers['x-request-id'],
    });
    expect(detail).toMatch(/^[A-Z].*\.$/);
    expect(answer?.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
    });
    const wait = status === 429 || status === 503 ? expect.stringMatching(/^[1-9]\d*$/) : undefined;
    expect([answer?.headers['retry-after'], answer?.headers['allow']]).toEqual([
      wait,
      status === 405 ? 'POST' : undefined,
    ]);
  });
});
