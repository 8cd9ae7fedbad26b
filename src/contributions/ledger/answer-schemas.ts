import type { JsonSchema } from '../../values/index.js';

/** A day in church time. */
export const DAY: JsonSchema = { type: 'string', format: 'date' };

/** Decimal text; negative where something was taken back, and with the decimals that its currency has. */
export const MONEY: JsonSchema = { type: 'string', pattern: '^-?[0-9]+([.][0-9]{1,2})?$' };

/** ISO 4217. */
export const CURRENCY: JsonSchema = { type: 'string', minLength: 3, maxLength: 3 };

/** How many. */
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
