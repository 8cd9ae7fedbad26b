import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { foldName } from './folding.js';
import { shortFormsOf } from './short-forms.js';

/** The folded short and long forms of a name in any spelling. */
const formsOf = (name: string): readonly string[] => shortFormsOf(foldName(name) ?? '');

const readText = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
/** The list that was collected by hand until folding version 1. All names of a line are forms of each other. */
const gathered = JSON.parse(readText('previously-matched-first-names.json')) as readonly (readonly string[])[];
/** The names of each line of the published list. */
const published = readText('nicknames/names.csv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','));

/** All names that can be reached from a few names in any number of steps: a large part of the list. */
const reached = new Set(['thomas', 'robert', 'elizabeth', 'alexander', 'christopher', 'edward', 'katherine', 'lou']);
for (const name of reached) for (const other of shortFormsOf(name)) reached.add(other);

describe('a short form', () => {
  it.each([
    ['Tom', 'Thomas'],
    ['Tommy', 'Tom'],
    ['Bob', 'Robert'],
    ['Bobby', 'Rob'],
    ['Liz', 'Elizabeth'],
    ['Beth', 'Lizzie'],
    ['Bill', 'William'],
    ['Peggy', 'Margaret'],
    ['Alex', 'Alexander'],
    ['Alex', 'Alexandra'],
    ['Ted', 'Edward'],
    ['Ted', 'Theodore'],
  ])('%s stands for %s, and vice versa', (one, two) => {
    expect(formsOf(one)).toContain(foldName(two));
    expect(formsOf(two)).toContain(foldName(one));
  });

  it.each([
    ['Alexander', 'Alexandra'],
    ['Edward', 'Theodore'],
    ['Robert', 'Albert'],
    ['Christina', 'Christopher'],
    ['Tom', 'Tim'],
    ['Anna', 'Anne'],
    ['Anna', 'Ann'],
    ['Andrea', 'Andrew'],
    ['Aaron', 'Erin'],
    ['Louis', 'Louise'],
    ['John', 'Ian'],
    ['Emily', 'Emma'],
    ['Mary', 'Marie'],
    ['Daisy', 'Rita'],
    ['Ron', 'Erin'],
    ['Bobby', 'Hodge'],
  ])('does not connect %s and %s', (one, two) => {
    expect(formsOf(one)).not.toContain(foldName(two));
    expect(formsOf(two)).not.toContain(foldName(one));
  });

  it('is found in any spelling of the name', () => {
    for (const name of ['THOMAS', ' thomas', 'Thómas', 'Tho\u{301}mas', 'Ｔｈｏｍａｓ', 'Tho-mas']) {
      expect([...formsOf(name)].sort()).toEqual(['thom', 'tom', 'tommy']);
    }
  });

  it('does not exist for unknown names, blank names and built-in properties of objects', () => {
    for (const name of ['kunigunde', '', 'constructor', '__proto__', 'tostring'])
      expect(shortFormsOf(name)).toEqual([]);
  });
});

describe('the list', () => {
  it('is folded, has no name as its own form, and has no duplicates', () => {
    expect(reached.size).toBeGreaterThan(30);
    for (const name of reached) {
      const forms = shortFormsOf(name);
      expect(forms.length).toBeGreaterThan(0);
      expect(forms.map((form) => foldName(form))).toEqual(forms);
      expect(forms).not.toContain(name);
      expect(new Set(forms).size).toBe(forms.length);
    }
  });

  it('contains all pairs of the earlier list', () => {
    const pairs = gathered.flatMap((line) => line.flatMap((one) => line.map((other) => [one, other] as const)));
    const lost = pairs.filter(([one, other]) => one !== other && !formsOf(one).includes(foldName(other) ?? ''));
    expect(gathered).toHaveLength(173);
    expect(lost).toEqual([]);
  });

  it('contains the published list, except for excluded pairs', () => {
    expect(published).toHaveLength(2691);
    const used = published.filter(([name = '', , nickname = '']) => formsOf(name).includes(foldName(nickname) ?? ''));
    expect(used.length / published.length).toBeGreaterThan(0.85);
    for (const [name, nickname] of [
      ['Tabitha', 'Tabby'],
      ['Zebedee', 'Zeb'],
      ['Casey', 'K.C.'],
      ['Ezekiel', 'Zeke'],
      ['Geoffrey', 'Jeff'],
    ] as const) {
      expect(formsOf(name)).toContain(foldName(nickname));
      expect(formsOf(nickname)).toContain(foldName(name));
    }
  });

  it('comes with its licence and its source', () => {
    expect(readText('nicknames/LICENSE.txt')).toContain('Apache License');
    expect(readText('nicknames/NOTICE.txt')).toContain('https://github.com/carltonnorthern/nicknames');
  });

  it('is symmetric', () => {
    for (const name of reached) for (const form of shortFormsOf(name)) expect(shortFormsOf(form)).toContain(name);
  });

  it('has fewer than 25 forms for each name', () => {
    for (const name of reached) expect(shortFormsOf(name).length).toBeLessThan(25);
  });

  it('cannot be changed through a returned list', () => {
    (shortFormsOf('tom') as string[]).push('harry');
    expect(shortFormsOf('tom')).not.toContain('harry');
  });
});
