import { Readable } from 'node:stream';
import type { Options } from 'csv-stringify';
import { stringify } from 'csv-stringify/sync';
import { guardFormulas, SPREADSHEET_CSV } from '../../../values/index.js';
import type { FoundGift } from '../searching/found-gift-view.js';

/** Rows in one piece of the stream, so that callers who read slowly make progress. */
const ROWS_PER_CHUNK = 100;

const AMOUNTS = ['Amount', 'Left'];

/** UTF-8 with a byte order mark. Amounts are not guarded against formulas, because they contain no text from callers. */
const CSV_OPTIONS: Options = {
  ...SPREADSHEET_CSV,
  cast: {
    string: (value, { column }) => (AMOUNTS.includes(String(column)) ? value : guardFormulas(value)),
  },
  columns: [
    ...[
      'ContributionId',
      'PaymentId',
      'Day',
      'PeopleId',
      'First',
      'Last',
      'FundId',
      'Fund',
      'Amount',
      'Left',
      'Currency',
    ],
    ...['Method', 'CheckNumber', 'Source', 'TransactionId', 'Processor', 'Status', 'BundleId', 'Type'],
  ],
};

/** Gifts as a stream of CSV for a spreadsheet. */
export function giftFile(gifts: readonly FoundGift[]): Readable {
  return Readable.from(lines(gifts), { objectMode: false });
}

function* lines(gifts: readonly FoundGift[]): Generator<string> {
  yield stringify([], { ...CSV_OPTIONS, bom: true, header: true });
  for (let first = 0; first < gifts.length; first += ROWS_PER_CHUNK) {
    yield stringify(gifts.slice(first, first + ROWS_PER_CHUNK).map(rowOf), CSV_OPTIONS);
  }
}

function rowOf(gift: FoundGift): object {
  return {
    ContributionId: gift.contributionId,
    PaymentId: gift.paymentId,
    Day: gift.day,
    PeopleId: gift.giver.peopleId,
    First: gift.giver.first,
    Last: gift.giver.last,
    FundId: gift.fundId,
    Fund: gift.fund,
    Amount: gift.amount,
    Left: gift.left,
    Currency: gift.currency,
    Method: gift.method,
    CheckNumber: gift.checkNumber,
    Source: gift.source,
    TransactionId: gift.transactionId,
    Processor: gift.processor,
    Status: gift.status,
    BundleId: gift.bundleId,
    Type: gift.contributionType,
  };
}
