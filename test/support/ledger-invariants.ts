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
  ['contribution', 'reverses_id', 'contribution'],
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
    'a reversed gift has exactly one reversing entry',
    `SELECT format('gift %s has %s', g.id, count(r.id)) FROM contribution g LEFT JOIN contribution r ON r.reverses_id = g.id
     WHERE g.status = 1 GROUP BY g.id HAVING count(r.id) <> 1`,
  ],
  [
    'a recorded gift has no reversing entry',
    `SELECT format('gift %s has entry %s', g.id, r.id) FROM contribution g JOIN contribution r ON r.reverses_id = g.id
     WHERE g.status = 0`,
  ],
  [
    'a reversing entry has the negated amount, person, fund and currency of its gift',
    `SELECT format('entry %s %s %s, person %s, fund %s of gift %s %s %s, person %s, fund %s', r.id, r.amount, r.currency,
       r.person_id, r.fund_id, g.id, g.amount, g.currency, g.person_id, g.fund_id)
     FROM contribution r JOIN contribution g ON g.id = r.reverses_id
     WHERE (r.amount, r.currency, r.person_id, r.fund_id) IS DISTINCT FROM (-g.amount, g.currency, g.person_id, g.fund_id)`,
  ],
  [
    'a reversing entry is of type 7, stays recorded, and reverses a gift; nothing else is of type 7 or negative',
    `SELECT to_jsonb(c)::text FROM contribution c LEFT JOIN contribution g ON g.id = c.reverses_id
     WHERE CASE WHEN c.reverses_id IS NULL THEN c.contribution_type_id = 7 OR c.amount <= 0
       ELSE c.contribution_type_id <> 7 OR c.status <> 0 OR g.reverses_id IS NOT NULL END`,
  ],
  [
    'a contribution is added by who added it or its gift',
    `SELECT format('contribution %s by %s', c.id, c.added_by)
     FROM contribution c LEFT JOIN contribution g ON g.id = c.reverses_id
     WHERE c.added_by <> COALESCE(g.created_by, c.created_by)`,
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
    'a reversing entry has exactly one notice, and nothing else has any',
    `SELECT format('contribution %s has %s', c.id, count(n.id))
     FROM contribution c LEFT JOIN notice n ON n.reversing_contribution_id = c.id
     GROUP BY c.id HAVING count(n.id) <> (c.reverses_id IS NOT NULL)::integer`,
  ],
  [
    'a notice names the gift, the amount and the fund that were reversed',
    `SELECT format('notice %s of entry %s: %s', n.id, r.id, n.content)
     FROM notice n JOIN contribution r ON r.id = n.reversing_contribution_id
     WHERE (n.content ->> 'contributionId', n.content ->> 'reversingContributionId', n.content ->> 'amount',
         n.content ->> 'currency', n.content #>> '{fund,id}')
       IS DISTINCT FROM (r.reverses_id::text, r.id::text, (-r.amount)::text, r.currency, r.fund_id::text)`,
  ],
  [
    'an idempotency key has its answer, which names what was done',
    `SELECT format('key %s of user %s for %s: %s', k.key, k.user_id, k.operation, k.answer)
     FROM idempotency_key k LEFT JOIN contribution c ON c.id = (k.answer ->> 'contributionId')::integer
     WHERE c.id IS NULL OR c.reverses_id IS NOT NULL OR (k.operation = 'ReverseContribution' AND c.status <> 1)`,
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

/** The closed bundles as they are now, to be compared by {@link assertLedgerInvariants} later. */
export async function readClosedBundles(ledger: Ledger): Promise<ClosedBundle[]> {
  return await ledger.query<ClosedBundle>(SELECT_CLOSED_BUNDLES);
}

/**
 * Checks the rules that hold in the ledger at any moment, whatever happened to the service or its database.
 * @param closedBefore bundles that must be unchanged.
 * @throws Error that names each broken rule and the rows.
 */
export async function assertLedgerInvariants(
  ledger: Ledger,
  closedBefore: readonly ClosedBundle[] = [],
): Promise<void> {
  const offenders = await ledger.query<{ rule: number; offender: string }>(FIND_OFFENDERS);
  const broken = offenders.map(({ rule, offender }) => `${RULES[rule]?.[0] ?? ''}: ${offender}`);
  const closedNow = new Map((await readClosedBundles(ledger)).map((bundle) => [bundle.id, bundle]));
  for (const before of closedBefore) broken.push(...changes(before, closedNow.get(before.id)));
  if (broken.length > 0) throw new Error(`The ledger is not whole:\n${broken.slice(0, 50).join('\n')}`);
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
