import type { TestDatabase } from './test-database.js';

/** The database of a ledger. */
export type Ledger = Pick<TestDatabase, 'query'>;

/** The content of a closed bundle, which must never change. */
export interface ClosedBundle {
  readonly id: number;
  readonly closed_at: string;
  readonly count: number;
  /** By fund and currency: "fund 1 USD 20.25". */
  readonly totals: readonly string[];
  /** "contribution 3 of 10.00 USD, fund 1, 2026-07-26", by id. */
  readonly entries: readonly string[];
}

/** Every column that refers to a row of another table, with that table. */
const REFERENCES: readonly (readonly [table: string, column: string, referred: string])[] = [
  ['contribution', 'person_id', 'person'],
  ['contribution', 'fund_id', 'fund'],
  ['contribution', 'bundle_id', 'bundle'],
  ['contribution', 'contribution_type_id', 'contribution_type'],
  ['contribution', 'payment_id', 'payment'],
  ['contribution', 'reverses_id', 'contribution'],
  ['contribution', 'reversal_id', 'contribution'],
  ['contribution', 'moves_id', 'contribution'],
  ['contribution', 'reinstates_id', 'contribution'],
  ['contribution', 'created_by', 'app_user'],
  ['contribution', 'added_by', 'app_user'],
  ['contribution', 'first_person_id', 'person'],
  ['bundle', 'bundle_type_id', 'bundle_type'],
  ['bundle', 'user_id', 'app_user'],
  ['notice', 'reversing_contribution_id', 'contribution'],
  ['delivery', 'notice_id', 'notice'],
  ['review', 'contribution_id', 'contribution'],
  ['reassignment', 'contribution_id', 'contribution'],
  ['reassignment', 'from_person_id', 'person'],
  ['reassignment', 'to_person_id', 'person'],
  ['person', 'merged_into', 'person'],
  ['contact', 'person_id', 'person'],
  ['match_key', 'person_id', 'person'],
  ['idempotency_key', 'user_id', 'app_user'],
  ['refund', 'user_id', 'app_user'],
  ['deposit', 'user_id', 'app_user'],
  ['deposit_item', 'deposit_id', 'deposit'],
  ['deposit_item', 'user_id', 'app_user'],
  ['deposit_item', 'contribution_id', 'contribution'],
  ['deposit_item', 'payment_id', 'payment'],
  ['deposit_item', 'reversal_id', 'contribution'],
  ['deposit_adjustment', 'deposit_id', 'deposit'],
];

/** The type of pledges, which are summed apart from gifts. A reversing entry counts under its gift's type. */
const PLEDGE = 8;
const ENTRIES = `
  SELECT c.*, COALESCE(g.contribution_type_id, c.contribution_type_id) = ${PLEDGE} AS is_pledge
  FROM contribution c LEFT JOIN contribution g ON g.id = c.reverses_id`;

/** The grand total over the sums of all rows of a table that contributions belong to. */
const totalBy = (table: string): string => `
  SELECT '${table}' AS by, is_pledge, currency, sum(total) AS total, sum(count) AS count
  FROM (
    SELECT t.id, is_pledge, currency, sum(amount) AS total, count(*) AS count
    FROM ${table} t JOIN (${ENTRIES}) e ON e.${table}_id = t.id GROUP BY t.id, is_pledge, currency
  ) totals GROUP BY is_pledge, currency`;

