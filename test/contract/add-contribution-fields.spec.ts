import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, invalidGift, type Problem, recordedGift, type View, wire } from './gift-requests.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);
const recorded = (fields: object): Promise<View> => recordedGift(service, fields);
const invalid = (fields: object, ...names: string[]): Promise<Problem> => invalidGift(service, fields, ...names);

const REQUIRED = ['First', 'Last', 'Email', 'Phone', 'Amount'];
const BLANK = [null, '', '   ', '\t\r\n', '\u{A0}\u{3000}\u{FEFF}', '\u{200B}', '\u{200B} \u{2060}'];

describe('required fields', () => {
  it('are all named in the error when none is sent', async () => {
    await invalid(Object.fromEntries(REQUIRED.map((name) => [name, undefined])), ...REQUIRED);
  });

  it.each(REQUIRED.flatMap((name) => [undefined, ...BLANK].map((value) => [name, value] as const)))(
    'must not be blank: %s is %j',
    async (name, value) => {
      await invalid({ [name]: value }, name);
    },
  );

  it.each(REQUIRED)('include %s even when PeopleId is sent', async (name) => {
    const { PeopleId } = await added({});
    await invalid({ PeopleId, [name]: undefined }, name);
    await invalid({ PeopleId, [name]: '' }, name);
  });

  it('are reported together with every other invalid field', async () => {
    const bad = {
      First: 'A\u{0}',
      Email: 'nobody',
      Amount: '0',
      Date: '2026-02-30',
      Zip: true,
      FundId: 1.5,
      Source: 5,
    };
    await invalid({ ...bad, IgnoreUnknownPerson: 'yes' }, ...Object.keys(bad), 'IgnoreUnknownPerson');
  });
});

/** Field, its longest text, and where the read-back shows it. */
const TEXTS: readonly [string, number, (view: View) => unknown][] = [
  ['First', 100, ({ giver }) => giver['first']],
  ['Last', 100, ({ giver }) => giver['last']],
  ['Phone', 50, ({ giver }) => giver['phone']],
  ['Address', 255, ({ giver }) => giver['address']],
  ['Zip', 20, ({ giver }) => giver['zip']],
  ['Notes', 4000, (view) => view['notes']],
  ['Source', 100, (view) => view['source']],
];

describe.each(TEXTS)('%s', (name, max, shown) => {
  it(`takes ${max} characters, counted in code points, and refuses one more`, async () => {
    const longest = '\u{1F600}'.repeat(max);
    expect(shown(await recorded({ [name]: longest }))).toBe(longest);
    await invalid({ [name]: `${longest}x` }, name);
  });

  it('is measured after trimming and Unicode composition', async () => {
    const sent = `\u{3000}${'e\u{301}'.repeat(max)}${' '.repeat(500)}`;
    expect(shown(await recorded({ [name]: sent }))).toBe('\u{E9}'.repeat(max));
  });

  it.each(['\u{A0}', '\u{3000}\u{2028}', '\u{FEFF}', '\u{1680} \t\n'])('is trimmed of %j', async (space) => {
    expect(shown(await recorded({ [name]: `${space}a b${space}` }))).toBe('a b');
  });

  it.each(['a\u{200B}\u{A0}\u{3000}b', `'); DROP TABLE x;--`, '<b>"\\&amp;$1 %s', '\u{202E}abc'])(
    'keeps %j as it is',
    async (text) => {
      expect(shown(await recorded({ [name]: text }))).toBe(text);
    },
  );

  it.each(['a\u{0}b', '\u{0}a', 'a\u{1F}', 'a\u{1B}[31mb', 'a\u{7F}b', 'a\u{9F}b', 'a\u{B}b'])(
    'refuses the control character in %j',
    async (text) => {
      await invalid({ [name]: text }, name);
    },
  );

  it.each(['a\nb', 'a\r\nb', 'a\tb'])('accepts the line break or tab in %j only in Notes and Address', async (text) => {
    if (name === 'Notes' || name === 'Address') expect(shown(await recorded({ [name]: text }))).toBe(text);
    else await invalid({ [name]: text }, name);
  });

  it.each(['a\ud800b', '\udc00', '\ude00\ud83d'])('refuses the lone surrogate in %j', async (text) => {
    await invalid({ [name]: text }, name);
  });

  it.each([true, [], ['a'], {}, { toString: 'a' }, 1.5, -1, wire('1e400')])(
    'refuses %j, which is not text',
    async (value) => {
      await invalid({ [name]: value }, name);
    },
  );
});

