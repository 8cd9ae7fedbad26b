import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A named statement, which each connection parses and plans once. */
function prepared(text: string): pg.QueryConfig {
  return { name: createHash('sha256').update(text).digest('base64url'), text };
}

export const SELECT_USER = prepared(
  `SELECT u.id, u.password_hash, u.active, ARRAY(SELECT r.name FROM app_user_role ur JOIN role r ON r.id = ur.role_id WHERE ur.user_id = u.id) AS roles, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS database_time FROM (SELECT $1::text AS username) sent LEFT JOIN app_user u ON u.username = sent.username`,
);

export const CLAIM_KEY = prepared(`
  INSERT INTO idempotency_key AS earlier (user_id, operation, key, request_digest, request_version)
    VALUES ($1, $2, $3, $4, 3)
  ON CONFLICT ON CONSTRAINT idempotency_key_pkey
    DO UPDATE SET request_digest = excluded.request_digest, request_version = excluded.request_version, answer = NULL, created_at = now()
    WHERE earlier.created_at < now() - interval '30 days'
  RETURNING 1`);

export const SELECT_ANSWER = prepared(
  'SELECT request_digest, request_version, answer FROM idempotency_key WHERE user_id = $1 AND operation = $2 AND key = $3',
);

export const KEEP_ANSWER = prepared(
  'UPDATE idempotency_key SET answer = $4 WHERE user_id = $1 AND operation = $2 AND key = $3',
);

export const LOCK_CANDIDATES = prepared(`
  SELECT k.*, p.merged_into AS "mergedInto", p.deceased
  FROM (
    SELECT found.*, ARRAY(SELECT person_id FROM unnest((SELECT $4::text[])::text[]) AS sent_contact, LATERAL (
        SELECT person_id FROM contact WHERE kind = 'email' AND folded = sent_contact
        ORDER BY person_id LIMIT 5) persons) AS "emailPersons",
      ARRAY(SELECT person_id FROM unnest((SELECT $4::text[])::text[]) AS sent_contact, LATERAL (
        SELECT person_id FROM contact WHERE kind = 'phone' AND folded = sent_contact
        ORDER BY person_id LIMIT 5) persons) AS "phonePersons"
    FROM (
      SELECT person_id AS "personId", bool_or(kind = 'email') AS email, bool_or(kind = 'phone') AS phone,
        bool_or(first_name = ANY ((SELECT $2::text[])::text[])) AS "firstName"
      FROM match_key
      WHERE contact = ANY ((SELECT $4::text[])::text[]) AND last_name = ANY ((SELECT $1::text[])::text[]) AND first_name = ANY ((SELECT $3::text[])::text[])
      GROUP BY person_id
    ) found
    ORDER BY "personId" OFFSET 0
  ) k, LATERAL (SELECT merged_into, deceased FROM person WHERE id = k."personId" OFFSET 0 FOR SHARE) p
  ORDER BY k."personId"`);

export const LOCK_PERSON = prepared('SELECT merged_into, deceased FROM person WHERE id = $1 FOR SHARE');

export const SELECT_LAST_NAME = prepared(`
  WITH RECURSIVE same AS (
    SELECT id, last_name_folded, former_last_name_folded FROM person WHERE id = $1
    UNION
    SELECT p.id, p.last_name_folded, p.former_last_name_folded
    FROM same, LATERAL (SELECT * FROM person WHERE merged_into = same.id OFFSET 0) p
  )
  SELECT 1 FROM same WHERE $2 IN (last_name_folded, former_last_name_folded) LIMIT 1`);

export const LOCK_CONTACTS = prepared(`
  SELECT pg_advisory_xact_lock(key)
  FROM (SELECT DISTINCT hashtextextended('person contact ' || c, 0) AS key FROM unnest($1::text[]) AS c ORDER BY key) k`);