/** The rules, each with a statement that finds the rows that break it, as one column of text. */
const RULES: readonly (readonly [rule: string, offenders: string])[] = [
  ...REFERENCES.map(
    ([table, column, referred]) =>
      [
        `every ${table}.${column} refers to a row of ${referred}`,
        `SELECT to_jsonb(t)::text FROM ${table} t
         WHERE t.${column} IS NOT NULL AND NOT EXISTS (SELECT FROM ${referred} r WHERE r.id = t.${column})`,
      ] as const,
  ),
  [
    'the parts of a payment add up to it, and the first one has its id',
    `SELECT format('payment %s of %s has parts of %s', p.id, p.amount, sum(c.amount))
     FROM payment p LEFT JOIN contribution c
       ON c.payment_id = p.id AND num_nonnulls(c.reverses_id, c.moves_id, c.reinstates_id) = 0
     GROUP BY p.id HAVING sum(c.amount) IS DISTINCT FROM p.amount OR min(c.id) IS DISTINCT FROM p.id`,
  ],
  [
    'the fee of a payment is within its amount',
    `SELECT format('payment %s of %s: fee %s', id, amount, fee) FROM payment WHERE NOT fee BETWEEN 0 AND amount`,
  ],
  [
    'every contribution belongs to a payment',
    `SELECT format('contribution %s', id) FROM contribution WHERE payment_id IS NULL`,
  ],
  [
    'all contributions of a payment have one person and one currency',
    `SELECT format('payment %s: persons %s, %s', payment_id, array_agg(DISTINCT person_id), array_agg(DISTINCT currency))
     FROM contribution GROUP BY payment_id HAVING count(DISTINCT (person_id, currency)) <> 1`,
  ],
  [
    'all contributions of a payment are added by one user, and all but reversing entries have one source',
    `SELECT format('payment %s: users %s, sources %s', payment_id, array_agg(DISTINCT added_by),
       array_agg(DISTINCT source) FILTER (WHERE reverses_id IS NULL))
     FROM contribution GROUP BY payment_id
     HAVING count(DISTINCT added_by) <> 1 OR count(DISTINCT ROW(source)) FILTER (WHERE reverses_id IS NULL) > 1`,
  ],
  [
    'the parts of a payment have one day and one transaction',
    `SELECT format('payment %s: days %s, transactions %s', payment_id, array_agg(DISTINCT day), array_agg(DISTINCT transaction_id))
     FROM contribution WHERE num_nonnulls(reverses_id, moves_id, reinstates_id) = 0
     GROUP BY payment_id HAVING count(DISTINCT (day, transaction_id)) <> 1`,
  ],
  [
    'the rows of a payment add up to what is left of its gifts, never below 0',
    `SELECT format('payment %s: rows of %s, %s left', payment_id, sum(amount), sum(left_of_gift))
     FROM (
       SELECT *, CASE WHEN reverses_id IS NULL AND moves_id IS NULL THEN amount - reversed_amount ELSE 0 END AS left_of_gift
       FROM contribution
     ) c GROUP BY payment_id HAVING sum(amount) <> sum(left_of_gift) OR sum(amount) < 0`,
  ],
  [
    'what is reversed of a gift is the sum of its reversing entries, at most the gift, and its status says whether anything is left',
    `SELECT format('gift %s of %s, status %s, %s reversed by entries of %s', g.id, g.amount, g.status, g.reversed_amount,
       COALESCE(sum(r.amount), 0))
     FROM contribution g LEFT JOIN contribution r ON r.reverses_id = g.id
     WHERE g.reverses_id IS NULL
     GROUP BY g.id
     HAVING g.reversed_amount <> COALESCE(-sum(r.amount), 0) OR g.reversed_amount > g.amount AND g.moves_id IS NULL
       OR g.status <> (g.reversed_amount = g.amount)::integer`,
  ],
  [
    'a reversing entry belongs to the payment of its gift, and to the fund where the gift was then',
    `SELECT format('entry %s: payment %s, fund %s; gift %s: payment %s, fund %s', r.id, r.payment_id, r.fund_id, g.id,
       g.payment_id, was.fund_id)
     FROM contribution r JOIN contribution g ON g.id = r.reverses_id
       CROSS JOIN LATERAL (
         SELECT COALESCE((SELECT m.fund_id FROM contribution m WHERE m.moves_id = g.id AND m.amount > 0 AND m.id < r.id
           ORDER BY m.id DESC LIMIT 1), g.fund_id) AS fund_id) was
     WHERE (r.payment_id, r.fund_id) IS DISTINCT FROM (g.payment_id, was.fund_id)`,
  ],
  [
    'a reversing entry is of type 7, stays recorded, and reverses a gift; nothing else is of type 7 or negative, but for moves',
    `SELECT to_jsonb(c)::text FROM contribution c LEFT JOIN contribution g ON g.id = c.reverses_id
     WHERE CASE WHEN c.reverses_id IS NULL THEN c.contribution_type_id = 7 OR c.amount <= 0 AND c.moves_id IS NULL
       ELSE c.contribution_type_id <> 7 OR c.status <> 0 OR c.amount >= 0
         OR g.reverses_id IS NOT NULL OR g.moves_id IS NOT NULL END`,
  ],
  [
    'the entries of a reversal have the same payment, user, source, reason and refund, and the id of the first of them',
    `SELECT format('reversal %s: entries %s', reversal_id, array_agg(id ORDER BY id)) FROM contribution
     WHERE reverses_id IS NOT NULL GROUP BY reversal_id
     HAVING min(id) <> reversal_id OR count(DISTINCT (payment_id, created_by, source, reason, refund_id)) <> 1
       OR count(DISTINCT reverses_id) <> count(*)`,
  ],
  [
    'the entries of moves of a gift add up to 0, and have its type and payment',
    `SELECT format('gift %s: entries %s of %s', g.id, array_agg(m.id ORDER BY m.id), sum(m.amount))
     FROM contribution g JOIN contribution m ON m.moves_id = g.id GROUP BY g.id
     HAVING sum(m.amount) <> 0 OR g.reverses_id IS NOT NULL OR g.moves_id IS NOT NULL
       OR NOT bool_and((m.contribution_type_id, m.payment_id) = (g.contribution_type_id, g.payment_id))`,
  ],
  [
    'each move of a gift takes an amount out of its fund, and then puts the same amount into another one',
    `SELECT format('gift %s: entry %s of %s from fund %s, then %s into fund %s', moves_id, id, amount, fund_id, next_amount,
       next_fund)
     FROM (
       SELECT m.*, row_number() OVER entries AS place, COALESCE(lag(m.fund_id) OVER entries, g.fund_id) AS was_in,
         lead(m.amount) OVER entries AS next_amount, lead(m.fund_id) OVER entries AS next_fund
       FROM contribution m JOIN contribution g ON g.id = m.moves_id
       WINDOW entries AS (PARTITION BY m.moves_id ORDER BY m.id)
     ) m
     WHERE place % 2 = 1
       AND (amount >= 0 OR fund_id <> was_in OR next_fund = fund_id OR next_amount IS DISTINCT FROM -amount)`,
  ],
  [
    'a reinstatement undoes one reversing entry of its payment, which nothing else undoes',
    `SELECT format('gift %s of %s undoes entry %s of %s', r.id, r.amount, r.reinstates_id, e.amount)
     FROM (SELECT *, count(*) OVER (PARTITION BY reinstates_id) AS times FROM contribution WHERE reinstates_id IS NOT NULL) r
       LEFT JOIN contribution e ON e.id = r.reinstates_id
     WHERE r.times > 1 OR e.reverses_id IS NULL OR (r.amount, r.payment_id) IS DISTINCT FROM (-e.amount, e.payment_id)`,
  ],
  [
    'a reversal is reinstated as a whole or not at all, and once: each entry by a gift of its amount, payment and fund',
    `SELECT format('reversal %s: entries %s, reinstated by %s', e.reversal_id, array_agg(e.id), array_agg(r.id))
     FROM contribution e LEFT JOIN contribution r ON r.reinstates_id = e.id
     WHERE e.reverses_id IS NOT NULL GROUP BY e.reversal_id
     HAVING count(r.id) NOT IN (0, count(DISTINCT e.id))
       OR NOT COALESCE(bool_and((r.amount, r.payment_id, r.fund_id) = (-e.amount, e.payment_id, e.fund_id)), true)`,
  ],
  [
    'a contribution is added by who added it or its gift',
    `SELECT format('contribution %s by %s', c.id, c.added_by)
     FROM contribution c LEFT JOIN contribution origin ON origin.id = COALESCE(c.reverses_id, c.moves_id, c.reinstates_id)
     WHERE c.added_by <> COALESCE(origin.added_by, c.created_by)`,
  ],
  [
    'a gift does not belong to a merged person',
    `SELECT format('contribution %s belongs to person %s', c.id, p.id) FROM contribution c JOIN person p ON p.id = c.person_id
     WHERE p.merged_into IS NOT NULL`,
  ],
  [
    'the sums by person, by fund and by bundle have the same grand total over the same number of rows',
    `SELECT string_agg(format('by %s %s %s of %s rows', by, total, currency, count), '; ' ORDER BY by)
     FROM (
       SELECT 'row' AS by, is_pledge, currency, sum(amount) AS total, count(*) AS count
       FROM (${ENTRIES}) e GROUP BY is_pledge, currency
       UNION ALL ${totalBy('person')} UNION ALL ${totalBy('fund')} UNION ALL ${totalBy('bundle')}
     ) grand GROUP BY is_pledge, currency
     HAVING count(*) <> 4 OR count(DISTINCT total) <> 1 OR count(DISTINCT count) <> 1`,
  ],
  [
    'a reversal has exactly one notice, at its first entry, and nothing else has any',
    `SELECT format('contribution %s has %s', c.id, count(n.id))
     FROM contribution c LEFT JOIN notice n ON n.reversing_contribution_id = c.id
     GROUP BY c.id HAVING count(n.id) <> (c.reversal_id IS NOT DISTINCT FROM c.id)::integer`,
  ],
  [
    'a notice names the payment, the amount and the fund that were reversed',
    `SELECT format('notice %s of entry %s: %s', n.id, r.id, n.content)
     FROM notice n JOIN contribution r ON r.id = n.reversing_contribution_id
       LEFT JOIN (SELECT reversal_id, -sum(amount) AS amount FROM contribution WHERE reverses_id IS NOT NULL GROUP BY 1) e
         ON e.reversal_id = r.id
     WHERE (n.content ->> 'contributionId', n.content ->> 'reversingContributionId', n.content ->> 'amount',
         n.content ->> 'currency', n.content #>> '{fund,id}')
       IS DISTINCT FROM (r.payment_id::text, r.id::text,
e.amount::text, r.currency, r.fund_id::text)`,
  ],
  [
    'a notice says what was left of the payment then; those of releases before partial reversals do not',
    `SELECT format('notice %s of reversal %s: %s', n.id, e.reversal_id, n.content ->> 'left')
     FROM (
       SELECT reversal_id, (array_agg(left_of_payment ORDER BY id DESC))[1] AS left_of_payment
       FROM (SELECT *, sum(amount) OVER (PARTITION BY payment_id ORDER BY id) AS left_of_payment FROM contribution) c
       WHERE reverses_id IS NOT NULL GROUP BY reversal_id
     ) e JOIN notice n ON n.reversing_contribution_id = e.reversal_id
     WHERE n.content ->> 'left' <> e.left_of_payment::text`,
  ],
  [
    'an idempotency key has its answer, which names what was done',
    `SELECT format('key %s of user %s for %s: %s', k.key, k.user_id, k.operation, k.answer)
     FROM idempotency_key k
       LEFT JOIN contribution c ON c.id = COALESCE(k.answer ->> 'contributionId', k.answer -> 'contributionIds' ->> 0)::integer
     WHERE CASE WHEN k.operation = 'AdjustDeposit'
       THEN NOT EXISTS (SELECT FROM deposit_adjustment a WHERE a.deposit_id = (k.answer ->> 'id')::integer)
       ELSE c.id IS NULL END
     OR k.operation <> 'AdjustDeposit' AND NOT CASE
       WHEN k.operation = 'AddContribution' THEN c.reverses_id IS NULL
       WHEN k.operation = 'ReinstateContribution' THEN c.reinstates_id IS NOT NULL
       WHEN k.operation = 'MoveContribution' THEN c.moves_id IS NOT NULL
       ELSE c.reverses_id IS NULL
         AND EXISTS (SELECT FROM contribution e WHERE e.payment_id = c.payment_id AND e.reverses_id IS NOT NULL) END`,
  ],
  [
    'a refund has its answer and exactly one reversal, and a reversal with a refund id its refund',
    `SELECT format('refund %s of user %s for %s: %s, reversals %s', COALESCE(f.refund_id, e.refund_id), f.user_id, f.source,
       f.answer, array_agg(DISTINCT e.reversal_id))
     FROM refund f FULL JOIN (SELECT * FROM contribution WHERE refund_id IS NOT NULL) e
       ON (e.created_by, e.source, e.refund_id) = (f.user_id, f.source, f.refund_id)
     GROUP BY f.user_id, f.source, f.refund_id, f.answer, e.refund_id
     HAVING f.answer IS NULL OR count(DISTINCT e.reversal_id) <> 1`,
  ],
  [
    'the totals by fund and month are the sums of the contributions that they contain',
    `SELECT format('%s, fund %s, type %s: %s, sum %s', month, fund_id, type, t.amount, s.amount)
     FROM (SELECT *, contribution_type_id AS type FROM fund_month_total) t FULL JOIN (
       SELECT date_trunc('month', COALESCE(undone.day, e.day)::timestamp)::date AS month, e.fund_id, e.currency,
         COALESCE(g.contribution_type_id, e.contribution_type_id) AS type, sum(e.amount) AS amount
       FROM contribution e LEFT JOIN contribution g ON g.id = e.reverses_id
         LEFT JOIN contribution undone ON undone.id = e.reinstates_id
       WHERE e.id <= (SELECT up_to FROM reading_progress WHERE reader = 'totals')
       GROUP BY 1, 2, 3, 4
     ) s USING (month, fund_id, type, currency)
     WHERE t.amount IS DISTINCT FROM s.amount`,
  ],
  [
    'the sums of a deposit are those of its items and adjustments, as the books have them',
    `SELECT format('deposit %s: gross %s, fees %s, reversed %s, adjusted %s, items %s and %s; its items: %s, adjustments %s', d.id,
       d.gross, d.fees, d.reversed, d.adjusted, d.item_count, d.unknown_count, i.*, a.amount)
     FROM deposit d
       CROSS JOIN LATERAL (
         SELECT COALESCE(sum(p.amount) FILTER (WHERE NOT is_reversal), 0) AS gross,
           COALESCE(sum(COALESCE(i.fee, 0)) FILTER (WHERE i.amount IS NOT NULL), 0) AS fees,
           COALESCE(sum((SELECT -sum(r.amount) FROM contribution r WHERE r.reversal_id = i.reversal_id)), 0) AS reversed,
           count(*) AS items, count(*) FILTER (WHERE i.amount IS NULL) AS unknown
         FROM deposit_item i LEFT JOIN payment p ON p.id = i.payment_id WHERE i.deposit_id = d.id AND i.removed_at IS NULL
       ) i
       CROSS JOIN LATERAL (
         SELECT COALESCE(sum(amount), 0) AS amount FROM deposit_adjustment WHERE deposit_id = d.id
       ) a
     WHERE (d.gross, d.fees, d.reversed, d.adjusted, d.item_count, d.unknown_count)
       <> (i.gross, i.fees, i.reversed, a.amount, i.items, i.unknown)`,
  ],
  [
    'an item of a deposit has the amount of its payment or reversal, and the fee of its payment unless it has its own',
    `SELECT format('item %s of %s, fee %s', i.id, i.amount, i.fee)
     FROM deposit_item i LEFT JOIN payment p ON p.id = i.payment_id AND NOT i.is_reversal
     WHERE i.amount IS NOT NULL AND (
       i.amount IS DISTINCT FROM CASE WHEN i.is_reversal
         THEN (SELECT -sum(r.amount) FROM contribution r WHERE r.reversal_id = i.reversal_id AND r.payment_id = i.payment_id)
         ELSE p.amount END
       OR NOT i.has_own_fee AND i.fee IS DISTINCT FROM p.fee)`,
  ],
  [
    'a payment is in one deposit at most, and so is a reversal',
    `SELECT format('payment %s, reversal %s: deposits %s', payment_id, reversal_id, array_agg(deposit_id))
     FROM deposit_item WHERE removed_at IS NULL AND amount IS NOT NULL
     GROUP BY CASE WHEN NOT is_reversal THEN payment_id END, payment_id, reversal_id HAVING count(*) > 1`,
  ],
  [
    'a reconciled deposit is as large as the bank or the processor says, and everything of it is in the books',
    `SELECT format('deposit %s', id) FROM deposit
     WHERE reconciled_at IS NOT NULL
       AND (unknown_count > 0 OR gross - fees - reversed + adjusted IS DISTINCT FROM COALESCE(bank_amount, amount))`,
  ],
  [
    'there is at most one open bundle per type, user and day',
    `SELECT format('bundles %s', array_agg(id ORDER BY id)) FROM bundle WHERE status = 1
     GROUP BY bundle_type_id, user_id, day HAVING count(*) > 1`,
  ],
];

