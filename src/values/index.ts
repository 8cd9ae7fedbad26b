export { clientAddress, clientNetwork, readNetwork } from './addresses/ip-network.js';
export { DAY, DAY_SCHEMA, isDay, readDay } from './dates/day.js';
export {
  churchToday,
  FIRST_GIFT_DAY,
  GIFT_DATE_LENIENCY,
  GIFT_DATE_SCHEMA,
  type GiftDate,
  isGiftDateInRange,
  readGiftDate,
  type ResolvedGiftDate,
  resolveGiftDate,
  type SlashDates,
} from './dates/gift-date.js';
export { FLAG_LENIENCY, FLAG_SCHEMA, readFlag } from './flag.js';
export { ID_LENIENCY, PLAIN_ID_SCHEMA, readId, readPathId } from './id.js';
export {
  anyCasePattern,
  COUNT,
  type FieldDescription,
  INSTANT,
  type JsonSchema,
  type Leniency,
  listUpTo,
  MAX_INTEGER,
  orNull,
  textUpTo,
} from './json-schema.js';
export {
  amountLeniency,
  amountOrZeroLeniency,
  amountSchema,
  readAmount,
  readAmountOrZero,
  readSignedAmount,
  signedAmountLeniency,
  signedAmountSchema,
} from './money/amount.js';
export { fromCents, sumOfAmounts, toCents } from './money/cents.js';
export {
  CURRENCY,
  displayAmount,
  type MinorUnits,
  minorUnitsOf,
  MONEY,
  MAX_DECIMALS_IN_WORDS,
  STORED_DECIMALS,
  storedAmount,
  type StoredAmount,
  SUM_PATTERN,
  SUM_SCHEMA,
} from './money/currency.js';
export { fault, isFault, read, type Reading } from './reading.js';
export { EMAIL_SCHEMA, isStandardEmail, readEmail } from './texts/email.js';
export { guardFormulas, SPREADSHEET_CSV } from './texts/spreadsheet.js';
export { LONGEST, TEXTS } from './texts/stored-texts.js';
export {
  integerTextLeniency,
  isAbsent,
  isBlank,
  normalizeText,
  readIntegerText,
  readText,
  textSchema,
  trimText,
  withoutInvisible,
} from './texts/text.js';
