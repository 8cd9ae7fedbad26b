import { describe, expect, it } from '@jest/globals';
import { editsAllowed, editsBetween, wordsWithOneEdit } from './near-words.js';

describe('editsBetween', () => {
  it.each([
    ['johnson', 'johnson', 0],
    ['johnson', 'jonson', 1],
    ['jonson', 'johnson', 1],
    ['smith', 'smyth', 1],
    ['smith', 'simth', 1],
    ['appleseed', 'applesed', 1],
    ['appleseed', 'apelseed', 2],
    ['meier', 'maier', 1],
    ['', 'ab', 2],
    ['ab', '', 2],
    ['𝒜b', 'b', 1],
  ])('%s and %s: %d', (one, other, edits) => {
    expect(editsBetween(one, other)).toBe(edits);
  });
});

describe('wordsWithOneEdit', () => {
  it('has all words with one edit, and only those', () => {
    const words = wordsWithOneEdit('kris');
    for (const word of ['chris', 'kriss', 'ris', 'kirs', 'kros', 'krisa', 'akris']) {
      expect(words.includes(word)).toBe(editsBetween('kris', word) === 1);
    }
    expect(words.every((word) => editsBetween('kris', word) === 1)).toBe(true);
    expect(words).not.toContain('kris');
    expect(new Set(words).size).toBe(words.length);
  });
});

describe('editsAllowed', () => {
  it('is more in longer words', () => {
    expect(['li', 'ann', 'smith', 'miller', '李'].map(editsAllowed)).toEqual([0, 1, 1, 2, 0]);
  });
});
