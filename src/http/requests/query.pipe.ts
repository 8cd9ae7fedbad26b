import { ArgumentMetadata, Injectable, PipeTransform, Type } from '@nestjs/common';
import { InvalidRequestError } from '../problems/errors.js';
import { type Query, valueOf } from './query.js';
import { fieldsOf, RequestReader } from './request-reader.js';
import { isAbsent } from '../../values/index.js';

/**
 * Turns the query into the request class that the route names. A blank value is refused: with it left out, a list would
 * show more than the caller asked for. Unknown and repeated names are refused earlier, by `DeclaredInputGuard`.
 */
@Injectable()
export class QueryPipe implements PipeTransform<Query, object> {
  constructor(private readonly reader: RequestReader) {}

  /** @throws InvalidRequestError with every parameter that did not pass. */
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
