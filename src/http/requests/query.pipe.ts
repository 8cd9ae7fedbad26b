import { ArgumentMetadata, Injectable, PipeTransform, Type } from '@nestjs/common';
import { InvalidRequestError } from '../problems/errors.js';
import { type Query, valueOf } from './query.js';
import { fieldsOf } from './read-fields.js';
import { RequestReader } from './request-reader.js';
import { isAbsent } from '../../values/index.js';

/**
 * Converts the query to the request class of the route. Refuses a blank value: if it were ignored, a list would show
 * more than the caller asked for. `DeclaredInputGuard` has already refused unknown and repeated names.
 */
@Injectable()
export class QueryPipe implements PipeTransform<Query, object> {
  constructor(private readonly reader: RequestReader) {}

  /** @throws InvalidRequestError which names every invalid parameter. */
  transform(query: Query, { metatype }: ArgumentMetadata): object {
    if (metatype === undefined) throw new Error('QueryPipe needs a parameter whose type is a request class');
    const request = metatype as Type<object>;
    const blank = fieldsOf(request).flatMap(({ name }) => {
      const value = valueOf(query, name);
      return value !== undefined && isAbsent(value)
        ? [{ field: name, message: 'must not be blank: leave it out instead' }]
        : [];
    });
    if (blank.length > 0) throw InvalidRequestError.ofFields(blank);
    return this.reader.read(request, query);
  }
}
