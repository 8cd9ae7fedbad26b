import { type JsonSchema, read, type Reading, trimText } from '../../../values/index.js';

const CODE = /^[A-Za-z]{3}$/;

/** Stands for a value that is not a code of three letters, and so is no church's currency. */
export const NO_CURRENCY = '';

/**
 * Reads an ISO 4217 code in any letter case. No value is refused here, not even an object: releases that ignored the
 * field recorded such gifts, and a repeated call must get its first answer. The use case refuses every currency but the
 * church's own.
 */
export function readCurrency(value: unknown): Reading<string> {
  const code = typeof value === 'string' ? trimText(value) : '';
  return read(CODE.test(code) ? code.toUpperCase() : NO_CURRENCY);
}

/** Without a pattern: a repeated call with any text may get its first answer. */
export const CURRENCY_SCHEMA: JsonSchema = { type: 'string' };
