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

/** What a schema accepts or holds, in words: "text, at most 100 characters". */
export function schemaText(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return link(schema.$ref);
  if (schema.anyOf !== undefined) return alternatives(schema.anyOf.map(schemaText));
  if (schema.items !== undefined) return `list of ${schemaText(schema.items)}`;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return alternatives(schema.enum.map(code));
  const words = wordsOf(schema.pattern);
  if (words !== undefined && !typesOf(schema).includes('boolean'))
    return `${alternatives(words.map(code))}, in any letter case`;
  return [alternatives(namesOf(schema)), ...limitsOf(schema)].join(', ');
}

/** A link to an object's section on the same page. */
export function link(ref: string): string {
  const name = ref.split('/').at(-1) ?? ref;
  return `[${name}](#${name.toLowerCase()})`;
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

function namesOf(schema: JsonSchema): string[] {
  const format = schema.format === undefined ? undefined : FORMAT_NAMES[schema.format];
  return typesOf(schema).map((type) =>
    type === 'string' && format !== undefined ? format : (TYPE_NAMES[type] ?? type),
  );
}

function limitsOf({ minimum, maximum, minLength, maxLength }: JsonSchema): string[] {
  return [
    ...range(minimum, maximum, (value) => String(value)),
    ...range(minLength, maxLength, (length) => `${length} ${length === 1 ? 'character' : 'characters'}`),
  ];
}

function range(min: number | undefined, max: number | undefined, show: (bound: number) => string): string[] {
  if (min !== undefined && min === max) return [show(min)];
  if (min !== undefined && max !== undefined) return [`${min} to ${show(max)}`];
  if (min !== undefined) return [`at least ${show(min)}`];
  return max === undefined ? [] : [`at most ${show(max)}`];
}

/** The words of a pattern such as ^([Oo][Pp][Ee][Nn]|[Cc]…)$; undefined for any other pattern. */
function wordsOf(pattern: string | undefined): string[] | undefined {
  const [, inner] = /^\^\(((?:\[(?:[A-Z][a-z])\]|\|)+)\)\$$/.exec(pattern ?? '') ?? [];
  return inner?.split('|').map((word) => word.replaceAll(/\[[A-Z]([a-z])\]/g, '$1'));
}
