import type { JsonSchema } from '../../values/index.js';

export { COUNT, CURRENCY, DAY, MONEY } from '../../values/index.js';

/** A year of the church's calendar. */
export const YEAR: JsonSchema = { type: 'integer', format: 'int32', minimum: 1, maximum: 9999 };

/** As many currencies as there are codes of three letters. */
export const MAX_CURRENCIES = 26 ** 3;
