import { describe, expect, it } from '@jest/globals';
import { foldName } from './folding.js';
import { shortFormsOf } from './short-forms.js';

/** The folded names of a name as somebody writes it. */
const formsOf = (name: string): readonly string[] => shortFormsOf(foldName(name) ?? '');

/** All names that can be reached from a few in ever so many steps: a large part of the list. */
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
  ])('%s stands for %s, and the other way round', (one, two) => {
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
  ])('does not make %s and %s one name', (one, two) => {
    expect(formsOf(one)).not.toContain(foldName(two));
    expect(formsOf(two)).not.toContain(foldName(one));
  });

  it('is found in any spelling of the name', () => {
    for (const name of ['THOMAS', ' thomas', 'Thómas', 'Tho\u{301}mas', 'Ｔｈｏｍａｓ', 'Tho-mas']) {
      expect([...formsOf(name)].sort()).toEqual(['tom', 'tommy']);
    }
  });

  it('is none where the list has none, of a blank name, or of one that an object has by nature', () => {
    for (const name of ['kunigunde', '', 'constructor', '__proto__', 'tostring'])
      expect(shortFormsOf(name)).toEqual([]);
  });
});

describe('the list', () => {
  it('is folded, and holds no name as a form of itself, nor one twice', () => {
    expect(reached.size).toBeGreaterThan(30);
    for (const name of reached) {
      const forms = shortFormsOf(name);
      expect(forms.length).toBeGreaterThan(0);
      expect(forms.map((form) => foldName(form))).toEqual(forms);
      expect(forms).not.toContain(name);
      expect(new Set(forms).size).toBe(forms.length);
    }
  });

  it('is symmetric', () => {
    for (const name of reached) for (const form of shortFormsOf(name)) expect(shortFormsOf(form)).toContain(name);
  });

  it('gives a gift a handful of names to look up, never many', () => {
    for (const name of reached) expect(shortFormsOf(name).length).toBeLessThan(25);
  });

  it('cannot be changed by whoever asked', () => {
    (shortFormsOf('tom') as string[]).push('harry');
    expect(shortFormsOf('tom')).not.toContain('harry');
  });
});
