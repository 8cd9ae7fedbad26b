export { clientAddress, clientNetwork, readNetwork } from './addresses/ip-network.js';
export { DAY_SCHEMA, isDay, readDay } from './dates/day.js';
export {
  churchToday,
  FIRST_GIFT_DAY,
  type GiftDate,
  isGiftDateInRange,
  readGiftDate,
  type ResolvedGiftDate,
  resolveGiftDate,
  type SlashDates,
} from './dates/gift-date.js';
export { FLAG_SCHEMA, readFlag } from './flag.js';
export { ID_SCHEMA, PLAIN_ID_SCHEMA, readId, readPathId } from './id.js';
export { type FieldDescription, anyCasePattern, INSTANT, type JsonSchema, orNull } from './json-schema.js';
export {
  amountOrZeroSchema,
  amountSchema,
  readAmount,
  readAmountOrZero,
  readSignedAmount,
  signedAmountSchema,
} from './money/amount.js';
export { fromCents, sumOfAmounts, toCents } from './money/cents.js';
export {
  displayAmount,
  type MinorUnits,
  minorUnitsOf,
  MONEY_PATTERN,
  MAX_DECIMALS_IN_WORDS,
  STORED_DECIMALS,
  storedAmount,
  type StoredAmount,
  SUM_PATTERN,
} from './money/currency.js';
export { fault, isFault, read, type Reading } from './reading.js';
export { EMAIL_SCHEMA, isStandardEmail, readEmail } from './texts/email.js';
export { guardFormulas, SPREADSHEET_CSV } from './texts/spreadsheet.js';
export {
  integerTextSchema,
  isAbsent,
  isBlank,
  normalizeText,
  readIntegerText,
  readText,
  textSchema,
  trimText,
  withoutInvisible,
} from './texts/text.js';
