import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Options } from 'csv-stringify';
import { stringify } from 'csv-stringify/sync';
import { type Actor, AuditTrail, PEOPLE_PER_READING } from '../../audit/index.js';
import { Transactions } from '../../database/index.js';
import { BUNDLE_ACTIONS } from './audit-actions.js';
import { BundleNotFoundError } from './errors.js';
import { displayAmount, guardFormulas, SPREADSHEET_CSV } from '../../values/index.js';
import { REVERSED, TYPE_OF_GIFT } from '../ledger/index.js';

/** Rows read by one query, so that memory use does not depend on the size of the bundle. */
const ROWS_PER_QUERY = 2_000;

/** Rows in one piece of the stream, so that callers who read slowly make progress. */
const ROWS_PER_CHUNK = 100;

/** One contribution; the keys are the columns of the file. */
interface ExportRow {
  readonly ContributionId: number;
  readonly Amount: string;
  readonly Currency: string;
  readonly Fee: string | null;
}

/** UTF-8 with a byte order mark. Amounts are not guarded against formulas, because they contain no text from callers. */
const CSV_OPTIONS: Options = {
  ...SPREADSHEET_CSV,
  bom: true,
  header: true,
  cast: {
    string: (value, { column }) => (column === 'Amount' ? value : guardFormulas(value)),
  },
  columns: [
    ...['ContributionId', 'Day', 'Date', 'PeopleId', 'First', 'Last', 'FundId', 'Fund', 'Type', 'Amount', 'Currency'],
    ...['Status', 'Source', 'TransactionId', 'Reverses', 'Notes', 'CreatedAt'],
    ...['PaymentId', 'Method', 'CheckNumber', 'Fee', 'PayoutId', 'Reason'],
  ],
};

/**
 * Selects the page first, in the order of the index. `LIMIT 1` makes the planner look up the payment, and the reversed or
 * moved gift, row by row; otherwise each page may cost a scan of all of them. A payment's fee is in the row of its first
 * part only, so that the sum of the column is right.
 */
const SELECT_ROWS = `
  WITH c AS MATERIALIZED (
    SELECT * FROM contribution WHERE bundle_id = $1 AND id > $2 AND id <= $3 ORDER BY id LIMIT ${ROWS_PER_QUERY}
  )
  SELECT c.id AS "ContributionId", c.day::text AS "Day",
    to_char(c.given_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "Date", c.person_id AS "PeopleId",
    COALESCE(c.giver_first, gift.giver_first) AS "First", COALESCE(c.giver_last, gift.giver_last) AS "Last",
    f.id AS "FundId", f.name AS "Fund", t.name AS "Type", c.amount AS "Amount", c.currency AS "Currency",
    CASE WHEN c.reverses_id IS NOT NULL THEN 'Reversal' WHEN c.moves_id IS NOT NULL THEN 'Move'
      WHEN c.status = ${REVERSED} THEN 'Reversed' WHEN c.reinstates_id IS NOT NULL THEN 'Reinstatement'
      ELSE 'Recorded' END AS "Status",
    c.source AS "Source", c.transaction_id AS "TransactionId", c.reverses_id AS "Reverses", c.notes AS "Notes",
    to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "CreatedAt",
    c.payment_id AS "PaymentId", p.method AS "Method", p.check_number AS "CheckNumber",
    CASE WHEN c.id = c.payment_id THEN p.fee END AS "Fee", p.payout_id AS "PayoutId", c.reason AS "Reason"
  FROM c LEFT JOIN LATERAL (SELECT * FROM contribution WHERE id = COALESCE(c.reverses_id, c.moves_id) LIMIT 1) gift ON true
    LEFT JOIN LATERAL (SELECT * FROM payment WHERE id = c.payment_id LIMIT 1) p ON true
    JOIN fund f ON f.id = c.fund_id JOIN contribution_type t ON t.id = ${TYPE_OF_GIFT}
  ORDER BY c.id`;

const SELECT_EXTENT = `
  WITH gift AS MATERIALIZED (SELECT id, person_id FROM contribution WHERE bundle_id = $1),
    giver AS MATERIALIZED (SELECT DISTINCT person_id FROM gift)
  SELECT COALESCE((SELECT max(id) FROM gift), 0) AS last, (SELECT count(*)::integer FROM gift) AS contributions,
    (SELECT count(*)::integer FROM giver) AS people,
    ARRAY(SELECT person_id FROM giver ORDER BY person_id LIMIT ${PEOPLE_PER_READING}) AS "peopleIds"
  FROM bundle b WHERE b.id = $1`;

/** What an export will contain. */
interface Extent {
  /** The last ContributionId; 0 if there is none. */
  readonly last: number;
  readonly contributions: number;
  readonly people: number;
  /** Of at most {@link PEOPLE_PER_READING} of them. */
  readonly peopleIds: readonly number[];
}

/** Exports a bundle's contributions for a spreadsheet. */
@Injectable()
export class BundleExport {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * The contributions of a bundle as a stream of CSV in UTF-8. Gifts that are added during the export are left out.
   * The reading is recorded before anything is streamed.
   * @throws BundleNotFoundError before anything is streamed.
   */
  async csv(bundleId: number, by: Actor): Promise<Readable> {
    const [extent] = await this.transactions.query<Extent>(SELECT_EXTENT, [bundleId]);
    if (extent === undefined) throw new BundleNotFoundError(bundleId);
    const { last, contributions, people, peopleIds } = extent;
    const details = { contributions };
    const subject = `bundle ${bundleId}`;
    await this.audit.recordReading({ action: BUNDLE_ACTIONS.export, subject, peopleIds, people, details, by });
    // One stream, so that it is not closed before its last query has ended.
    return Readable.from(this.lines(bundleId, last), { objectMode: false });
  }

  private async *lines(bundleId: number, last: number): AsyncGenerator<string> {
    yield stringify([], CSV_OPTIONS);
    for (let after = 0; after < last;) {
      const rows = await this.transactions.query<ExportRow>(SELECT_ROWS, [bundleId, after, last]);
      for (let first = 0; first < rows.length; first += ROWS_PER_CHUNK)
        yield csvOf(rows.slice(first, first + ROWS_PER_CHUNK));
      const end = rows.at(-1);
      if (end === undefined) return;
      after = end.ContributionId;
    }
  }
}

/** The lines of some rows, without the heading. */
function csvOf(rows: readonly ExportRow[]): string {
  const amounts = rows.map((row) => ({
    ...row,
    Amount: displayAmount(row.Amount, row.Currency),
    Fee: row.Fee === null ? null : displayAmount(row.Fee, row.Currency),
  }));
  return stringify(amounts, { ...CSV_OPTIONS, bom: false, header: false });
}
