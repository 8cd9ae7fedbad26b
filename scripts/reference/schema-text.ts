import type { JsonSchema } from '../../src/values/index.js';
import { alternatives, code } from './markdown.js';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'object',
};

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  date: 'date (YYYY-MM-DD)',
  'date-time': 'time (ISO 8601, UTC)',
  'idn-email': 'e-mail address',
};

/** A schema in words: "text (at most 100 characters)". */
export function schemaText(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return link(schema.$ref);
  if (schema.anyOf !== undefined) return alternatives(schema.anyOf.map(schemaText));
  if (schema.items !== undefined) return `list of ${schemaText(schema.items)}`;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return alternatives(schema.enum.map(code));
  return alternatives(typesOf(schema).map((type) => typeText(type, schema)));
}

/** A link to an object's section on the same page. */
export function link(ref: string): string {
  const name = ref.split('/').at(-1) ?? ref;
  return `[${name}](#${name.toLowerCase()})`;
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

/** A type with its limits: "text (at most 50 characters)". */
function typeText(type: string, { format, minimum, maximum, minLength, maxLength }: JsonSchema): string {
  const name = (type === 'string' && format !== undefined ? FORMAT_NAMES[format] : TYPE_NAMES[type]) ?? type;
  if (type === 'string') return inParentheses(name, range(minLength, maxLength, 'characters'));
  return type === 'integer' || type === 'number' ? inParentheses(name, range(minimum, maximum)) : name;
}

function inParentheses(name: string, limits: string): string {
  return limits === '' ? name : `${name.replace(/ \((.*)\)$/, ', $1')} (${limits})`;
}

function range(min: number | undefined, max: number | undefined, unit = ''): string {
  const bounds = [min, max].filter((bound) => bound !== undefined);
  if (bounds.length === 0) return '';
  const text =
    bounds.length === 2
      ? min === max
        ? `${min}`
        : `${min} to ${max}`
      : `${min === undefined ? 'at most' : 'at least'} ${bounds[0]}`;
  return `${text} ${unit}`.trim();
}