export const SELECT_SIMILAR = prepared(`
  WITH RECURSIVE near AS (
    SELECT person_id AS id FROM unnest((SELECT $1::text[])::text[]) AS sent, LATERAL (
      SELECT person_id FROM contact WHERE kind = 'email' AND folded = sent ORDER BY person_id LIMIT 50) persons
    UNION
    SELECT person_id FROM unnest((SELECT $2::text[])::text[]) AS sent, LATERAL (
      SELECT person_id FROM contact WHERE kind = 'phone' AND folded = sent ORDER BY person_id LIMIT 50) persons
    UNION
    SELECT person_id FROM unnest((SELECT $1::text[])::text[] || (SELECT $2::text[])::text[]) AS sent, LATERAL (
      SELECT person_id FROM match_key WHERE contact = sent AND last_name = $3 ORDER BY first_name LIMIT 10) persons
    UNION
    SELECT id FROM unnest((SELECT $6::text[])::text[]) AS digits, LATERAL (
      SELECT id FROM person
      WHERE CASE WHEN phone_folded IS NULL THEN regexp_replace(phone, '[^0-9]', '', 'g') END = digits
      ORDER BY id LIMIT 10) persons
  ), same AS (
    SELECT id AS person_id, id FROM near
    UNION
    SELECT same.person_id, p.id
    FROM same, LATERAL (SELECT id FROM person WHERE merged_into = same.id OFFSET 0) p
  )
  SELECT same.person_id, ARRAY[p.last_name_folded, p.former_last_name_folded] AS last_names,
    ARRAY[p.first_name_folded, p.nickname_folded] AS first_names,
    ARRAY(SELECT folded FROM contact c
      WHERE c.person_id = same.person_id AND c.kind = 'email' AND c.folded = ANY ((SELECT $1::text[])::text[])) AS emails,
    ARRAY(SELECT folded FROM contact c
      WHERE c.person_id = same.person_id AND c.kind = 'phone' AND c.folded = ANY ((SELECT $2::text[])::text[])) AS phones,
    COALESCE(CASE WHEN p.phone_folded IS NULL THEN regexp_replace(p.phone, '[^0-9]', '', 'g') END = ANY ((SELECT $6::text[])::text[]), false)
      AS abolished_phone,
    false AS namesake
  FROM same, LATERAL (SELECT * FROM person WHERE id = same.id OFFSET 0) p
  UNION ALL
  SELECT id, '{}', '{}', '{}', '{}', false, true
  FROM (
    (SELECT id, merged_into FROM person WHERE last_name_folded = $3 AND first_name_folded = $4 ORDER BY id LIMIT 100)
    UNION
    (SELECT id, merged_into FROM person WHERE last_name_folded = $3 AND nickname_folded = $4 ORDER BY id LIMIT 100)
    UNION
    (SELECT id, merged_into FROM person WHERE former_last_name_folded = $3
       AND (first_name_folded = $4 OR nickname_folded = $4) ORDER BY id LIMIT 100)
  ) namesake
  WHERE $5::boolean OR NOT EXISTS (
    WITH RECURSIVE merged AS (
      SELECT namesake.id, namesake.merged_into
      UNION
      SELECT p.id, p.merged_into
      FROM merged, LATERAL (SELECT id, merged_into FROM person WHERE id = merged.merged_into OFFSET 0) p
    )
    SELECT FROM merged JOIN contact c ON c.person_id = merged.id WHERE c.folded IS NOT NULL)`);

export const INSERT_PERSON = prepared(`
  INSERT INTO person (id, first_name, last_name, email, phone, address, zip,
    first_name_folded, last_name_folded, email_folded, phone_folded, folded_by, first_names_before, last_names_before)
  OVERRIDING SYSTEM VALUE
  VALUES (next_id('person_id_seq'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  RETURNING id`);

