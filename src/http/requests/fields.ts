import { fieldReader, type FieldReader } from './field.js';
import {
  anyCasePattern,
  DAY_SCHEMA,
  EMAIL_SCHEMA,
  fault,
  FLAG_LENIENCY,
  FLAG_SCHEMA,
  GIFT_DATE_LENIENCY,
  GIFT_DATE_SCHEMA,
  ID_LENIENCY,
  integerTextLeniency,
  isFault,
  PLAIN_ID_SCHEMA,
  read,
  readDay,
  readEmail,
  readFlag,
  readGiftDate,
  readId,
  readIntegerText,
  readPathId,
  readText,
  resolveGiftDate,
  textSchema,
  trimText,
} from '../../values/index.js';

/** The largest number of contributions on a page. */
export const LONGEST_PAGE = 500;

/** Text of at most `max` characters on one line. */
export const text = (max: number): FieldReader<string> =>
  fieldReader(textSchema({ max }), (value) => readText(value, { max }));

/** Text of at most `max` characters, which may contain line breaks and tabs. */
export const lines = (max: number): FieldReader<string> =>
  fieldReader(textSchema({ max }), (value) => readText(value, { max, lineBreaks: true }));

/** Text of at most `max` characters, or a JSON integer, which becomes its digits. */
export const digits = (max: number): FieldReader<string> =>
  fieldReader(textSchema({ max }), (value) => readIntegerText(value, max), integerTextLeniency(max));

/** One e-mail address. */
export const email = fieldReader(EMAIL_SCHEMA, readEmail);

/** An id; 0 counts as missing. */
export const id = fieldReader(PLAIN_ID_SCHEMA, readId, ID_LENIENCY);

/** A boolean, or the text "true" or "false". */
export const flag = fieldReader(FLAG_SCHEMA, readFlag, FLAG_LENIENCY);

/** An id that filters a list. If nothing has this id, the list is empty. */
export const filterId = fieldReader<number>(PLAIN_ID_SCHEMA, (value) => readPathId(String(value)));

/** A day in church time. */
export const day = fieldReader<string>(DAY_SCHEMA, readDay);

/** A moment, in the notations of gifts' dates. A day means its beginning in church time. */
export const moment = fieldReader<Date>(
  GIFT_DATE_SCHEMA,
  (value, { timeZone, slashDates }) => {
    const date = readGiftDate(value, slashDates);
    if (!isFault(date)) return read(resolveGiftDate(date.value, timeZone).instant);
    return typeof value === 'string' && / \d\d:?\d\d$/u.test(value)
      ? fault('must have its + written as %2B: in an address a + is a space')
      : date;
  },
  GIFT_DATE_LENIENCY,
);

/** The number of rows on a page, at most `longest`. */
export const pageLimitUpTo = (longest: number): FieldReader<number> =>
  fieldReader<number>({ type: 'integer', format: 'int32', minimum: 1, maximum: longest }, (value) => {
    const limit = readPathId(String(value));
    return isFault(limit) || limit.value > longest ? fault(`must be a whole number from 1 to ${longest}`) : limit;
  });

/** The number of contributions on a page. */
export const pageLimit = pageLimitUpTo(LONGEST_PAGE);

/** One of `words`, in any letter case. */
export const anyCaseOf = <T extends string>(words: readonly T[]): FieldReader<T> =>
  fieldReader<T>(
    { type: 'string', enum: words },
    (value) => {
      const sent = typeof value === 'string' ? trimText(value).toLowerCase() : undefined;
      const known = words.find((word) => word.toLowerCase() === sent);
      return known === undefined ? fault(`must be ${words.join(' or ')}`) : read(known);
    },
    { schema: { type: 'string', pattern: anyCasePattern(words) }, words: 'Letter case does not matter.' },
  );
