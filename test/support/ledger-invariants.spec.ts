import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { assertLedgerInvariants, type Ledger, readClosedBundles, readReconciledDeposits } from './ledger-invariants.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** Two gifts: the second is reversed, the bundle of the first is closed, and its deposit is reconciled. */
const WHOLE_LEDGER = `
  INSERT INTO app_user (username, password_hash) VALUES ('api', 'none');
  INSERT INTO person (first_name, last_name, email, phone) VALUES ('Ann', 'Lee', 'a@example.org', ''), ('Bo', 'Lee', '', '');
  INSERT INTO fund (name) VALUES ('Building');
  INSERT INTO bundle (bundle_type_id, user_id, day) VALUES (4, 1, '2026-07-25'), (4, 1, '2026-07-26');
  INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id, status,
      giver_first, giver_last, giver_email, giver_phone, reverses_id, created_by) VALUES
    (1, 10, 'USD', now(), '2026-07-26', 1, 1, 1, 0, 'Ann', 'Lee', 'a@example.org', '', NULL, 1),
    (1, 20, 'USD', now(), '2026-07-26', 2, 2, 8, 0, 'Ann', 'Lee', 'a@example.org', '', NULL, 1),
    (1, -20, 'USD', now(), '2026-07-26', 2, 2, 7, 0, NULL, NULL, NULL, NULL, 2, 1);
  INSERT INTO notice (id, reversing_contribution_id, content) VALUES (gen_random_uuid(), 3,
    '{"contributionId": 2, "reversingContributionId": 3, "amount": "20.00", "left": "0.00", "currency": "USD", "fund": {"id": 2}}');
  INSERT INTO idempotency_key (user_id, operation, key, request_digest, answer) VALUES
    (1, 'AddContribution', 'k', '', '{"contributionId": 1}'), (1, 'ReverseContribution', 'k', '', '{"contributionId": 2}');
  UPDATE bundle SET day = '2026-07-26', status = 0, closed_at = now() WHERE id = 1;
  INSERT INTO deposit (source, deposit_id, day, currency, amount, created_by) VALUES
    ('a', 'p', '2026-07-27', 'USD', 9, 'x'), ('a', 'q', '2026-07-28', 'USD', -20, 'x');
  INSERT INTO deposit_item (deposit_id, is_reversal, contribution_id, payment_id, reversal_id, amount, fee, has_own_fee, added_by)
  VALUES (1, false, 1, 1, NULL, 10, 1, true, 'x'), (2, true, 3, 2, 3, 20, NULL, false, 'x');
  UPDATE deposit SET reconciled_at = now(), reconciled_by = 'x' WHERE id = 1`;

/** The database would refuse most of the damage below. */
const DROP_CONSTRAINTS = `
  DO $$ DECLARE c record; BEGIN
    FOR c IN SELECT conrelid::regclass AS tab, conname FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype IN ('f', 'c', 'u') AND conparentid = 0
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.tab, c.conname); END LOOP;
  END $$;
  DROP INDEX bundle_one_open, deposit_item_payment_once, deposit_item_reversal_once;
  ALTER TABLE deposit DISABLE TRIGGER USER;
  ALTER TABLE deposit_item DISABLE TRIGGER USER;
  ALTER TABLE deposit_adjustment DISABLE TRIGGER USER;
  ALTER TABLE bundle DISABLE TRIGGER USER;
  ALTER TABLE contribution DISABLE TRIGGER USER`;

let database: TestDatabase;
let client: Client;
let ledger: Ledger;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(WHOLE_LEDGER);
  client = new Client({ connectionString: database.url });
  await client.connect();
  ledger = {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
  };
});
beforeEach(() => client.query(`BEGIN; ${DROP_CONSTRAINTS}`));
afterEach(() => client.query('ROLLBACK'));
afterAll(async () => {
  await client.end();
  await database.drop();
});

const SECOND_ENTRY = `
  INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
    reverses_id, created_by, change_no, updated_at, added_by, payment_id, reversal_id)`;

/** Rows that are copied from another one, with other values in some columns. The database's triggers are off. */
const copied = (id: number, changes: string): string =>
  `INSERT INTO contribution OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(c, '${changes}')).* FROM contribution c WHERE id = ${id}`;