export const INSERT_GIFT = prepared(`
  WITH gift AS (
    INSERT INTO contribution (id, payment_id, person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
      source, notes, giver_first, giver_last, giver_email, giver_phone, giver_address, giver_zip, created_by,
      matched_by, matched_on, other_matches, has_key, transaction_id, request_digest, request_version, first_person_id)
    OVERRIDING SYSTEM VALUE
    SELECT new.id, COALESCE($1, new.id), $2::integer, $3, $4, $5, $6, COALESCE($7::integer, (SELECT id FROM fund WHERE is_default)),
      open_bundle($8, $9, $10), $11, $12, $13, $14, $15, $16, $17, $18, $19, $9,
      $20, $21, $22, $23, $24::text, $25::bytea, 3, CASE WHEN $24 IS NOT NULL THEN $2 END
    FROM (SELECT next_id('contribution_id_seq') AS id) new
    RETURNING id, person_id, created_at, fund_id, equal_gifts(contribution)
  ), paid AS (
    INSERT INTO payment (id, amount, fee, method, check_number, payout_id)
    SELECT id, $26, $27, $28, $29, $30 FROM gift WHERE $1::integer IS NULL
  ), judged AS (
    SELECT gift.id, gift.created_at, gift.fund_id, fund.name AS fund_name,
      equal_gifts || array_remove(ARRAY[$31::integer], NULL) AS other_gifts,
      CASE WHEN 'shared_contact' = ANY ($32::text[]) AND EXISTS (
        SELECT FROM (SELECT id FROM contribution WHERE person_id = gift.person_id OFFSET 0) earlier,
          LATERAL (SELECT reasons FROM review WHERE contribution_id = earlier.id OFFSET 0) review
        WHERE 'shared_contact' = ANY (review.reasons))
      THEN array_remove($32::text[], 'shared_contact') ELSE $32::text[] END || array_remove(ARRAY[
      CASE WHEN NOT fund.is_open THEN 'closed_fund' END,
      CASE WHEN cardinality(equal_gifts) > 0 THEN 'possible_duplicate' END], NULL) AS reasons
    FROM gift LEFT JOIN fund ON fund.id = gift.fund_id
  ), listed AS (
    INSERT INTO review (id, contribution_id, reasons, other_persons, other_gifts) OVERRIDING SYSTEM VALUE
    SELECT next_id('review_id_seq'), id, reasons, $33, other_gifts FROM judged WHERE cardinality(reasons) > 0
  )
  SELECT id, created_at, fund_id, fund_name, reasons, (SELECT is_event_wanted('contribution.recorded')) AS is_wanted FROM judged`);

export const LOCK_PAYMENT = prepared(`
  WITH named AS MATERIALIZED (SELECT payment_id, person_id, reverses_id FROM contribution WHERE id = $1),
  giver AS MATERIALIZED (SELECT p.id FROM named JOIN person p ON p.id = named.person_id FOR KEY SHARE OF p)
  SELECT payment.id AS "paymentId", payment.amount AS paid, named.reverses_id AS "reversesId"
  FROM named, giver, payment
  WHERE payment.id = named.payment_id
  FOR NO KEY UPDATE OF payment`);

export const LOCK_GIFTS = prepared(`
  SELECT c.id, c.person_id, p.first_name, p.last_name, c.amount - c.reversed_amount AS left,
    c.reversed_amount AS reversed, c.currency,
    c.contribution_type_id, c.day::text AS day, c.fund_id AS given_fund_id,
    (SELECT reverses_id FROM contribution entry WHERE entry.id = c.reinstates_id) AS restores_id,
    f.id AS fund_id, f.name AS fund_name, b.bundle_type_id, u.username AS added_by
  FROM (
    SELECT * FROM contribution c WHERE c.id = ANY (ARRAY(
    SELECT $1::integer UNION ALL SELECT id FROM contribution WHERE payment_id = $1::integer AND payment_id <> id))
      AND c.reverses_id IS NULL AND c.moves_id IS NULL
    ORDER BY c.id FOR NO KEY UPDATE
  ) c
    JOIN person p ON p.id = c.person_id
    JOIN bundle b ON b.id = c.bundle_id
    JOIN app_user u ON u.id = c.added_by
    JOIN fund f ON f.id = COALESCE(
    (SELECT (array_agg(m.fund_id ORDER BY m.id DESC))[1] FROM contribution m WHERE m.moves_id = c.id AND m.amount > 0),
    c.fund_id)
  ORDER BY c.id`);