/** One statement, so that all rules are checked on the same state. */
const FIND_OFFENDERS = RULES.map(
  ([, offenders], rule) => `SELECT ${rule} AS rule, offender FROM (${offenders}) r${rule} (offender)`,
).join(' UNION ALL ');

const SELECT_CLOSED_BUNDLES = `
  SELECT b.id, b.closed_at::text, count(c.id)::integer AS count,
    ARRAY(SELECT format('fund %s %s %s', fund_id, currency, sum(amount)) FROM contribution WHERE bundle_id = b.id
      GROUP BY fund_id, currency ORDER BY fund_id, currency) AS totals,
    COALESCE(array_agg(format('contribution %s of %s %s, fund %s, %s', c.id, c.amount, c.currency, c.fund_id, c.day)
      ORDER BY c.id) FILTER (WHERE c.id IS NOT NULL), '{}') AS entries
  FROM bundle b LEFT JOIN contribution c ON c.bundle_id = b.id
  WHERE b.status = 0 GROUP BY b.id ORDER BY b.id`;

/** A reconciled deposit, which must never change. */
export interface ReconciledDeposit {
  readonly id: number;
  /** Its columns, its items and its adjustments, as JSON. */
  readonly content: string;
}

const SELECT_RECONCILED_DEPOSITS = `
  SELECT d.id, jsonb_build_array(d,
    ARRAY(SELECT to_jsonb(i) FROM deposit_item i WHERE i.deposit_id = d.id ORDER BY i.id),
    ARRAY(SELECT to_jsonb(a) FROM deposit_adjustment a WHERE a.deposit_id = d.id ORDER BY a.id))::text AS content
  FROM deposit d WHERE d.reconciled_at IS NOT NULL ORDER BY d.id`;

