import { type JsonSchema, MONEY_PATTERN } from '../../values/index.js';

/** A day in church time. */
export const DAY: JsonSchema = { type: 'string', format: 'date' };

/** Decimal text with the decimals of its currency; negative for reversing entries. */
export const MONEY: JsonSchema = { type: 'string', pattern: MONEY_PATTERN };

/** ISO 4217. */
export const CURRENCY: JsonSchema = { type: 'string', minLength: 3, maxLength: 3 };

export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
