import { foldingRule } from '../../src/people/matching/folding.js';
import type { Ledger } from '../support/ledger-invariants.js';

/**
 * Years of a church's books, written with SQL: 2,000 persons with unusual names, some of them merged, 20,000 gifts,
 * reversals with their notices, reviews, closed bundles, and unused ids. The user "api" must exist. Uses no column of a
 * migration after the 9th, so that the books of an older program can be filled, too.
 */
export async function fillBooks(ledger: Ledger): Promise<void> {
  for (const statement of STATEMENTS) await ledger.query(statement);
  await ledger.query(MARK_AS_FOLDED);
  await ledger.query(ADD_TOKENS);
}

/** Otherwise the service refolds these rows within a minute, and they change. */
const MARK_AS_FOLDED = `
  DO $$ BEGIN
    IF to_regclass('person_to_fold') IS NOT NULL THEN
      UPDATE person SET folded_by = '${foldingRule('US')}';
      UPDATE contact SET folded_by = '${foldingRule('US')}';
      DELETE FROM person_to_fold;
    END IF;
  END $$`;

/** Of later migrations. */
const ADD_TOKENS = `
  DO $$ BEGIN
    IF to_regclass('api_token') IS NOT NULL THEN
      INSERT INTO api_token (user_id, name, digest, scopes, networks, expires_at, last_used_at, revoked_at)
      SELECT u.id, CASE WHEN n % 2 = 0 THEN 'Zoë, "{}"' END, sha256((u.id || ' ' || n)::bytea), ARRAY['add', 'read'],
        CASE WHEN n % 2 = 0 THEN '{203.0.113.0/24, 2001:db8::/32}'::cidr[] END,
        timestamptz '2030-01-01 00:00:00.123456+00', CASE WHEN n > 1 THEN now() END, CASE WHEN n > 2 THEN now() END
      FROM app_user u, generate_series(1, 4) n;
    END IF;
  END $$`;

/** Text that COPY, a dump or a client's encoding could get wrong. */
const HOSTILE = String.raw`(ARRAY['Zoë', '李', E'O''Brien\\N', E'tab\there', E'two\nlines', E'\\.', 'émoji 🕊️', '"quoted", {a}', '$1', 'Ω̈'])`;
const one = (n: string): string => `${HOSTILE}[1 + (${n}) % 10]`;

