import { type JsonSchema, type Leniency, MAX_INTEGER as MAX_ID } from './json-schema.js';
import { fault, read, type Reading } from './reading.js';

const ID_TEXT = /^(?:0|[1-9]\d{0,9})$/u;
const PATH_ID = /^[1-9]\d{0,9}$/u;

/**
 * Reads an id of a request body: a JSON integer, or its decimal digits as text without white space or leading zeros.
 * The value is undefined for 0, which typed clients send for "not set".
 */
export function readId(value: unknown): Reading<number | undefined> {
  const id = typeof value === 'string' && ID_TEXT.test(value) ? Number(value) : value;
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id > MAX_ID) {
    return fault(`must be a whole number of at most ${MAX_ID}, or the same as text of digits only`);
  }
  return read(id === 0 ? undefined : id);
}

/** Reads an id of a path. It is strict: a lenient reader would accept `1e1` as gift 10 and `0x1` as gift 1. */
export function readPathId(text: string): Reading<number> {
  const id = PATH_ID.test(text) ? Number(text) : 0;
  if (id < 1 || id > MAX_ID) {
    return fault(`must be a whole number from 1 to ${MAX_ID}, in digits only and without a leading zero`);
  }
  return read(id);
}

/** An id: what {@link readPathId} accepts, and every id in an answer. */
export const PLAIN_ID_SCHEMA: JsonSchema = { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_ID };

/** What {@link readId} accepts. The text form has no upper bound, because a pattern cannot express it readably. */
export const ID_LENIENCY: Leniency = {
  schema: { type: ['integer', 'string'], minimum: 0, maximum: MAX_ID, pattern: ID_TEXT.source },
  words: 'Text of its digits is accepted too, and 0 counts as omitted.',
  isOfTypes: true,
};
