import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
import {
  type Added,
  addedGift,
  invalidGift,
  type Problem,
  recordedGift,
  refusal,
  sendGift,
  type View,
  wire,
} from './gift-requests.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);
const recorded = (fields: object): Promise<View> => recordedGift(service, fields);
const invalid = (fields: object, ...names: string[]): Promise<Problem> => invalidGift(service, fields, ...names);
const refused = (fields: object, status: number, code: string): Promise<Problem> =>
  refusal(service, () => sendGift(service, fields), status, code);

const decimals = (count: number): object => wire(`10.5${'0'.repeat(count)}`);

describe('Amount', () => {
  it.each([
    ['10', '10.00'],
    [10, '10.00'],
    ['10.5', '10.50'],
    [10.5, '10.50'],
    [wire('10.50'), '10.50'],
    [decimals(40), '10.50'],
    [wire('1.0'), '1.00'],
    [wire('1.1e1'), '11.00'],
    ['0.01', '0.01'],
    [0.01, '0.01'],
    [0.07, '0.07'],
    [1.1, '1.10'],
    ['999999999.99', '999999999.99'],
    [999999999.99, '999999999.99'],
    ['000000000012.30', '12.30'],
    [' \u{A0}10.00\u{3000}\u{FEFF}', '10.00'],
  ])('reads %j as %s', async (sent, amount) => {
    expect(await recorded({ Amount: sent })).toMatchObject({ amount, currency: 'USD' });
  });

  it.each([
    ...[
      '1,000.00',
      '1.000,00',
      '$5',
      '5 USD',
      '\u{20AC}5',
      '+5',
      '1e3',
      '0x10',
      '1.234',
      '1 000',
      '1_000',
      '5.',
      '.5',
      '1.2.3',
    ],
    ...[1.005, 10.001, 0.001, 1e-7, 0.1 + 0.2, wire('0.000000000000000000001'), 0, '0', '0.00', '000', wire('-0')],
    ...[
      true,
      false,
      'true',
      'NaN',
      'Infinity',
      'ten',
      [],
      ['10'],
      [10],
      {},
      '\u{FF11}\u{FF10}',
      '\u{663}',
      '1\u{0}0',
      '1\n0',
    ],
    ...[
      1e9,
      '1000000000',
      '1000000000.00',
      '999999999.991',
      999999999.991,
      wire('1e21'),
      wire('1e400'),
      '9'.repeat(5000),
    ],
  ])('refuses %j', async (value) => {
    await invalid({ Amount: value }, 'Amount');
  });

  it.each(['-5', -5, '-0.01', -0.01, ' -25.00', wire('-1e9')])(
    'refuses %j and points to ReverseContribution',
    async (value) => {
      const problem = await invalid({ Amount: value }, 'Amount');
      expect(problem.errors?.[0]?.message).toContain('ReverseContribution');
    },
  );
});

const MALFORMED_IDS = [
  ...[
    '0x1',
    ' 1 ',
    '1 ',
    '007',
    '00',
    '-1',
    '+1',
    '1.0',
    '1.5',
    '1e1',
    '1,000',
    'abc',
    '\u{FF11}',
    '2147483648',
    '9'.repeat(40),
  ],
  ...[-1, 1.5, 2147483648, 4294967297, wire('9007199254740993'), wire('1e30'), wire('1e400'), true, false, [], [1], {}],
];

describe.each([
  ['FundId', 'fundId', 1, 1, 'fund_not_found'],
  ['BundleTypeId', 'bundleTypeId', 20, 4, 'bundle_type_not_found'],
  ['ContributionTypeId', 'contributionTypeId', 9, 1, 'contribution_type_not_allowed'],
])('%s', (name, property, known, byDefault, code) => {
  it.each([undefined, null, 0, '0', '', ' ', '\u{200B}', wire('0.0'), wire('-0')])(
    'counts %j as not sent',
    async (value) => {
      expect((await recorded({ [name]: value }))[property]).toBe(byDefault);
    },
  );

  it.each([known, String(known), wire(`${known}.0`), wire(`${known}0e-1`)])('takes %j', async (value) => {
    expect((await recorded({ [name]: value }))[property]).toBe(known);
  });

  it.each(MALFORMED_IDS)('refuses %j with 400', async (value) => {
    await invalid({ [name]: value }, name);
  });

  it.each([12, '12', wire('12.0'), 32768, 2147483647, '2147483647'])(
    'refuses the unknown %j with 422',
    async (value) => {
      await refused({ [name]: value }, 422, code);
    },
  );
});

