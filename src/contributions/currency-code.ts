import { fault, type JsonSchema, read, type Reading, trimText } from '../http/index.js';

const CODE = /^[A-Za-z]{3}$/;

/** Reads an ISO 4217 code in any letter case. Whether it is the church's own is for the use case to say. */
export function readCurrency(value: unknown): Reading<string> {
  const code = typeof value === 'string' ? trimText(value) : '';
  return CODE.test(code) ? read(code.toUpperCase()) : fault('must be an ISO 4217 code of three letters, such as USD');
}

/** What {@link readCurrency} accepts. */
export const CURRENCY_SCHEMA: JsonSchema = { type: 'string', pattern: CODE.source };
