import { type JsonSchema, MONEY_PATTERN } from '../../values/index.js';

/** A day in church time. */
export const DAY: JsonSchema = { type: 'string', format: 'date' };

/** Decimal text; negative where something was taken back, and with the decimals that its currency has. */
export const MONEY: JsonSchema = { type: 'string', pattern: MONEY_PATTERN };

/** ISO 4217. */
export const CURRENCY: JsonSchema = { type: 'string', minLength: 3, maxLength: 3 };

/** How many. */
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
