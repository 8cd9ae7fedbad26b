import { ArgumentMetadata, Injectable, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate } from 'class-validator';
import { Church } from '../config/index.js';
import { FieldOptions } from './fields/field.js';
import { FieldFault, InvalidRequestError } from './errors.js';
import { foldFieldName } from './read-json.js';

/**
 * Stands for an object or array, which no field takes: class-transformer would walk into it, and trust what it finds
 * there (`constructor`) as if it were ours.
 */
const NO_VALUE = Symbol('object or array');

/**
 * Turns a body into the request class that the route names, whose decorators are the table of what is accepted.
 * Unknown fields are dropped.
 * @throws InvalidRequestError with every field that did not pass.
 */
@Injectable()
export class RequestBodyPipe implements PipeTransform<unknown, Promise<unknown>> {
  private readonly spellings = new Map<Type, ReadonlyMap<string, string>>();

  constructor(private readonly church: Church) {}

  async transform(body: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || metatype === undefined) return body;
    const options: FieldOptions = { church: this.church };
    const request = plainToInstance(
      metatype,
      this.knownFields(metatype, body as Record<string, unknown>),
      options,
    ) as object;
    const errors = await validate(request, { validationError: { target: false, value: false } });
    if (errors.length > 0) {
      throw InvalidRequestError.ofFields(
        errors.flatMap(({ property, constraints }): FieldFault[] =>
          Object.values(constraints ?? {}).map((message) => ({ field: property, message })),
        ),
      );
    }
    return request;
  }

  /** The body's fields that the class knows, under the class's spelling of their names. */
  private knownFields(metatype: Type, body: Record<string, unknown>): Record<string, unknown> {
    const spelling = this.spellingOf(metatype);
    const known: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(body)) {
      const property = spelling.get(foldFieldName(name));
      if (property !== undefined) known[property] = typeof value === 'object' && value !== null ? NO_VALUE : value;
    }
    return known;
  }

  private spellingOf(metatype: Type): ReadonlyMap<string, string> {
    let spelling = this.spellings.get(metatype);
    if (spelling === undefined) {
      const properties = getMetadataStorage()
        .getTargetValidationMetadatas(metatype, '', false, false)
        .map(({ propertyName }) => propertyName);
      spelling = new Map(properties.map((property) => [foldFieldName(property), property]));
      this.spellings.set(metatype, spelling);
    }
    return spelling;
  }
}
