import { type FieldFault, InvalidRequestError } from '../problems/errors.js';
import { foldFieldName } from './read-json.js';

/** The query parameters of a request by name, as sent. A name that was sent several times has an array of values. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** Answers repeat the names that were sent, but at most so many characters of each. */
const LONGEST_NAME_SHOWN = 100;

/**
 * Reads the query of an address. Stricter than Node's parser, which stops after 1,000 parameters, empty ones included,
 * and replaces bytes that are not UTF-8: both would hide a parameter that the caller relies on.
 * @throws InvalidRequestError for a parameter whose value is not percent-encoded UTF-8.
 */
export function parseQuery(text: string | undefined): Query {
  const query = Object.create(null) as Record<string, string | readonly string[]>;
  for (const pair of (text ?? '').split('&')) {
    if (pair === '') continue;
    const [name, value] = readPair(pair);
    const earlier = query[name];
    query[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return query;
}

/** The faults of a query's names on a route that reads only the `known` ones, in any letter case. */
export function faultsOfNames(query: Query, known: readonly string[]): FieldFault[] {
  const sent = Object.entries(query).map(([name, value]) => ({
    name: known.find((one) => foldFieldName(one) === foldFieldName(name)) ?? name,
    times: [value].flat().length,
  }));
  const names = [...new Set(sent.map(({ name }) => name))];
  return names.flatMap((name) => {
    if (!known.includes(name)) return [{ field: shown(name), message: unknownName(known) }];
    const times = sent.filter((one) => one.name === name).reduce((sum, one) => sum + one.times, 0);
    return times > 1 ? [{ field: name, message: 'must not be given twice' }] : [];
  });
}

/** The value of the parameter with this name, in any letter case. */
export function valueOf(query: Query, name: string): Query[string] | undefined {
  return Object.entries(query).find(([sent]) => foldFieldName(sent) === foldFieldName(name))?.[1];
}

function unknownName(known: readonly string[]): string {
  const others = known.length === 0 ? 'it takes no query parameters' : `it takes ${known.join(', ')}`;
  return `is not a parameter of this call; ${others}`;
}

function shown(name: string): string {
  if (name === '') return '(empty name)';
  return name.length > LONGEST_NAME_SHOWN ? `${name.slice(0, LONGEST_NAME_SHOWN)}…` : name;
}

function readPair(pair: string): [name: string, value: string] {
  const [name = ''] = pair.split('=', 1);
  // No route has a parameter whose name cannot be decoded.
  const decodedName = decode(name) ?? name;
  const value = decode(pair.slice(name.length + 1));
  if (value !== undefined) return [decodedName, value];
  const message = 'must be percent-encoded UTF-8';
  throw InvalidRequestError.ofFields([{ field: shown(decodedName), message }]);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