describe('PeopleId', () => {
  it.each([null, 0, '0', '', ' ', wire('-0')])('counts %j as not sent', async (value) => {
    expect(await added({ PeopleId: value })).toMatchObject({ NewPerson: true });
  });

  it('takes a known person as number and as text', async () => {
    const { PeopleId } = await added({});
    for (const value of [PeopleId, String(PeopleId), wire(`${PeopleId}.0`)]) {
      expect(await added({ PeopleId: value })).toMatchObject({ PeopleId, NewPerson: false });
    }
  });

  it.each(MALFORMED_IDS)('refuses %j with 400', async (value) => {
    await invalid({ PeopleId: value }, 'PeopleId');
  });

  it.each([2000000001, '2000000001', 2147483647])('refuses the unknown %j with 422', async (value) => {
    await refused({ PeopleId: value }, 422, 'person_not_found');
  });

  it('does not fall back to a person whose details match', async () => {
    const known = gift('fallback');
    await added(known);
    await refused({ ...known, PeopleId: 2000000001 }, 422, 'person_not_found');
  });
});

describe('types and funds', () => {
  it.each([1, 5, 8, 9, 10, 20])('takes contribution type %i', async (ContributionTypeId) => {
    expect((await recorded({ ContributionTypeId }))['contributionTypeId']).toBe(ContributionTypeId);
  });

  it.each([7, '7', 2, 999])('refuses contribution type %j, which callers may not use', async (ContributionTypeId) => {
    await refused({ ContributionTypeId }, 422, 'contribution_type_not_allowed');
  });

  it.each([1, 2, 3, 4, 5, 6, 20, 30, 32])('takes bundle type %i', async (BundleTypeId) => {
    expect((await recorded({ BundleTypeId }))['bundleTypeId']).toBe(BundleTypeId);
  });

  it('records a gift without a fund in the current default fund', async () => {
    const makeDefault = (id: number | undefined): Promise<unknown> =>
      service.database.query('UPDATE fund SET is_default = (id IS NOT DISTINCT FROM $1) WHERE is_default OR id = $1', [
        id,
      ]);
    const insert = `INSERT INTO fund (name) VALUES ('Missions') RETURNING id`;
    const [fund] = await service.database.query<{ id: number }>(insert);
    await makeDefault(undefined);
    await makeDefault(fund?.id);
    for (const FundId of [undefined, 0, '']) expect((await recorded({ FundId }))['fundId']).toBe(fund?.id);
    expect((await recorded({ FundId: 1 }))['fundId']).toBe(1);
    await makeDefault(undefined);
    await makeDefault(1);
  });

  it('takes a gift for a closed fund', async () => {
    const [fund] = await service.database.query<{ id: number }>(
      `INSERT INTO fund (name, is_open) VALUES ('Old roof', false) RETURNING id`,
    );
    expect((await recorded({ FundId: fund?.id }))['fundId']).toBe(fund?.id);
  });
});

describe('IgnoreUnknownPerson', () => {
  it.each([true, 'true', 'TRUE', 'True', ' tRUE\u{A0}'])(
    'set to %j refuses a gift from an unknown person',
    async (value) => {
      await refused({ IgnoreUnknownPerson: value }, 422, 'unknown_person');
    },
  );

  it.each([false, 'false', 'FALSE', ' False ', null, '', '\u{200B}'])(
    'set to %j allows a new person to be created',
    async (value) => {
      expect(await added({ IgnoreUnknownPerson: value })).toMatchObject({ NewPerson: true });
    },
  );

  it('accepts a gift from a known person', async () => {
    const known = gift('known');
    const { PeopleId } = await added(known);
    const again = await added({ ...known, IgnoreUnknownPerson: true });
    expect(again).toMatchObject({ PeopleId, NewPerson: false });
  });

  it('has no effect when PeopleId is sent', async () => {
    const { PeopleId } = await added({});
    expect(await added({ PeopleId, IgnoreUnknownPerson: true })).toMatchObject({ PeopleId, NewPerson: false });
    await refused({ PeopleId: 2000000001, IgnoreUnknownPerson: true }, 422, 'person_not_found');
    await refused({ PeopleId: 2000000001, IgnoreUnknownPerson: false }, 422, 'person_not_found');
  });

  it.each([1, 0, '1', '0', 'yes', 'no', 't', 'on', 'true!', 'tru\u{200B}e', [], [true], {}])(
    'refuses %j',
    async (value) => {
      await invalid({ IgnoreUnknownPerson: value }, 'IgnoreUnknownPerson');
    },
  );
});

describe('Amount in a currency without minor units', () => {
  let yen: TestApp;

  beforeAll(async () => {
    yen = await startTestApp({ CHURCH_CURRENCY: 'JPY' });
  });
  afterAll(() => yen.stop());

  it.each(['1000', 1000, wire('1000.0')])('takes %j', async (Amount) => {
    const { ContributionId } = await addedGift(yen, { Amount });
    const stored = await yen.database.query('SELECT amount, currency FROM contribution WHERE id = $1', [
      ContributionId,
    ]);
    expect(stored).toEqual([{ amount: '1000.00', currency: 'JPY' }]);
  });

  it.each(['1000.00', '1000.5', 1000.5, '1000.'])('refuses the point in %j', async (Amount) => {
    await invalidGift(yen, { Amount }, 'Amount');
  });
});
