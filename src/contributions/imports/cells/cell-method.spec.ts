import { expect, it } from '@jest/globals';
import { readCellMethod } from './cell-method.js';

it.each([
  ['Credit Card', 'card'],
  ['VISA', 'card'],
  ['Credit/Debit', 'card'],
  ['ACH', 'ach'],
  ['Bank Account', 'ach'],
  ['eCheck', 'ach'],
  ['Cheque', 'check'],
  ['Cash', 'cash'],
  ['Apple Pay', 'wallet'],
  ['other', 'other'],
  ['Gold', 'Gold'],
])('%j means %s', (word, method) => {
  expect(readCellMethod(word)).toBe(method);
});
