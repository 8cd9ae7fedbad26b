import type { TestDatabase } from '../support/test-database.js';
import { sameText } from './answers.js';
import type { Books } from './books.js';
import { DEPOSIT_STATEMENTS, depositRows } from './deposit-model.js';
import { idOf, isReversed, reversedOf, sum } from './payment-model.js';
import { bundleView, decimal } from './views.js';

/** Rows by the name of their table, each with its id first. */
type Tables = Readonly<Record<string, readonly object[]>>;

/** A row that differs between model and service. */
export interface Difference {
  readonly table: string;
  readonly model: unknown;
  readonly service: unknown;
}

/** The rows in which database and model differ. */
export async function differences(database: TestDatabase, books: Books): Promise<Difference[]> {
  const wanted = expectedTables(books);
  const found = await storedTables(database, books.ledger.today);
  return Object.keys(wanted).flatMap((table) => differentRows(table, wanted[table] ?? [], found[table] ?? []));
}

function differentRows(table: string, wanted: readonly object[], found: readonly object[]): Difference[] {
  const keyed = (rows: readonly object[]): Map<unknown, object> =>
    new Map(rows.map((row) => [Object.values(row)[0], row]));
  const [model, service] = [keyed(wanted), keyed(found)];
  const rows = [...new Set([...model.keys(), ...service.keys()])]
    .filter((key) => !sameText(model.get(key), service.get(key)))
    .map((key) => ({ table, model: model.get(key), service: service.get(key) }));
  // Two rows with the same key would hide each other.
  if (wanted.length === found.length || rows.length > 0) return rows;
  return [{ table, model: `${wanted.length} rows`, service: `${found.length} rows` }];
}

function expectedTables(books: Books): Tables {
  const { people, ledger, reviews, notices, refunds } = books;
  const entries = [...ledger.entries.values()];
  const payments = new Set(entries.map(({ payment }) => payment));
  return {
    person: people.all().map(({ id, details, mergedInto, contacts }) => ({
      id,
      first: details.first.sent,
      last: details.last.sent,
      email: details.email.sent,
      phone: details.phone.sent,
      merged_into: mergedInto?.id ?? null,
      contacts: [...contacts].map(([contact, confirmed]) => `${contact} ${confirmed}`).sort(),
    })),
    contribution: entries.map((entry) => ({
      id: entry.id,
      person_id: entry.personId,
      amount: decimal(entry.cents),
      fund_id: entry.fundId,
      bundle_id: entry.bundle.id,
      contribution_type_id: entry.typeId,
      status: isReversed(entry) ? 1 : 0,
      reversed_amount: decimal(reversedOf(entry)),
      source: entry.source,
      transaction_id: entry.transactionId,
      payment_id: idOf(entry.payment),
      kind: entry.kind,
      of: entry.of?.id ?? null,
      reversal_id: entry.reversal?.entries[0]?.id ?? null,
      reason: entry.reversal?.reason ?? null,
      refund_id: entry.reversal?.refundId ?? null,
      added_by: entry.payment.user,
    })),
    payment: [...payments].map((payment) => ({
      id: idOf(payment),
      amount: decimal(payment.cents),
      fee: payment.feeCents === null ? null : decimal(payment.feeCents),
      method: payment.method,
      check_number: payment.checkNumber,
      payout_id: payment.payoutId,
    })),
    refund: [...refunds.keys()].map((refund) => ({ refund })),
    bundle: [...ledger.bundles.values()].map((bundle) => bundleView(bundle, entries)),
    fund: ledger.funds.map(({ id, open }) => ({
      id,
      open,
      is_default: id === ledger.fund(undefined)?.id,
      total: decimal(sum(entries.filter(({ fundId }) => fundId === id))),
    })),
    review: [...reviews.byGift].map(([contribution_id, { reasons, acceptedBy }]) => ({
      contribution_id,
      reasons: [...reasons].sort(),
      accepted_by: acceptedBy,
    })),
    reassignment: ledger.reassignments.map((row, index) => ({ nth: index + 1, ...row })),
    ...depositRows(books),
    notice: notices,
    job: notices.length === 0 ? [] : [{ queue: 'notify-finance', jobs: notices.length }],
  };
}