/** The reconciled deposits as they are now, to be compared by {@link assertLedgerInvariants} later. */
export async function readReconciledDeposits(ledger: Ledger): Promise<ReconciledDeposit[]> {
  return await ledger.query<ReconciledDeposit>(SELECT_RECONCILED_DEPOSITS);
}

/** The closed bundles as they are now, to be compared by {@link assertLedgerInvariants} later. */
export async function readClosedBundles(ledger: Ledger): Promise<ClosedBundle[]> {
  return await ledger.query<ClosedBundle>(SELECT_CLOSED_BUNDLES);
}

/**
 * Checks the rules that hold in the ledger at any moment, whatever happened to the service or its database.
 * @param closedBefore bundles that must be unchanged.
 * @param reconciledBefore deposits that must be unchanged.
 * @throws Error that names each broken rule and the rows.
 */
export async function assertLedgerInvariants(
  ledger: Ledger,
  closedBefore: readonly ClosedBundle[] = [],
  reconciledBefore: readonly ReconciledDeposit[] = [],
): Promise<void> {
  const offenders = await ledger.query<{ rule: number; offender: string }>(FIND_OFFENDERS);
  const broken = offenders.map(({ rule, offender }) => `${RULES[rule]?.[0] ?? ''}: ${offender}`);
  const closedNow = new Map((await readClosedBundles(ledger)).map((bundle) => [bundle.id, bundle]));
  for (const before of closedBefore) broken.push(...changes(before, closedNow.get(before.id)));
  const depositsNow = new Map((await readReconciledDeposits(ledger)).map(({ id, content }) => [id, content]));
  for (const { id, content } of reconciledBefore)
    if (depositsNow.get(id) !== content) broken.push(`a reconciled deposit never changes: deposit ${id}`);
  if (broken.length > 0) throw new Error(`The ledger is not whole:\n${broken.slice(0, 50).join('\n')}`);
}

/** The same for books that a test has just filled. Without statistics, a check of 100,000 payments would take hours. */
export async function assertInvariantsOfManyRows(ledger: Ledger): Promise<void> {
  await ledger.query('ANALYZE');
  await assertLedgerInvariants(ledger);
}

function changes(before: ClosedBundle, now: ClosedBundle | undefined): string[] {
  const rule = `a closed bundle never changes: bundle ${before.id}`;
  if (now === undefined) return [`${rule} is closed no more`];
  const [was, is] = [facts(before), facts(now)];
  return [
    ...[...was].filter((fact) => !is.has(fact)).map((fact) => `${rule} has lost: ${fact}`),
    ...[...is].filter((fact) => !was.has(fact)).map((fact) => `${rule} has got: ${fact}`),
  ];
}

function facts({ closed_at, count, totals, entries }: ClosedBundle): Set<string> {
  return new Set([`closed at ${closed_at}`, `${count} rows`, ...totals, ...entries]);
}
