import { describe, expect, it } from '@jest/globals';
import { Church } from '../../../config/index.js';
import { chooseColumns } from './columns.js';
import { ImportError } from '../import-error.js';
import { type Mapping, NO_MAPPING, readMapping } from './mapping.js';

const HEADER = ['First', 'Last', 'Email', 'Phone', 'Amount', 'Date', 'TransactionId'];

const GRACE = new Church('Grace', 'America/Chicago', 'US', 'USD', 2, 'M/D/Y');

function mapping(content: object): Mapping {
  return readMapping(Buffer.from(JSON.stringify(content)));
}

/** The error of the import for a file with these extra columns; undefined if it reads the file. */
function refusal(columns: readonly string[], given: Mapping = NO_MAPPING, church = GRACE): string | undefined {
  try {
    chooseColumns([...HEADER, ...columns], given, 'S', church);
    return undefined;
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
}

/** The lines for the mapping that the error contains, in its order. */
function linesFor(columns: readonly string[], given: Mapping = NO_MAPPING, church = GRACE): string[] {
  return (refusal(columns, given, church) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('      '))
    .map((line) => line.trim());
}

describe('a column that can change what a row means', () => {
  it.each([
    'Status',
    'status',
    'STATUS.',
    ' "Status" ',
    'Payment Status',
    'payment_status',
    'paymentStatus',
    'PAYMENTSTATUS',
    'Transaction-Status',
    'Refunded',
    'Is Refunded?',
    'Refund Amount',
    'Amount Refunded',
    'Refunded date (UTC)',
    'Chargeback',
    'Charged Back',
    'Disputed Amount',
    'Failed',
    'Failure Reason',
    'Declined',
    'Decline Code',
    'Voided',
    'Cancelled at',
    'Canceled',
    'Reversed',
    'Returned On',
    'Return Reason',
    'NSF',
    'Pending',
    'Test Mode',
    'livemode',
    'Captured',
    'Paid',
    'Response Code',
    'Payment Result',
    'State',
    'Payment State',
    'Type',
    'Transaction Type',
    'record_type',
    'Balance Impact',
    'Reporting Category',
    'Payment Category',
    'Kind',
    'Transaction Kind',
    'Rejected',
    'Rejection Reason',
    'Expired',
    'Charge Outcome',
    'Outcome Type',
    'Approval',
    'Approved?',
    'On Hold',
    'Held',
    'Mode',
    'API Mode',
    'Environment',
    'Sandbox',
    'Is Sandbox',
    'Direction',
    'Cash Flow',
    'Was Successful',
    'Successful',
    'Uncaptured',
    'Unsuccessful',
    'Unpaid',
    'Not Paid',
    'Not Yet Paid',
    'payment_not_completed',
    'Has Been Approved',
  ])('stops the import, and the printed line resolves it: %s', (name) => {
    const lines = linesFor([name]);
    expect(lines).toEqual([`${JSON.stringify(name.trim())}: null`]);
    expect(refusal([name])).toMatch(/^Nothing was recorded\./);
    expect(refusal([name], mapping(JSON.parse(`{${lines[0] ?? ''}}`) as object))).toBeUndefined();
  });

  it.each([
    'Fee',
    'Net',
    'Fund',
    'Payment Method',
    'Card Type',
    'Last 4',
    'Marital Status',
    'Membership status',
    'Statement',
    'Estate',
    'Testimony',
    'Country',
    'Donor ID',
    'Person Id',
    'Latest visit',
    'Outcome letter sent to',
    'Category',
    'Gift Category',
    'Campaign',
    'Notes',
    'Description',
    'Fund Name',
    'Model',
    'Payment Mode',
    'Mode of Contact',
    'Approval Code',
    'Approved By',
    'Expiration Date',
    'Card Expiry',
    'Household',
    'Cardholder Name',
    'Account Holder',
    'Person Holder',
    'Threshold',
    'Directions',
    'Project',
    'Mankind Fund',
    'Prepaid Card',
    'Upheld by',
    'Cashflow Notes',
  ])('is not one of these, which are ignored: %s', (name) => {
    expect(refusal([name])).toBeUndefined();
  });

  it('may be read as a field if the mapping says so', () => {
    expect(refusal(['Status'], mapping({ status: 'Notes' }))).toBeUndefined();
  });

  it('is not the state of an address', () => {
    expect(refusal(['City', 'State'])).toBeUndefined();
    expect(refusal(['State'])).toContain('"State": null');
  });

  it.each(['PeopleId', 'FundId', 'BundleTypeId', 'ContributionTypeId'])(
    'is a %s, which is read only if the mapping says so',
    (field) => {
      for (const name of [field, field.toUpperCase(), field.replace(/Id$/, '_id'), `"${field}".`]) {
        const column = JSON.stringify(name);
        expect(linesFor([name])).toEqual([`${column}: "${field}"`, `${column}: null`]);
        expect(refusal([name], mapping({ [name]: null }))).toBeUndefined();
        expect(chooseColumns([...HEADER, name], mapping({ [name]: field }), 'S', GRACE).fields.at(-1)).toBe(field);
      }
    },
  );

  it('needs no decision if another column is mapped to the field', () => {
    expect(refusal(['Gift for', 'FundId'], mapping({ 'Gift for': 'FundId' }))).toBeUndefined();
  });

  it.each(['Currency', 'currency_code', 'Settlement Currency', 'CCY', 'Ccy Code', 'Settlement Ccy', 'settlement_ccy'])(
    'is a currency: %s',
    (name) => {
      expect(linesFor([name])).toEqual([`"${name}": "Currency"`, `"${name}": null`]);
      expect(chooseColumns([...HEADER, name], mapping({ [name]: 'Currency' }), 'S', GRACE).fields.at(-1)).toBe(
        'Currency',
      );
      expect(refusal([name], mapping({ [name]: null }))).toBeUndefined();
    },
  );

  it('is a gross amount beside a column Amount, unless the mapping says which is the gift', () => {
    expect(linesFor(['Gross'])).toEqual(['"Gross": "Amount", "Amount": null', '"Gross": null']);
    expect(refusal(['Gross'], mapping({ Gross: 'Amount', Amount: null }))).toBeUndefined();
    expect(refusal(['Gross'], mapping({ Amount: 'Amount' }))).toBeUndefined();
  });

  it('is printed without control characters', () => {
    expect(linesFor(['\u{1b}[2JStatus\u{9b}1m'])).toEqual(['"\\u001b[2JStatus\\u009b1m": null']);
  });

  it('is reported together with all others and with missing columns', () => {
    const faults = (): unknown => chooseColumns(['First', 'Status', 'Refunded', 'Currency'], NO_MAPPING, 'S', GRACE);
    expect(faults).toThrow(/no column is Last[^]*"Status": null[^]*"Refunded": null[^]*"Currency": null/);
  });
});

describe('a time zone in the name of a column', () => {
  const named = (name: string, file?: object): Mapping =>
    mapping({ Date: null, [name]: 'Date', ...(file !== undefined && { file }) });

  it.each([
    ['Created (UTC)', 'UTC'],
    ['created_at_utc', 'UTC'],
    ['createdAtUTC', 'UTC'],
    ['CREATED AT UTC.', 'UTC'],
    ['"Date [GMT]"', 'UTC'],
    ['Paid (EST)', 'America/New_York'],
    ['Date/Time PST', 'America/Los_Angeles'],
    ['Received (Central Time)', 'America/Chicago'],
    ['Date (Europe/London)', 'Europe/London'],
    ['Date (America/Port-au-Prince)', 'America/Port-au-Prince'],
  ])('stops an import that would read it as church time: %s', (name, zone) => {
    const church = '"file": {"timeZone":"America/Chicago"}';
    expect(linesFor([name], named(name))).toEqual([...new Set([`"file": {"timeZone":"${zone}"}`, church])]);
    expect(refusal([name], named(name, { timeZone: zone }))).toBeUndefined();
    expect(refusal([name], named(name, { timeZone: 'America/Chicago' }))).toBeUndefined();
    expect(linesFor([name])).toEqual([`${JSON.stringify(name)}: null`]);
  });

  it('keeps the settings of the file in the mapping', () => {
    const [line] = linesFor(['Paid (UTC)'], named('Paid (UTC)', { dates: 'D/M/Y' }));
    expect(line).toBe('"file": {"dates":"D/M/Y","timeZone":"UTC"}');
  });

  it('also offers the time zone of the church, which an earlier import may have used', () => {
    const message = refusal(['Paid (UTC)'], named('Paid (UTC)'));
    expect(message).toContain('imported these rows before without a zone');
    expect(message).toMatch(/such as \{"file": \{"timeZone":"UTC"\}\}\.$/);
    expect(refusal(['Paid (CST)'], named('Paid (CST)'))).not.toContain('imported these rows before');
  });

  it('is offered as the date if the file has no other', () => {
    const header = [...HEADER.filter((name) => name !== 'Date'), 'Created (UTC)'];
    expect(() => chooseColumns(header, NO_MAPPING, 'S', GRACE)).toThrow(
      '"Created (UTC)": "Date", "file": {"timeZone":"UTC"}\n      "Created (UTC)": null\n',
    );
  });

  it('may be in a separate column', () => {
    expect(linesFor(['TimeZone'])).toEqual(['"file": {"timeZone":"America/Chicago"}', '"TimeZone": null']);
    expect(refusal(['Time zone'], mapping({ file: { timeZone: 'UTC' } }))).toBeUndefined();
  });

  it.each(['Date', 'Received on', 'Est. value', 'Paid at', 'Dates attended'])('is not found in %s', (name) => {
    expect(refusal([name].filter((each) => each !== 'Date'))).toBeUndefined();
  });
});

describe('an order of dates in the name of a column', () => {
  const named = (name: string, file?: object): Mapping =>
    mapping({ Date: null, [name]: 'Date', ...(file !== undefined && { file }) });
  const church = (slashDates: 'M/D/Y' | 'D/M/Y' | undefined): Church =>
    new Church('Grace', 'Europe/London', 'GB', 'GBP', 2, slashDates);

  it.each([
    ['Date (MM/DD/YYYY)', 'M/D/Y'],
    ['Date (DD/MM/YYYY)', 'D/M/Y'],
    ['Paid [D/M/Y]', 'D/M/Y'],
    ['Date (Month/Day)', 'M/D/Y'],
    ['date dd/mm/yy', 'D/M/Y'],
    ['Day/Month/Year', 'D/M/Y'],
  ] as const)('stops an import without an order or with another order: %s', (name, order) => {
    const other = order === 'M/D/Y' ? 'D/M/Y' : 'M/D/Y';
    const line = `"file": {"dates":"${order}"}`;
    expect(linesFor([name], named(name), church(undefined))).toEqual([line]);
    expect(linesFor([name], named(name), church(other))).toEqual([line]);
    expect(refusal([name], named(name), church(order))).toBeUndefined();
    expect(refusal([name], named(name, { dates: order }), church(other))).toBeUndefined();
    expect(refusal([name], named(name, { dates: other }), church(other))).toBeUndefined();
  });

  it('is reported together with a time zone in one line', () => {
    const name = 'Date (DD/MM/YYYY) UTC';
    expect(linesFor([name], named(name))).toEqual([
      '"file": {"dates":"D/M/Y","timeZone":"UTC"}',
      '"file": {"dates":"D/M/Y","timeZone":"America/Chicago"}',
    ]);
  });

  it.each(['Paid (MM/DD/YYYY)', 'Birthday (D/M)', 'Type of Payment/Deposit'])(
    'is not read as a time zone: %s',
    (name) => {
      expect(refusal([name])).toBeUndefined();
    },
  );

  it.each(['Date (Admin/Donor)', 'Date (Europe/Nowhere)', 'Sunday/Monday'])('is not found in %s', (name) => {
    expect(refusal([name], named(name), church(undefined))).toBeUndefined();
  });
});

describe('a currency in the name of the amount', () => {
  const named = (name: string, more: object = {}): Mapping => mapping({ Amount: null, [name]: 'Amount', ...more });
  const european = new Church('Grace', 'Europe/Berlin', 'DE', 'EUR', 2, undefined);

  it.each([
    'Amount (CAD)',
    'Amount [cad]',
    'Amount CAD',
    'amount_cad',
    'amountCAD',
    'CAD Amount',
    'Gift in CAD.',
    'Amount (C$)',
    'Amount (CA$)',
    'Amount (€)',
    'Betrag in Euro',
    'Amount £',
    'Amount (ALL)',
  ])('stops the import if it is not that of the church: %s', (name) => {
    expect(linesFor([name], named(name))).toEqual(['"defaults": {"Currency":"USD"}']);
    expect(refusal([name], named(name))).toContain('this church takes USD');
    expect(refusal([name], named(name, { defaults: { Currency: 'USD' } }))).toBeUndefined();
    expect(refusal([name, 'Currency'], named(name, { Currency: 'Currency' }))).toBeUndefined();
  });

  it('stops the import for a dollar sign if the church takes euros', () => {
    expect(linesFor(['Amount ($)'], named('Amount ($)'), european)).toEqual(['"defaults": {"Currency":"EUR"}']);
  });

  it('keeps the defaults that the mapping has', () => {
    const defaults = { FundId: 2 };
    expect(linesFor(['CAD'], named('CAD', { defaults }))).toEqual(['"defaults": {"FundId":2,"Currency":"USD"}']);
  });

  it.each(['Amount (EUR)', 'amount_eur', 'Amount (€)', 'Euros'])(
    'is accepted if it is that of the church: %s',
    (name) => {
      expect(refusal([name], named(name), european)).toBeUndefined();
    },
  );

  it.each([
    'Total',
    'Amount of all gifts',
    'Top amount',
    'Amount ($)',
    'Amount (gross)',
    'Std Amount',
    'Pledge Amount',
  ])('is not found in %s', (name) => {
    expect(refusal([name], named(name))).toBeUndefined();
  });
});