async function storedTables(database: TestDatabase, today: string): Promise<Tables> {
  const tables: Record<string, object[]> = {};
  for (const [table, statement] of Object.entries(STATEMENTS)) {
    tables[table] = await database.query<object>(statement, statement.includes('$1') ? [today] : []);
  }
  return tables;
}

const STATEMENTS = {
  ...DEPOSIT_STATEMENTS,
  person: `
    SELECT id, first_name AS first, last_name AS last, email, phone, merged_into, ARRAY(
      SELECT known FROM contact, concat_ws(' ', kind, folded, confirmed::text) AS known
      WHERE person_id = person.id ORDER BY known COLLATE "C"
    ) AS contacts FROM person`,
  contribution: `
    SELECT c.id, person_id, amount::text, fund_id, bundle_id, contribution_type_id, status::integer,
      reversed_amount::text, source, transaction_id, payment_id,
      CASE WHEN reverses_id IS NOT NULL THEN 'reversing entry' WHEN moves_id IS NOT NULL THEN 'move'
        WHEN reinstates_id IS NOT NULL THEN 'reinstatement' ELSE 'part' END AS kind,
      COALESCE(reverses_id, moves_id, reinstates_id) AS of, reversal_id, reason, refund_id, u.username AS added_by
    FROM contribution c JOIN app_user u ON u.id = c.added_by`,
  payment: `SELECT id, amount::text, fee::text, method, check_number, payout_id FROM payment`,
  refund: `
    SELECT format('[%s,%s,%s]', to_json(username), to_json(source), to_json(refund_id)) AS refund
    FROM refund JOIN app_user u ON u.id = user_id`,
  bundle: `
    SELECT b.id, bundle_type_id, username, $1::date - b.day AS age, b.status = 1 AS open,
      array_agg(c.id ORDER BY c.id) AS contents, sum(c.amount)::text AS total
    FROM bundle b JOIN app_user u ON u.id = b.user_id LEFT JOIN contribution c ON c.bundle_id = b.id
    GROUP BY b.id, username`,
  fund: `
    SELECT id, is_open AS open, is_default, (SELECT COALESCE(sum(amount), 0.00)::text FROM contribution
      WHERE fund_id = fund.id) AS total FROM fund`,
  review: `
    SELECT contribution_id, ARRAY(SELECT reason FROM unnest(reasons) AS reason ORDER BY reason COLLATE "C") AS reasons,
      accepted_by FROM review`,
  reassignment: `
    SELECT (row_number() OVER (ORDER BY id))::integer AS nth, contribution_id AS "contributionId",
      from_person_id AS from, to_person_id AS to, reassigned_by AS by FROM reassignment`,
  notice: `
    SELECT reversing_contribution_id, (content->>'contributionId')::integer AS contribution_id,
      (content->'giver'->>'peopleId')::integer AS people_id, content->'giver'->>'first' AS first,
      content->'giver'->>'last' AS last, content->>'amount' AS amount, content->>'currency' AS currency,
      (content->'fund'->>'id')::integer AS fund_id, content->'fund'->>'name' AS fund_name, content->>'day' AS day,
      content->>'source' AS source, content->>'username' AS username, content->>'left' AS left,
      (content->>'isPartial')::boolean AS partial, content->>'reason' AS reason, ARRAY(
        SELECT concat_ws(' ', e->>'contributionId', e->>'reversingContributionId', e->>'amount', e->'fund'->>'name')
        FROM jsonb_array_elements(content->'entries') e
      ) AS entries FROM notice`,
  job: `
    SELECT queue, count(*)::integer AS jobs FROM job WHERE queue = 'notify-finance' GROUP BY queue`,
};