const STATEMENTS: readonly string[] = [
  `INSERT INTO app_user (username, password_hash, email, active) VALUES
     ('former', 'no hash at all', NULL, false), ('treasurer', 'nor this', 'treasurer@example.org', true)`,
  `INSERT INTO app_user_role SELECT u.id, r.id FROM app_user u, role r WHERE username = 'treasurer' AND name = 'Finance'`,
  `INSERT INTO fund (id, name, is_open) VALUES (12, 'Building 🏗️', true), (40, 'Old organ', false), (41, 'Missions', true)`,
  `ALTER TABLE fund ALTER COLUMN id RESTART WITH 42`,
  `INSERT INTO person (first_name, last_name, email, phone, address, zip, first_name_folded, last_name_folded,
     email_folded, phone_folded, nickname, nickname_folded, deceased, created_at)
   SELECT ${one('n')}, 'Family' || n / 2, 'f' || n || '@example.org', '901-555-' || n, NULLIF(${one('n / 3')}, 'Zoë'), NULL,
     CASE WHEN n % 11 > 0 THEN 'first' || n END, 'family' || n / 2, 'f' || n || '@example.org',
     CASE WHEN n % 3 > 0 THEN '+1901555' || n END, CASE WHEN n % 7 = 0 THEN ${one('n')} END,
     CASE WHEN n % 7 = 0 THEN 'nick' || n END, n % 100 = 0, timestamptz '2020-02-29 12:00+00' + n * interval '1.000001 s'
   FROM generate_series(1, 2000) n ORDER BY n`,
  // The contacts of merged persons move, too; a trigger has created them.
  `UPDATE contact SET person_id = person_id - 1 WHERE person_id % 40 = 0`,
  `UPDATE person SET merged_into = id - 1 WHERE id % 40 = 0`,
  `INSERT INTO contact (person_id, kind, value, folded, confirmed)
   SELECT id, 'email', 'other' || id || '@example.org', NULLIF('other' || id || '@example.org', 'other3@example.org'), id % 2 = 0
   FROM person WHERE id % 25 = 3`,
  `INSERT INTO bundle (bundle_type_id, user_id, day, created_at)
   SELECT t.id, u.id, date '2024-12-25' + n, timestamptz '2024-12-25 00:00:00.123456+00' + n * interval '1 day'
   FROM generate_series(0, 199) n, bundle_type t, app_user u WHERE u.username IN ('api', 'former') AND t.id IN (1, 4)`,
  `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id, source,
     notes, giver_first, giver_last, giver_email, giver_phone, giver_address, giver_zip, created_by, matched_by, matched_on,
     other_matches, has_key, transaction_id, request_digest, first_person_id)
   SELECT p.id, CASE WHEN n = 7 THEN 999999999.99 ELSE (n % 997 + 1)::numeric / 100 END,
     CASE WHEN n % 500 = 1 THEN 'EUR' ELSE 'USD' END,
     b.created_at + n * interval '1 ms', b.day, f.id, b.id, CASE WHEN n % 90 = 0 THEN 8 ELSE 1 END, 'txt2give',
     CASE WHEN n % 4 = 0 THEN ${one('n')} END, p.first_name, p.last_name, p.email, p.phone, p.address, p.zip, b.user_id,
     CASE WHEN n > 500 THEN (ARRAY['id', 'match', 'created'])[1 + n % 3] END,
     CASE WHEN n % 3 = 1 THEN ARRAY['email', 'phone'] END, CASE WHEN n % 60 = 1 THEN ARRAY[p.id % 7 + 1, 9] END,
     n % 5 = 0, CASE WHEN n % 5 = 0 THEN 'T-' || n END, CASE WHEN n % 5 = 0 THEN sha256(n::text::bytea) END,
     CASE WHEN n % 5 = 0 THEN p.id END
   FROM generate_series(1, 20000) n
     JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS i, * FROM person WHERE merged_into IS NULL) p ON p.i = n * 7 % 1950
     JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS i, * FROM bundle) b ON b.i = n % 800
     JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS i, * FROM fund) f ON f.i = n % 4
   ORDER BY n`,
  `WITH reversed AS (
     UPDATE contribution SET status = 1 WHERE id % 40 = 0 AND reverses_id IS NULL RETURNING *
   ), entries AS (
     INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
       source, reverses_id, created_by)
     SELECT person_id, -amount, currency, given_at + interval '1 day', day + 1, fund_id, bundle_id, 7,
       'API Reverse (source=txt2give)', id, created_by
     FROM reversed RETURNING *
   ), notices AS (
     INSERT INTO notice (id, reversing_contribution_id, content)
     SELECT gen_random_uuid(), e.id, jsonb_build_object('contributionId', e.reverses_id, 'reversingContributionId', e.id,
       'giver', jsonb_build_object('peopleId', p.id, 'first', p.first_name, 'last', p.last_name), 'amount', (-e.amount)::text,
       'currency', e.currency, 'fund', jsonb_build_object('id', e.fund_id, 'name', 'a fund'), 'day', e.day,
       'source', 'txt2give', 'username', 'api', 'reversedAt', '2025-01-01T00:00:00.000Z')
     FROM entries e JOIN person p ON p.id = e.person_id RETURNING *
   )
   INSERT INTO delivery (notice_id, recipient, message_id, status, attempts, last_error, sent_at)
   SELECT n.id, 'treasurer@example.org', '<' || n.id || '@example.org>',
     CASE WHEN n.reversing_contribution_id % 9 = 0 THEN 'failed' ELSE 'sent' END, 1,
     CASE WHEN n.reversing_contribution_id % 9 = 0 THEN ${one('n.reversing_contribution_id')} END,
     CASE WHEN n.reversing_contribution_id % 9 > 0 THEN timestamptz '2025-01-02 03:04:05.678901+00' END
   FROM notices n`,
  `INSERT INTO review (contribution_id, reasons, accepted_at, accepted_by)
   SELECT id, ARRAY['several_matches', 'closed_fund'], CASE WHEN id % 2 = 0 THEN now() END,
     CASE WHEN id % 2 = 0 THEN 'command line' END
   FROM contribution WHERE id % 101 = 0 AND reverses_id IS NULL`,
  `INSERT INTO reassignment (contribution_id, from_person_id, to_person_id, reassigned_by)
   SELECT id, 5, person_id, 'treasurer' FROM contribution WHERE id % 303 = 0 AND person_id <> 5`,
  `INSERT INTO idempotency_key (user_id, operation, key, request_digest, answer)
   SELECT created_by, 'AddContribution', 'old ' || id, sha256(id::text::bytea), jsonb_build_object('contributionId', id)
   FROM contribution WHERE has_key AND reverses_id IS NULL`,
  `UPDATE bundle SET status = 0, closed_at = created_at + interval '3 days' WHERE day < '2025-06-01'`,
  // Unused ids, as left by a gift that is refused at its last step.
  `SELECT nextval(pg_get_serial_sequence('contribution', 'id')) FROM generate_series(1, 5)`,
];
