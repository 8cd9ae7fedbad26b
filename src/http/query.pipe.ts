import { ArgumentMetadata, Injectable, PipeTransform, Type } from '@nestjs/common';
import { FieldFault, InvalidRequestError } from './errors.js';
import { isAbsent } from './fields/text.js';
import { foldFieldName } from './read-json.js';
import { fieldsOf, RequestReader } from './request-reader.js';

/**
 * Turns what stands behind the question mark into the request class that the route names. Stricter than a body: a name
 * that is misspelt, blank or there twice would show more, or other things, than was asked for.
 */
@Injectable()
export class QueryPipe implements PipeTransform<Readonly<Record<string, unknown>>, Promise<object>> {
  constructor(private readonly reader: RequestReader) {}

  /** @throws InvalidRequestError with every parameter that did not pass. */
  async transform(query: Readonly<Record<string, unknown>>, { metatype }: ArgumentMetadata): Promise<object> {
    if (metatype === undefined) throw new Error('QueryPipe wants a parameter whose type is a request class');
    const request = metatype as Type<object>;
    const faults = faultsOfNames(query, request);
    if (faults.length > 0) throw InvalidRequestError.ofFields(faults);
    return this.reader.read(request, query);
  }
}

function faultsOfNames(query: Readonly<Record<string, unknown>>, request: Type): FieldFault[] {
  const names = fieldsOf(request).map(({ name }) => name);
  const sent = new Map<string, unknown[]>();
  for (const [name, value] of Object.entries(query)) {
    const known = names.find((each) => foldFieldName(each) === foldFieldName(name)) ?? name;
    sent.set(known, [...(sent.get(known) ?? []), ...(Array.isArray(value) ? (value as unknown[]) : [value])]);
  }
  return [...sent].flatMap(([field, values]) => {
    if (!names.includes(field)) return [{ field, message: `is not known here; there are ${names.join(', ')}` }];
    if (values.length > 1) return [{ field, message: 'must not be given twice' }];
    return isAbsent(values[0]) ? [{ field, message: 'must not be blank: leave it out instead' }] : [];
  });
}
