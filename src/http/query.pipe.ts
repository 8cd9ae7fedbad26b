import { ArgumentMetadata, Injectable, PipeTransform, Type } from '@nestjs/common';
import { FieldFault, InvalidRequestError } from './errors.js';
import { isAbsent } from './fields/text.js';
import { foldFieldName } from './read-json.js';
import { fieldsOf, RequestReader } from './request-reader.js';

/** What stands behind the question mark of an address. */
export type Query = Readonly<Record<string, unknown>>;

/** What is wrong with a name that is there twice. */
const TWICE = 'must not be given twice';

/**
 * Turns what stands behind the question mark into the request class that the route names. Stricter than a body: a name
 * that is misspelt, blank or there twice would show more, or other things, than was asked for.
 */
@Injectable()
export class QueryPipe implements PipeTransform<Query, object> {
  constructor(private readonly reader: RequestReader) {}

  /** @throws InvalidRequestError with every parameter that did not pass. */
  transform(query: Query, { metatype }: ArgumentMetadata): object {
    if (metatype === undefined) throw new Error('QueryPipe wants a parameter whose type is a request class');
    const request = metatype as Type<object>;
    const faults = faultsOfNames(query, request);
    if (faults.length > 0) throw InvalidRequestError.ofFields(faults);
    return this.reader.read(request, query);
  }
}

/** What was sent under this name in any letter case. @throws InvalidRequestError when it was sent twice. */
export function valueOf(query: Query, name: string): unknown {
  const sent = sentUnder(query, name);
  if (isTwice(sent)) throw InvalidRequestError.ofFields([{ field: name, message: TWICE }]);
  return sent[0];
}

function faultsOfNames(query: Query, request: Type): FieldFault[] {
  const names = fieldsOf(request).map(({ name }) => name);
  const sent = Object.keys(query).map((key) => names.find((name) => isSame(key, name)) ?? key);
  return [...new Set(sent)].flatMap((field) => {
    if (!names.includes(field)) return [{ field, message: `is not known here; there are ${names.join(', ')}` }];
    const values = sentUnder(query, field);
    if (isTwice(values)) return [{ field, message: TWICE }];
    return isAbsent(values[0]) ? [{ field, message: 'must not be blank: leave it out instead' }] : [];
  });
}

function sentUnder(query: Query, name: string): unknown[] {
  return Object.entries(query).flatMap(([key, value]) => (isSame(key, name) ? [value] : []));
}

function isTwice(sent: readonly unknown[]): boolean {
  return sent.length > 1 || Array.isArray(sent[0]);
}

function isSame(one: string, other: string): boolean {
  return foldFieldName(one) === foldFieldName(other);
}
