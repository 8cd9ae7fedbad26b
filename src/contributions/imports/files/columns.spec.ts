import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GRACE } from '../../../../test/support/grace-church.js';
import { type Columns, chooseColumns as chooseColumnsAt, fieldsOfRow, kindOfRow } from './columns.js';
import { describeColumns } from './describe-columns.js';
import { type Mapping, NO_MAPPING, readMapping } from './mapping.js';

const HEADER = ['First', 'Last', 'Email', 'Phone', 'Amount', 'Date', 'TransactionId'];

const chooseColumns = (header: readonly string[], given: Mapping, source: string | undefined): Columns =>
  chooseColumnsAt(header, given, source, GRACE);

function mapping(content: object): Mapping {
  return readMapping(Buffer.from(JSON.stringify(content)));
}

const anyCase = (name: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((upper) => Array.from(name, (c, i) => (upper[i] === true ? c.toUpperCase() : c.toLowerCase())).join(''));

describe('columns', () => {
  it('are recognized by their names in any order and letter case, also beside other columns', () => {
    const names = fc
      .tuple(...HEADER.map((field) => fc.tuple(anyCase(field), fc.constantFrom('', ' ', '\u{A0}'), fc.constant(field))))
      .chain((columns) =>
        fc.shuffledSubarray([...columns, ['Fee', '', undefined] as const, ['', '', undefined] as const], {
          minLength: columns.length + 2,
        }),
      );
    fc.assert(
      fc.property(names, (columns) => {
        const chosen = chooseColumns(
          columns.map(([name, space]) => `${space}${name}${space}`),
          NO_MAPPING,
          'S',
        );
        expect(chosen.fields).toEqual(columns.map(([, , field]) => field));
        const cells = columns.map(([, , field]) => `the ${field ?? 'rest'}`);
        const sent = Object.fromEntries(HEADER.map((field) => [field, `the ${field}`] as const));
        expect(fieldsOfRow(chosen, cells)).toEqual({ Source: 'S', ...sent });
      }),
    );
  });

  it('are read as the mapping says, which takes precedence over their names', () => {
    const header = ['Given name', 'Surname', 'E-mail', 'Phone', 'Net', 'Amount', 'Paid at', 'Id', 'PeopleId', 'Source'];
    const chosen = chooseColumns(
      header,
      mapping({
        'given NAME': 'first',
        Surname: 'Last',
        'E-mail': 'Email',
        Net: 'Amount',
        'Paid at': 'Date',
        Id: 'TransactionId',
        PeopleId: null,
        defaults: { FundId: 2, source: 'envelopes' },
      }),
      undefined,
    );
    const row = ['Ann', 'Lee', 'ann@example.org', '1', '9.70', '10', '2026-07-26', 'T1', '7', ' '];
    expect(fieldsOfRow(chosen, row)).toEqual({
      First: 'Ann',
      Last: 'Lee',
      Email: 'ann@example.org',
      Phone: '1',
      Amount: '9.70',
      Date: '2026-07-26',
      TransactionId: 'T1',
      FundId: 2,
      Source: 'envelopes',
    });
    expect(describeColumns(header, chosen)).toBe(
      'Reads "Given name" as First, "Surname" as Last, "E-mail" as Email, Phone, "Net" as Amount, "Paid at" as Date, ' +
        '"Id" as TransactionId, Source.\n' +
        'For blank fields: FundId "2", Source "envelopes".\nIgnores "Amount", "PeopleId".',
    );
  });

  it('need no id if there is a date, and --source takes precedence over the default of the mapping', () => {
    const header = HEADER.filter((name) => name !== 'TransactionId');
    expect(chooseColumns(header, mapping({ defaults: { Source: 'a' } }), 'b').defaults).toEqual({ Source: 'b' });
  });

  it.each<[string, string[], Mapping, string | undefined, RegExp]>([
    ['no header', ['Ann', 'Lee', 'ann@example.org'], NO_MAPPING, 'S', /First, Last, Email, Phone, Amount.*first line/],
    ['a missing one', HEADER.filter((name) => name !== 'Phone'), NO_MAPPING, 'S', /no column is Phone \(/],
    ['a required one that is ignored', HEADER, mapping({ phone: null }), 'S', /no column is Phone \(/],
    ['a duplicate one', [...HEADER, 'amount'], NO_MAPPING, 'S', /more than one column "amount"/],
    ['a duplicate one that is mapped', [...HEADER, 'A', 'a'], mapping({ a: 'Notes' }), 'S', /more than one column "a"/],
    ['a mapped one that does not exist', HEADER, mapping({ Gift: 'FundId' }), 'S', /not there: "Gift"/],
    ['no Source', HEADER, NO_MAPPING, undefined, /Source: use --source/],
    ['neither id nor date', HEADER.slice(0, 5), NO_MAPPING, 'S', /no column is TransactionId or Date/],
  ])('are refused: %s', (_what, header, given, source, message) => {
    expect(() => chooseColumns(header, given, source)).toThrow(message);
  });

  it('may be duplicates if they are not read', () => {
    expect(chooseColumns([...HEADER, 'Fee', 'fee', '', ''], NO_MAPPING, 'S').fields.slice(7)).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('of fund names are ignored, and the description says which fund gets the gifts', () => {
    const header = [...HEADER, 'Fund Name', 'Fundraiser'];
    const description = (given: Mapping): string => describeColumns(header, chooseColumns(header, given, 'S'));
    expect(description(NO_MAPPING)).toMatch(
      /\nAll gifts go to the default fund, whatever "Fund Name" says\. To read .* add "Fund Name": "FundName" to the mapping\.$/,
    );
    expect(description(mapping({ defaults: { FundId: 2 } }))).toMatch(
      /\nAll gifts go to fund 2, whatever "Fund Name" says\./,
    );
    expect(description(mapping({ 'Fund Name': 'FundId' }))).not.toContain('All gifts');
  });

  it('are printed without control characters', () => {
    const header = [...HEADER, '\u{1b}[2Jfee\u{9b}1m'];
    expect(describeColumns(header, chooseColumns(header, NO_MAPPING, 'S'))).toMatch(/Ignores "\?\[2Jfee\?1m"\.$/);
  });
});

describe('the cells of a row', () => {
  const file = (header: string, row: readonly string[], given: object): Record<string, unknown> =>
    fieldsOfRow(chooseColumns([...HEADER, ...header.split(',')], mapping(given), 'S'), [
      ...Array<string>(7).fill('x'),
      ...row,
    ]);

  it('are amounts with separators and currencies, and fees without a sign', () => {
    const given = { Gross: 'Amount', Amount: null, Fee: 'Fee', file: { amounts: '1.234,56' } };
    expect(file('Gross,Fee', ['1.234,56 $', '-0,30'], given)).toMatchObject({ Amount: '1234.56', Fee: '0.30' });
    expect(file('Gross,Fee', ['10,00 EUR', '0,30'], given)).toMatchObject({ Amount: '10.00', Currency: 'EUR' });
    // It is no amount in this notation, although AddContribution would accept it.
    expect(typeof file('Gross,Fee', ['10.50', ''], given)['Amount']).toBe('symbol');
  });

  it('are whole names, and dates with their time and zone in other columns', () => {
    const given = {
      ...{ First: null, Last: null, Date: null, Donor: { name: 'Last, First' } },
      ...{ Day: 'Date', Time: 'Time', Zone: 'TimeZone' },
    };
    const row = file('Donor,Day,Time,Zone', ['Lee, Ann', '1/31/2026', '11:30:00 PM', 'PST'], given);
    expect(row).toMatchObject({ First: 'Ann', Last: 'Lee', Date: '2026-01-31T23:30:00.000-08:00' });
    expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['Time']));
  });
});

describe('what a row is', () => {
  const kind = (status: string, type: string, given: object): string =>
    kindOfRow(chooseColumns([...HEADER, 'Status', 'Type', 'Of'], mapping(given), 'S'), [
      ...Array<string>(7).fill('x'),
      status,
      type,
      '',
    ]);
  const GIVEN = {
    only: { Status: ['Paid'], Type: ['Gift', ''] },
    refunds: { Type: ['Refund'] },
  };

  it.each([
    ['Paid', 'Gift', 'gift'],
    [' paid ', '', 'gift'],
    ['Failed', 'Gift', 'left out'],
    ['Paid', 'Fee', 'left out'],
    ['Paid', 'Refund', 'refund'],
    ['Failed', 'Refund', 'left out'],
  ])('depends on all conditions: %j, %j is a %s', (status, type, expected) => {
    expect(kind(status, type, GIVEN)).toBe(expected);
  });

  it('is a refund by its status, whatever statuses are recorded', () => {
    const given = { Type: null, only: { Status: ['Paid'] }, refunds: { Status: ['Refunded'] } };
    expect(kind('Refunded', '', given)).toBe('refund');
  });

  it('is a refund by the gift that it names, if the mapping has no other rule', () => {
    const columns = chooseColumns([...HEADER, 'Of'], mapping({ Of: 'RefundOf' }), 'S');
    expect(kindOfRow(columns, [...Array<string>(7).fill('x'), 'T1'])).toBe('refund');
    expect(kindOfRow(columns, [...Array<string>(7).fill('x'), ''])).toBe('gift');
  });

  it('is decided for a column by the values to record', () => {
    expect(() => chooseColumns([...HEADER, 'Status'], mapping({ only: { Status: ['Paid'] } }), 'S')).not.toThrow();
    expect(() => chooseColumns(HEADER, mapping({ only: { Status: ['Paid'] } }), 'S')).toThrow(/not there: "Status"/);
  });
});

describe('contacts', () => {
  const WITHOUT_PHONE = HEADER.filter((name) => name !== 'Phone');
  it('may be missing if the mapping says so, but not both', () => {
    const given = mapping({ defaults: { Phone: null } });
    expect([...chooseColumns(WITHOUT_PHONE, given, 'S').mayLack]).toEqual(['Phone']);
    expect(() =>
      chooseColumns(
        WITHOUT_PHONE.filter((name) => name !== 'Email'),
        given,
        'S',
      ),
    ).toThrow(/no column is Email, Phone/);
  });
});

describe('a mapping', () => {
  it.each<[string, string, RegExp]>([
    ['invalid JSON', '{', /^The mapping is not valid JSON/],
    ['an array instead of an object', '["First"]', /^The mapping must be a JSON object/],
    [
      'an unknown field',
      '{"a": "Fund"}',
      /"a" must be the name of a field.* Fields are First, Last, .*TransactionId, Method, CheckNumber, Fee, PayoutId, FundName, RefundId, RefundOf, RefundedAmount, DisputedAmount, Time, TimeZone\.$/,
    ],
    ['a number instead of a name', '{"a": 1}', /"a" must be the name of a field/],
    ['a field twice', '{"a": "Notes", "b": "notes"}', /"a" and "b" are both Notes/],
    ['a column twice', '{"a": "Notes", "A ": "Zip"}', /the column "A " twice/],
    ['a column twice in JSON', '{"a": "Notes", "a": "Zip"}', /one field twice/],
    ['a default twice in JSON', '{"defaults": {"FundId": 1, "FundId": 2}}', /one field twice/],
    ['an unknown default', '{"defaults": {"Fund": 1}}', /the default "Fund"/],
    ['a default transaction id', '{"defaults": {"TransactionId": "1"}}', /TransactionId differs for each gift/],
    [
      'a default that is neither text nor number',
      '{"defaults": {"Notes": ["x"]}}',
      /the default of Notes must be text/,
    ],
    ['an unknown key of "file"', '{"file": {"date": "D/M/Y"}}', /"file" has an unknown key "date"/],
    ['another order of dates', '{"file": {"dates": "Y/M/D"}}', /"dates" of "file" must be M\/D\/Y or D\/M\/Y/],
    ['an unknown time zone', '{"file": {"timeZone": "Mars/Base"}}', /"timeZone" of "file" must be an IANA name/],
    [
      'built-in properties of JavaScript objects',
      '{"a": "constructor", "defaults": {"__proto__": 1}}',
      /"a" must .*"__proto__"/,
    ],
  ])('is refused: %s', (_what, content, message) => {
    expect(() => readMapping(Buffer.from(content))).toThrow(message);
  });

  it.each<[string, string, RegExp]>([
    [
      'a whole name in another order',
      '{"a": {"name": "Last First"}}',
      /"a" must be .*\{"name": "Last, First" or "First Last"\}/,
    ],
    [
      'two columns for the whole name',
      '{"a": {"name": "First Last"}, "b": {"name": "First Last"}}',
      /"a" and "b" are both/,
    ],
    ['a condition that is no list', '{"only": {"Status": "Paid"}}', /"Status" of "only" must be a list of texts/],
    ['a default for a field of one row', '{"defaults": {"RefundOf": "1"}}', /RefundOf differs for each gift/],
    ['a missing amount', '{"defaults": {"Amount": null}}', /the default of Amount must be text/],
    ['an unknown encoding', '{"file": {"encoding": "ebcdic"}}', /"encoding" of "file" must be an encoding such as/],
    ['an unknown separator', '{"file": {"separator": ":"}}', /"separator" of "file" must be one of/],
    ['a negative number of lines', '{"file": {"skipLines": -1}}', /"skipLines" of "file" must be a whole number/],
    ['an unknown notation of amounts', '{"file": {"amounts": "1 234"}}', /"amounts" of "file" must be "1,234.56" or/],
    ['two time zones', '{"file": {"zone": "UTC", "timeZone": "UTC"}}', /"zone" and "timeZone" .* are the same/],
  ])('is refused: %s', (_what, content, message) => {
    expect(() => readMapping(Buffer.from(content))).toThrow(message);
  });

  it('has short names for the order of dates and the time zone', () => {
    expect(mapping({ file: { dates: 'D.M.Y', zone: 'UTC' } }).file).toEqual({ dates: 'D/M/Y', timeZone: 'UTC' });
    expect(mapping({ file: { dates: 'Y-M-D' } }).file).toEqual({ dates: 'Y-M-D' });
  });

  it('can define the format of dates in the file', () => {
    expect(mapping({ file: { dates: 'D/M/Y', timeZone: 'UTC' } }).file).toEqual({ dates: 'D/M/Y', timeZone: 'UTC' });
  });

  it('may name a column "defaults" or "file"', () => {
    expect(mapping({ file: 'Notes' }).columns.get('file')).toEqual({ name: 'file', field: 'Notes' });
    expect(mapping({ defaults: 'Notes' }).columns.get('defaults')).toEqual({ name: 'defaults', field: 'Notes' });
  });
});
