import { describe, expect, it } from '@jest/globals';
import { chooseColumns } from './columns.js';
import { ImportError } from './import-error.js';
import { type Mapping, NO_MAPPING, readMapping } from './mapping.js';

const HEADER = ['First', 'Last', 'Email', 'Phone', 'Amount', 'Date', 'TransactionId'];

function mapping(content: object): Mapping {
  return readMapping(Buffer.from(JSON.stringify(content)));
}

/** What the import says of a file with these columns beside the usual ones; undefined where it reads the file. */
function refusal(columns: readonly string[], given: Mapping = NO_MAPPING): string | undefined {
  try {
    chooseColumns([...HEADER, ...columns], given, 'S');
    return undefined;
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
}

/** The lines that it prints for the mapping, in the order of the message. */
function linesFor(columns: readonly string[], given: Mapping = NO_MAPPING): string[] {
  return (refusal(columns, given) ?? '')
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
  ])('stops the import, and the printed line lets it go on: %s', (name) => {
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
  ])('is none of these, which are left out: %s', (name) => {
    expect(refusal([name])).toBeUndefined();
  });

  it('may be read as a field instead, since the mapping says so', () => {
    expect(refusal(['Status'], mapping({ status: 'Notes' }))).toBeUndefined();
  });

  it('is not the state of an address', () => {
    expect(refusal(['City', 'State'])).toBeUndefined();
    expect(refusal(['State'])).toContain('"State": null');
  });

  it.each(['PeopleId', 'FundId', 'BundleTypeId', 'ContributionTypeId'])('is a %s, read only on demand', (field) => {
    for (const name of [field, field.toUpperCase(), field.replace(/Id$/, '_id'), `"${field}".`]) {
      const column = JSON.stringify(name);
      expect(linesFor([name])).toEqual([`${column}: "${field}"`, `${column}: null`]);
      expect(refusal([name], mapping({ [name]: null }))).toBeUndefined();
      expect(chooseColumns([...HEADER, name], mapping({ [name]: field }), 'S').fields.at(-1)).toBe(field);
    }
  });

  it('is not left open where another column is the field', () => {
    expect(refusal(['Gift for', 'FundId'], mapping({ 'Gift for': 'FundId' }))).toBeUndefined();
  });

  it.each(['Currency', 'currency_code', 'Settlement Currency', 'CCY'])('is a currency: %s', (name) => {
    expect(linesFor([name])).toEqual([`"${name}": "Currency"`, `"${name}": null`]);
    expect(chooseColumns([...HEADER, name], mapping({ [name]: 'Currency' }), 'S').fields.at(-1)).toBe('Currency');
    expect(refusal([name], mapping({ [name]: null }))).toBeUndefined();
  });

  it('is a gross amount beside one that is called Amount, unless the mapping says which is the gift', () => {
    expect(linesFor(['Gross'])).toEqual(['"Gross": "Amount", "Amount": null', '"Gross": null']);
    expect(refusal(['Gross'], mapping({ Gross: 'Amount', Amount: null }))).toBeUndefined();
    expect(refusal(['Gross'], mapping({ Amount: 'Amount' }))).toBeUndefined();
  });

  it('cannot make a terminal do anything', () => {
    expect(linesFor(['\u{1b}[2JStatus\u{9b}1m'])).toEqual(['"\\u001b[2JStatus\\u009b1m": null']);
  });

  it('is told together with all others, and with what is missing', () => {
    const faults = (): unknown => chooseColumns(['First', 'Status', 'Refunded', 'Currency'], NO_MAPPING, 'S');
    expect(faults).toThrow(/none for Last[^]*"Status": null[^]*"Refunded": null[^]*"Currency": null/);
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
  ])('stops an import that would read it as church time: %s', (name, zone) => {
    expect(linesFor([name], named(name))).toEqual([`"file": {"timeZone":"${zone}"}`]);
    expect(refusal([name], named(name, { timeZone: zone }))).toBeUndefined();
    expect(refusal([name], named(name, { timeZone: 'America/Chicago' }))).toBeUndefined();
    expect(linesFor([name])).toEqual([`${JSON.stringify(name)}: null`]);
  });

  it('keeps what the mapping says of the file already', () => {
    const [line] = linesFor(['Paid (UTC)'], named('Paid (UTC)', { dates: 'D/M/Y' }));
    expect(line).toBe('"file": {"dates":"D/M/Y","timeZone":"UTC"}');
  });

  it('is offered as the date where the file has no other', () => {
    const header = [...HEADER.filter((name) => name !== 'Date'), 'Created (UTC)'];
    expect(() => chooseColumns(header, NO_MAPPING, 'S')).toThrow(
      '"Created (UTC)": "Date", "file": {"timeZone":"UTC"}\n      "Created (UTC)": null\n',
    );
  });

  it('may be a column of its own', () => {
    expect(linesFor(['TimeZone'])).toEqual(['"file": {"timeZone":"America/Chicago"}', '"TimeZone": null']);
    expect(refusal(['Time zone'], mapping({ file: { timeZone: 'UTC' } }))).toBeUndefined();
  });

  it.each(['Date', 'Received on', 'Est. value', 'Paid at', 'Dates attended'])('is not found in %s', (name) => {
    expect(refusal([name].filter((each) => each !== 'Date'))).toBeUndefined();
  });
});
