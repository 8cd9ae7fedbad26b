import fc from 'fast-check';
import type { Change, Member } from '../request.js';

const which = fc.nat({ max: 30 });

const edit = (members: readonly Member[], index: number, change: (member: Member) => readonly Member[]): Member[] =>
  members.flatMap((member, i) => (i === index % members.length ? change(member) : [member]));

const ODD_NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then', 'length', ''],
  ...[' First', 'First '],
  ...['Fir\u{200B}st', '\u{FF26}irst', '\u{17F}ource', 'Amount\u{0}', 'First.Last', 'First[0]', '$ne'],
  ...['\u{FEFF}Amount', 'Comment'],
].map((name) => JSON.stringify(name));

const name = fc.oneof(
  fc.constantFrom(...ODD_NAMES),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => JSON.stringify(text)),
);

/** Other spellings of the same name. */
const OTHER_SPELLING: readonly ((name: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => `"\\u00${text.charCodeAt(1).toString(16)}${text.slice(2)}`,
];

const WRAPS = ['[@]', '[[@]]', '{"a":@}', '{"__proto__":@}', '{"toString":@}', '{"constructor":{"prototype":@}}'];

/** Texts in place of a value that are not valid JSON. */
const LITERALS = [
  ...['NaN', 'Infinity', '-Infinity', 'undefined', '0x10', '01', '1.', '.5', '+1', '--1', '1e', "'x'", 'True', 'nul'],
  ...['-', '1_0'],
  ...['"\\x41"', '"\\u12"', '"\\', '"a', '"a\nb"', '"a\tb"', '"\u{0}"', '/*c*/1', '1//c', '', ' ', '1 1', '[1,]'],
  ...['{"a":1,}'],
];
const NUMBERS = [
  '1e400',
  '-1e400',
  '-0',
  '1E-7',
  '0.1e1',
  '1e+0',
  '1E400',
  '9'.repeat(400),
  `0.${'0'.repeat(400)}1`,
  '5e-324',
];

const TAILS = ['}', ' x', '\u{0}', ',', ' {}', '//c', '/**/', ']', '"', '\u{FEFF}', ' null', '\u{1A}'];

const NESTS = [
  ['[', '', ']'],
  ['{"a":', '1', '}'],
  ['[{"":', '1', '}]'],
] as const;

const changes: readonly fc.Arbitrary<Change>[] = [
  which.map((i) => ({ kind: 'structure: drop a member', members: (all) => edit(all, i, () => []) })),
  fc.tuple(which, fc.constantFrom(...OTHER_SPELLING)).map(([i, spell]) => ({
    kind: 'structure: repeat a member',
    members: (all) => edit(all, i, (one) => [one, { ...one, name: spell(one.name) }]),
    statuses: [400],
  })),
  fc.tuple(which, fc.constantFrom(...OTHER_SPELLING)).map(([i, spell]) => ({
    kind: 'structure: a name in another spelling',
    members: (all) => edit(all, i, (one) => [{ ...one, name: spell(one.name) }]),
    statuses: [200],
  })),
  fc.tuple(which, name).map(([i, other]) => ({
    kind: 'structure: rename a member',
    members: (all) => edit(all, i, (one) => [{ ...one, name: other }]),
  })),
  fc.tuple(which, fc.constantFrom(...WRAPS)).map(([i, wrap]) => ({
    kind: 'structure: nest a value',
    members: (all) => edit(all, i, (one) => [{ ...one, value: wrap.replace('@', () => one.value) }]),
  })),
  fc.tuple(which, which).map(([i, j]) => ({
    kind: 'structure: the value of another member',
    members: (all) => edit(all, i, (one) => [{ ...one, value: all[j % all.length]?.value ?? 'null' }]),
  })),
  fc.tuple(which, fc.constantFrom(...LITERALS)).map(([i, value]) => ({
    kind: 'structure: an invalid literal',
    members: (all) => edit(all, i, (one) => [{ ...one, value }]),
    statuses: [400],
  })),
  fc.tuple(which, fc.constantFrom(...NUMBERS)).map(([i, value]) => ({
    kind: 'structure: an odd number',
    members: (all) => edit(all, i, (one) => [{ ...one, value }]),
  })),
  fc.tuple(name, fc.jsonValue({ maxDepth: 3 })).map(([other, value]) => ({
    kind: 'structure: add a member',
    members: (all) => [{ name: other, value: JSON.stringify(value) }, ...all],
  })),
  fc.tuple(fc.integer({ min: 1, max: 2_500 }), fc.constantFrom('1', '""', '[]', '{}')).map(([count, value]) => ({
    kind: 'structure: add many members',
    members: (all) => [...all, ...Array.from({ length: count }, (_, i) => ({ name: `"x${i}"`, value }))],
    statuses: [200],
  })),
  fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom(...NESTS)).map(([levels, [open, middle, close]]) => ({
    kind: 'structure: deep nesting',
    members: (all) => [...all, { name: '"x"', value: open.repeat(levels) + middle + close.repeat(levels) }],
    statuses: [200, 400, 413],
  })),
  fc
    .tuple(
      which,
      fc.integer({ min: 1, max: 80_000 }),
      fc.constantFrom('x', '\u{E9}', '\u{FDFA}', '\\u0041', ' ', '\u{315}'),
    )
    .map(([i, count, letter]) => ({
      kind: 'structure: a very long text',
      members: (all) => edit(all, i, (one) => [{ ...one, value: `"${letter.repeat(count)}"` }]),
      // 422: the text is the value of Currency and not the church's currency.
      statuses: [200, 400, 413, 422],
    })),
  fc.constantFrom(...TAILS).map((tail) => ({
    kind: 'structure: text after the body',
    text: (json) => json + tail,
    statuses: [400],
  })),
  fc.constantFrom('\u{FEFF}', '\r\n\t ').map((head) => ({
    kind: 'structure: a byte order mark or white space before the body',
    text: (json) => head + json,
    statuses: [200],
  })),
  fc.constantFrom('\u{FEFF}\u{FEFF}', '\u{0}', '\u{2028}', '\u{A0}', 'x', ',', '/**/').map((head) => ({
    kind: 'structure: text before the body',
    text: (json) => head + json,
    statuses: [400],
  })),
  fc
    .constantFrom<(json: string) => string>(
      (json) => `[${json}]`,
      (json) => JSON.stringify(json),
      (json) => `{"gift":${json}}`,
      (json) => json + json,
      () => '',
      () => ' ',
      () => 'null',
      () => '5',
      () => 'true',
      () => '{}',
      () => '[]',
      () => 'First=Ann&Last=Lee',
      () => '<gift/>',
    )
    .map((text) => ({ kind: 'structure: another body', text, statuses: [400] })),
];

/** A change in the structure of the body's JSON. */
export const structureOfBody: fc.Arbitrary<Change> = fc.oneof(...changes);