export const INSERT_REVERSING_ENTRIES = prepared(`
  WITH taken AS MATERIALIZED (
    SELECT next_id('contribution_id_seq') AS id, sent.*
    FROM unnest($1::integer[], $2::numeric[], $3::integer[], $4::integer[])
      AS sent (gift_id, amount, fund_id, bundle_type_id)
  )
  INSERT INTO contribution (id, person_id, amount, currency, fund_id, contribution_type_id, reverses_id, reversal_id,
    given_at, day, bundle_id, source, notes, created_by, reason, refund_id)
  OVERRIDING SYSTEM VALUE
  SELECT id, $5, -amount, $6, fund_id, 7, gift_id, (SELECT min(id) FROM taken),
    $7, $8, open_bundle(bundle_type_id, $9, $8), $10, $11, $9, $12, $13
  FROM taken
  RETURNING id, reverses_id, created_at, (SELECT is_event_wanted('contribution.reversed')) AS is_wanted`);

export const INSERT_AUDIT_ENTRY = prepared(`
  INSERT INTO audit_entry (actor, via, action, subject, details)
  SELECT $1, $2, $3, subject, $5::jsonb FROM unnest($4::text[]) AS subject`);

export const CLOSE_FOR_REVERSAL = prepared(`
  WITH concerned AS (
    SELECT id FROM review WHERE accepted_at IS NULL AND contribution_id = ANY ((SELECT $3::integer[])::integer[])
    UNION
    SELECT id FROM review WHERE accepted_at IS NULL AND other_gifts && (SELECT $1::integer[])::integer[]
  ),
  locked AS (
    SELECT r.* FROM review r
    WHERE r.id = ANY (ARRAY(SELECT id FROM concerned)) AND r.accepted_at IS NULL
    ORDER BY r.id FOR UPDATE
  ),
  settled AS (
    SELECT r.id FROM locked r, LATERAL (SELECT * FROM contribution WHERE id = r.contribution_id OFFSET 0) c
    WHERE r.contribution_id = ANY ((SELECT $3::integer[])::integer[]) OR NOT EXISTS (
    SELECT FROM unnest(r.reasons) AS reason
    WHERE NOT CASE
      WHEN reason = ANY (ARRAY['several_matches', 'similar_person', 'similar_spelling', 'changed_last_name', 'known_name', 'other_contact']) THEN
        cardinality(r.other_persons ||
  CASE WHEN 'several_matches' = ANY (r.reasons) THEN COALESCE(c.other_matches, '{}') ELSE '{}' END) > 0 AND NOT EXISTS (
          WITH RECURSIVE named AS (
            SELECT p.id, p.merged_into FROM person p WHERE p.id = ANY (r.other_persons ||
  CASE WHEN 'several_matches' = ANY (r.reasons) THEN COALESCE(c.other_matches, '{}') ELSE '{}' END)
            UNION
            SELECT p.id, p.merged_into
            FROM named, LATERAL (SELECT id, merged_into FROM person WHERE id = named.merged_into OFFSET 0) p
          )
          SELECT FROM named WHERE merged_into IS NULL AND id <> c.person_id
        )
      WHEN reason = ANY (ARRAY['possible_duplicate', 'similar_row']) THEN
        cardinality(r.other_gifts) > 0 AND NOT EXISTS (
          SELECT FROM contribution other WHERE other.id = ANY (r.other_gifts) AND other.status = 0
        )
      WHEN reason = 'closed_fund' THEN EXISTS (SELECT FROM fund WHERE fund.id = COALESCE(
    (SELECT (array_agg(m.fund_id ORDER BY m.id DESC))[1] FROM contribution m WHERE m.moves_id = c.id AND m.amount > 0),
    c.fund_id) AND fund.is_open)
      ELSE false
    END
  )
  )
  UPDATE review r SET accepted_at = now(), accepted_by = $2, closed_through = 'reversal'
  WHERE r.id = ANY (ARRAY(SELECT id FROM settled))
  RETURNING r.id AS "reviewId", r.contribution_id AS "contributionId"`);

export const INSERT_NOTICE = prepared(
  'INSERT INTO notice (id, reversing_contribution_id, content) VALUES ($1, $2, $3)',
);

/** Queues a job like the service. */
export const INSERT_JOB = prepared(
  'INSERT INTO job (queue, data, due_at) VALUES ($1, $2, now() + make_interval(secs => $3))',
);
