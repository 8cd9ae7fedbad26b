import { type Leniency, read, type Reading, trimText } from '../../../values/index.js';

const CODE = /^[A-Za-z]{3}$/;

/** Represents a value that is not a code of three letters, so it never equals the church's currency. */
export const NO_CURRENCY = '';

/**
 * Reads an ISO 4217 code in any letter case. It accepts every value, even an object: releases that ignored the field
 * recorded such gifts, and a repeated call must get its first answer. The use case refuses every currency except the
 * church's.
 */
export function readCurrency(value: unknown): Reading<string> {
  const code = typeof value === 'string' ? trimText(value) : '';
  return read(CODE.test(code) ? code.toUpperCase() : NO_CURRENCY);
}

/** What {@link readCurrency} accepts: any text, because a repeated call with any may get its first answer. */
export const CURRENCY_LENIENCY: Leniency = { schema: { type: 'string' }, words: 'Letter case does not matter.' };