describe('text fields', () => {
  it.each(['First', 'Last', 'Email', 'Address', 'Notes', 'Source'])('refuse a number in %s', async (name) => {
    await invalid({ [name]: 5 }, name);
  });

  it.each(['Address', 'Zip', 'Notes', 'Source'])('store null for a blank %s', async (name) => {
    const shown = TEXTS.find(([field]) => field === name)?.[2];
    for (const blank of BLANK) expect(shown?.(await recorded({ [name]: blank }))).toBeNull();
  });

  it('show Source in the answer as it is stored', async () => {
    expect(await added({ Source: '\u{A0}Cafe\u{301} ' })).toMatchObject({ Source: 'Caf\u{E9}' });
    expect(await added({ Source: '\u{200B}' })).toMatchObject({ Source: null });
  });

  it.each([
    ['Phone', 9015550101, '9015550101'],
    ['Phone', wire('9.015550101e9'), '9015550101'],
    ['Phone', 'n/a', 'n/a'],
    ['Zip', 38103, '38103'],
    ['Zip', wire('38103.0'), '38103'],
    ['Zip', '02134', '02134'],
    ['Zip', 0, '0'],
  ])('accept %s %j and show %j', async (name, value, text) => {
    expect((await recorded({ [name]: value })).giver[name.toLowerCase()]).toBe(text);
  });

  it.each(['Phone', 'Zip'])('refuse a number in %s if digits would be lost', async (name) => {
    await invalid({ [name]: wire('12345678901234567891') }, name);
  });
});

const LONGEST_EMAIL = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.org`;

describe('Email', () => {
  it.each([
    ['Ann.Lee+Gifts@Example.ORG', 'Ann.Lee+Gifts@Example.ORG'],
    [` \u{FEFF}ann@example.org\u{A0}`, 'ann@example.org'],
    ["o'dell_x-y@mail.example.co.uk", "o'dell_x-y@mail.example.co.uk"],
    [LONGEST_EMAIL, LONGEST_EMAIL],
    ['ann@example.org\u{200B}', 'ann@example.org\u{200B}'],
    ['a\u{AD}nn@exa\u{2060}mple.org', 'a\u{AD}nn@exa\u{2060}mple.org'],
    ['em..x@docomo.example', 'em..x@docomo.example'],
    ['.a@example.org', '.a@example.org'],
    ['a.@example.org', 'a.@example.org'],
    [`${'t'.repeat(100)}@reply.example.org`, `${'t'.repeat(100)}@reply.example.org`],
    ['ann@my_church.example', 'ann@my_church.example'],
  ])('takes %j', async (sent, kept) => {
    expect((await recorded({ Email: sent })).giver['email']).toBe(kept);
  });

  it.each([
    ...['nobody', 'a@', '@example.org', 'a b@example.org', 'a@@example.org', 'a@b@example.org', 'a@example..org'],
    ...['a@example.org, b@example.org', 'a@example.org;b@example.org', 'a@example.org b@example.org'],
    ...[
      'Ann <a@example.org>',
      '<a@example.org>',
      'mailto:a@example.org',
      'a@-example.org',
      'a@example.org.',
      'a@.example.org',
      '.@example.org',
      '...@example.org',
      'a..b@c..example.org',
      '"a"."b"@example.org',
      'a..b@localhost',
      'a..b@c@example.org',
      'a..(b)@example.org',
      '\u{200B}@example.org',
      'a..b',
    ],
    ...['a@example.org\u{0}', 'a@example.org\r\nBcc: b@example.org', 'a\ud800@example.org', `x${LONGEST_EMAIL}`],
    ...[
      `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(57)}.org`,
      5,
      true,
      ['a@example.org'],
      {},
    ],
  ])('refuses %j', async (value) => {
    await invalid({ Email: value }, 'Email');
  });
});

it('takes the longest text in every field at once', async () => {
  // U+FDFA is folded into 18 characters, and PostgreSQL limits the size of an index entry.
  const longest = Object.fromEntries(TEXTS.map(([name, max]) => [name, '\u{FDFA}'.repeat(max)]));
  const { giver } = await recorded({ ...longest, Email: LONGEST_EMAIL });
  expect(giver).toMatchObject({ first: longest['First'], last: longest['Last'], email: LONGEST_EMAIL });
  expect(await added({ ...longest, Email: LONGEST_EMAIL })).toMatchObject({ NewPerson: false });
});

describe('field names', () => {
  it('are recognized in any letter case', async () => {
    const names = {
      First: undefined,
      FIRST: 'Una',
      Amount: undefined,
      aMOUNT: '7',
      notes: 'n',
      ZIP: 1,
      FUNDID: 1,
      bundletypeID: 20,
    };
    expect(await recorded(names)).toMatchObject({
      amount: '7.00',
      notes: 'n',
      bundleTypeId: 20,
      giver: { first: 'Una', zip: '1' },
    });
  });

  it('are ignored when unknown, whatever their values', async () => {
    const unknown = {
      Comment: 'x\u{0}',
      Amount2: -1,
      ' Notes': 'a',
      Giver: { First: 1 },
      '': [[]],
      'No\u{200B}tes': 'b',
      ſource: 'c',
    };
    expect(await recorded(unknown)).toMatchObject({ notes: null, source: null, amount: '10.00' });
  });

  it('are ignored when they are built-in properties of JavaScript objects', async () => {
    const hostile = {
      ['__proto__']: { Notes: 'x', isAdmin: true },
      constructor: { prototype: { Notes: 'x' } },
      toString: 1,
      hasOwnProperty: 2,
    };
    expect(await recorded(hostile)).toMatchObject({ notes: null });
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  it('are not read from the value of __proto__', async () => {
    await invalid({ Amount: undefined, ['__proto__']: { Amount: '5' }, constructor: { Amount: '5' } }, 'Amount');
  });
});