const MOVED_GIFT = [
  copied(1, '{"id": 4, "change_no": 104, "amount": -10, "moves_id": 1, "reversed_amount": 0}'),
  copied(1, '{"id": 5, "change_no": 105, "fund_id": 2, "moves_id": 1, "reversed_amount": 0}'),
].join('; ');
const SPLIT_GIFT = `${copied(1, '{"id": 4, "change_no": 104}')}; UPDATE payment SET amount = 20 WHERE id = 1`;
const REINSTATED_GIFT = copied(
  2,
  '{"id": 4, "change_no": 104, "reinstates_id": 3, "reversed_amount": 0, "status": 0, "payment_id": 2}',
);

describe('assertLedgerInvariants finds', () => {
  it.each([
    ['a missing person', 'DELETE FROM person WHERE id = 1', 'contribution.person_id refers to a row of person: {'],
    ['a missing user', 'DELETE FROM app_user', 'bundle.user_id refers to a row of app_user: {'],
    ['a missing person, in a sum', 'DELETE FROM person', 'by fund 0.00 USD of 2 rows; by row 0.00 USD of 2 rows'],
    ['a missing bundle', 'DELETE FROM bundle WHERE id = 1', 'by fund 10.00 USD of 1 rows; by person 10.00 USD'],
    [
      'a missing reversing entry',
      'DELETE FROM contribution WHERE id = 3',
      'gift 2 of 20.00, status 1, 20.00 reversed by entries of 0',
    ],
    [
      'a second reversing entry',
      `${SECOND_ENTRY} SELECT person_id, -20, currency, given_at, day, 2, 2, 7, 2, 1, 99, now(), 1, 2, 3 FROM contribution WHERE id = 2`,
      'gift 2 of 20.00, status 1, 20.00 reversed by entries of -40.00',
    ],
    ['a wrong status', 'UPDATE contribution SET status = 0', 'gift 2 of 20.00, status 0, 20.00 reversed'],
    [
      'a reversed amount beyond the gift',
      'UPDATE contribution SET amount = 19 WHERE id = 2',
      'gift 2 of 19.00, status 1, 20.00 reversed',
    ],
    [
      'another amount of a reversing entry',
      'UPDATE contribution SET amount = -19.99 WHERE id = 3',
      'gift 2 of 20.00, status 1, 20.00 reversed by entries of -19.99',
    ],
    [
      'a payment of another amount',
      'ALTER TABLE payment DISABLE TRIGGER USER; UPDATE payment SET amount = 11 WHERE id = 1',
      'payment 1 of 11.00 has parts of 10.00',
    ],
    [
      'a fee beyond its payment',
      'UPDATE payment SET fee = 10.01 WHERE id = 1',
      'is within its amount: payment 1 of 10.00: fee 10.01',
    ],
    [
      'a contribution without a payment',
      'ALTER TABLE contribution ALTER payment_id DROP NOT NULL; UPDATE contribution SET payment_id = NULL WHERE id = 3',
      'belongs to a payment: contribution 3',
    ],
    [
      'rows that add up to less than nothing',
      'UPDATE contribution SET amount = -20.01 WHERE id = 3',
      'never below 0: payment 2: rows of -0.01, 0.00 left',
    ],
    ['a payment without parts', 'UPDATE contribution SET payment_id = 1', 'payment 2 of 20.00 has parts of \n'],
    [
      'a reversing entry in another payment',
      'UPDATE contribution SET payment_id = 1 WHERE id = 3',
      'entry 3: payment 1, fund 2; gift 2: payment 2',
    ],
    [
      'a reversal with the id of another entry',
      'UPDATE contribution SET reversal_id = 2 WHERE id = 3',
      'reversal 2: entries {3}',
    ],
    [
      'a half move',
      'UPDATE contribution SET moves_id = 1, payment_id = 1 WHERE id = 2',
      'gift 1: entries {2} of 20.00',
    ],
    [
      'a move whose entries differ',
      `${MOVED_GIFT}; UPDATE contribution SET amount = 9 WHERE id = 5`,
      'gift 1: entry 4 of -10.00 from fund 1, then 9.00 into fund 2',
    ],
    [
      'a move out of another fund',
      `${MOVED_GIFT}; UPDATE contribution SET fund_id = 3 WHERE id = 4`,
      'gift 1: entry 4 of -10.00 from fund 3',
    ],
    [
      'a move into the same fund',
      `${MOVED_GIFT}; UPDATE contribution SET fund_id = 1 WHERE id = 5`,
      'from fund 1, then 10.00 into fund 1',
    ],
    [
      'a move with another source',
      `${MOVED_GIFT}; UPDATE contribution SET source = 'a' WHERE id = 5`,
      'payment 1: users {1}, sources {a,NULL}',
    ],
    [
      'a part with another source',
      `${SPLIT_GIFT}; UPDATE contribution SET source = 'a' WHERE id = 4`,
      'payment 1: users {1}, sources {a,NULL}',
    ],
    [
      'a part of another user',
      `${SPLIT_GIFT}; UPDATE contribution SET added_by = 2 WHERE id = 4`,
      'payment 1: users {1,2}, sources {NULL}',
    ],
    [
      'a part of another transaction',
      `${SPLIT_GIFT}; UPDATE contribution SET transaction_id = 't' WHERE id = 4`,
      'payment 1: days {2026-07-26}, transactions {t,NULL}',
    ],
    [
      'a part of another day',
      `${SPLIT_GIFT}; UPDATE contribution SET day = '2026-07-27' WHERE id = 4`,
      'payment 1: days {2026-07-26,2026-07-27}, transactions {NULL}',
    ],
    [
      'an entry that is reinstated twice',
      `${REINSTATED_GIFT}; DROP INDEX contribution_reinstated_once; ${copied(4, '{"id": 5, "change_no": 105}')}`,
      'which nothing else undoes: gift 4 of 20.00 undoes entry 3 of -20.00',
    ],
    [
      'a reinstatement of a gift',
      `${REINSTATED_GIFT}; UPDATE contribution SET reinstates_id = 2 WHERE id = 4`,
      'gift 4 of 20.00 undoes entry 2 of 20.00',
    ],
    [
      'a reinstatement in another payment',
      `${REINSTATED_GIFT}; UPDATE contribution SET payment_id = 1 WHERE id = 4`,
      'gift 4 of 20.00 undoes entry 3 of -20.00',
    ],
    [
      'a reinstatement of another amount',
      'UPDATE contribution SET reinstates_id = 3 WHERE id = 1',
      'reversal 3: entries {3}, reinstated by {1}',
    ],
    [
      'a refund without a reversal',
      `INSERT INTO refund (user_id, source, refund_id, request_digest, request_version, answer) VALUES (1, 'a', 'r', '', 2, '{}')`,
      'refund r of user 1 for a: {}, reversals {NULL}',
    ],
    [
      'a reversal without its refund',
      `UPDATE contribution SET refund_id = 'r', source = 'a' WHERE id = 3`,
      'refund r of user  for : , reversals {3}',
    ],
    [
      'another person of a reversing entry',
      'UPDATE contribution SET person_id = 2 WHERE id = 3',
      'payment 2: persons {1,2}, {USD}',
    ],
    [
      'another fund of a reversing entry',
      'UPDATE contribution SET fund_id = 1 WHERE id = 3',
      'entry 3: payment 2, fund 1; gift 2: payment 2, fund 2',
    ],
    [
      'another user of a reversing entry',
      'UPDATE contribution SET added_by = 2 WHERE id = 3',
      'by who added it or its gift: contribution 3 by 2',
    ],
    [
      'a negative gift',
      'UPDATE contribution SET amount = -10 WHERE id = 1',
      'nothing else is of type 7 or negative, but for moves: {"id": 1',
    ],
    [
      'a gift of a merged person',
      'UPDATE person SET merged_into = 2 WHERE id = 1',
      'contribution 1 belongs to person 1',
    ],
    ['a missing notice', 'DELETE FROM notice', 'at its first entry, and nothing else has any: contribution 3 has 0'],
    [
      'a second notice',
      'INSERT INTO notice (id, reversing_contribution_id, content) SELECT gen_random_uuid(), 3, content FROM notice',
      'contribution 3 has 2',
    ],
    ['a notice of a gift', 'UPDATE notice SET reversing_contribution_id = 1', 'contribution 1 has 1'],
    [
      'a notice with another amount',
      `UPDATE notice SET content = jsonb_set(content, '{amount}', '"20"')`,
      'the amount and the fund that were reversed: notice ',
    ],
    [
      'a notice that says something else is left',
      `UPDATE notice SET content = jsonb_set(content, '{left}', '"0.01"')`,
      'says what was left of the payment then',
    ],
    ['a key without an answer', 'UPDATE idempotency_key SET answer = NULL', 'key k of user 1 for AddContribution: \n'],
    [
      'a key of a missing gift',
      `UPDATE idempotency_key SET answer = '{"contributionId": 9}' WHERE operation = 'AddContribution'`,
      'key k of user 1 for AddContribution: {"contributionId": 9}',
    ],
    [
      'a key of a reversal that did not happen',
      `UPDATE idempotency_key SET answer = '{"contributionId": 1}' WHERE operation = 'ReverseContribution'`,
      'key k of user 1 for ReverseContribution: {"contributionId": 1}',
    ],
    [
      'a total that lacks a gift',
      `INSERT INTO fund_month_total VALUES ('2026-07-01', 1, 1, 'USD', 1, 9);
       UPDATE reading_progress SET up_to = 1 WHERE reader = 'totals'`,
      '2026-07-01, fund 1, type 1: 9.00, sum 10.00',
    ],
    [
      'a total of nothing',
      `INSERT INTO fund_month_total VALUES ('2026-07-01', 2, 1, 'USD', 1, 9)`,
      '2026-07-01, fund 2, type 1: 9.00, sum ',
    ],
    [
      'two open bundles',
      `INSERT INTO bundle (bundle_type_id, user_id, day) VALUES (4, 1, '2026-07-26')`,
      'per type, user and day: bundles {2,3}',
    ],
    ['a missing deposit', 'DELETE FROM deposit WHERE id = 2', 'deposit_item.deposit_id refers to a row of deposit: {'],
    ['another sum of a deposit', 'UPDATE deposit SET gross = 1 WHERE id = 2', 'deposit 2: gross 1.00, fees 0.00'],
    [
      'an adjustment that is not counted',
      `INSERT INTO deposit_adjustment (deposit_id, amount, reason, added_by) VALUES (2, 3, 'x', 'x')`,
      'adjustments 3.00',
    ],
    ['another amount of an item', 'UPDATE deposit_item SET amount = 11 WHERE id = 1', 'item 1 of 11.00, fee 1.00'],
    ['another fee of an item', 'UPDATE deposit_item SET has_own_fee = false WHERE id = 1', 'item 1 of 10.00, fee 1.00'],
    [
      'a payment in two deposits',
      `INSERT INTO deposit_item (deposit_id, is_reversal, contribution_id, payment_id, amount, has_own_fee, added_by)
       VALUES (2, false, 1, 1, 10, false, 'x')`,
      'payment 1, reversal : deposits {1,2}',
    ],
    [
      'a reconciled deposit that differs',
      'UPDATE deposit SET amount = 8 WHERE id = 1',
      'processor says, and everything',
    ],
  ])('%s', async (_what, damage, message) => {
    await assertLedgerInvariants(ledger);
    await client.query(damage);
    await expect(assertLedgerInvariants(ledger)).rejects.toThrow(message);
  });

  it.each([
    [
      'an added gift',
      'UPDATE contribution SET bundle_id = 1 WHERE id = 2',
      'bundle 1 has got: contribution 2 of 20.00 USD',
    ],
    ['a removed gift', 'UPDATE contribution SET bundle_id = 2', 'bundle 1 has lost: fund 1 USD 10.00'],
    ['another fund', 'UPDATE contribution SET fund_id = 2', 'bundle 1 has got: fund 2 USD 10.00'],
    [
      'another day',
      `UPDATE contribution SET day = '2026-07-27'`,
      'has got: contribution 1 of 10.00 USD, fund 1, 2026-07-27',
    ],
    ['its reopening', 'UPDATE bundle SET status = 1, closed_at = NULL WHERE id = 1', 'bundle 1 is closed no more'],
  ])('a change of a closed bundle: %s', async (_what, damage, message) => {
    const closed = await readClosedBundles(ledger);
    await assertLedgerInvariants(ledger, closed);
    await client.query(damage);
    await expect(assertLedgerInvariants(ledger, closed)).rejects.toThrow(message);
  });

  it.each([
    ['itself', `UPDATE deposit SET bank_reference = 'y' WHERE id = 1`],
    ['its items', `UPDATE deposit_item SET added_by = 'y' WHERE id = 1`],
    [
      'its adjustments',
      `INSERT INTO deposit_adjustment (deposit_id, amount, reason, added_by) VALUES (1, 3, 'x', 'x')`,
    ],
    ['its deletion', 'DELETE FROM deposit_item; DELETE FROM deposit WHERE id = 1'],
  ])('a change of a reconciled deposit: %s', async (_what, damage) => {
    const reconciled = await readReconciledDeposits(ledger);
    await assertLedgerInvariants(ledger, [], reconciled);
    await client.query(damage);
    const check = assertLedgerInvariants(ledger, [], reconciled);
    await expect(check).rejects.toThrow('a reconciled deposit never changes: deposit 1');
  });
});
