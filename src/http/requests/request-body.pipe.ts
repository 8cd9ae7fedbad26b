import { ArgumentMetadata, Injectable, PipeTransform } from '@nestjs/common';
import { RequestReader } from './request-reader.js';

/** Converts a body to the request class of the route. @throws InvalidRequestError */
@Injectable()
export class RequestBodyPipe implements PipeTransform<unknown, unknown> {
  constructor(private readonly reader: RequestReader) {}

  transform(body: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' || metatype === undefined) return body;
    return this.reader.read(metatype, body as Record<string, unknown>);
  }
}
