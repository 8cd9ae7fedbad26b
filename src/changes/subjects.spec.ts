import { describe, expect, it } from '@jest/globals';
import { showSubject, subjectTyped } from './subjects.js';

describe('the subject of a change', () => {
  it.each([
    ['contribution 5', 'gift 5', '/console/gifts/5'],
    ['person 12', 'person 12', '/console/people/12'],
    ['bundle 7', 'bundle 7', '/console/bundles/7'],
    ['fund 3', 'fund 3', '/console/funds/3'],
    ['deposit 6', 'deposit 6', '/console/deposits/6'],
    ['review 9', 'review 9', '/console/reviews/9'],
    ['delivery 4', 'notice 4', '/console/notices/4'],
    ['contributions', 'the list of gifts', undefined],
    ['user txt2give', 'user txt2give', undefined],
    ['constructor 1', 'constructor 1', undefined],
    ['person ../../x', 'person ../../x', undefined],
  ])('%s is %s, at %s', (subject, words, page) => {
    expect(showSubject(subject)).toEqual({ words, page });
  });

  it.each([
    ['Gift 5', 'contribution 5'],
    ['gift #5', 'contribution 5'],
    [' 5 ', 'contribution 5'],
    ['#5', 'contribution 5'],
    ['contribution 5', 'contribution 5'],
    [' person 12 ', 'person 12'],
    ['notice 4', 'delivery 4'],
    ['user txt2give', 'user txt2give'],
    ['user 5', 'user 5'],
  ])('typed as %j is looked up as %s', (typed, subject) => {
    expect(subjectTyped(typed)).toBe(subject);
  });
});
