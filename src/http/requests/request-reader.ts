import { Injectable, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { Church } from '../../config/index.js';
import { DatabaseClock } from '../../database/index.js';
import { FieldOptions, REQUIRED } from './field.js';
import { FieldFault, InvalidRequestError } from '../problems/errors.js';
import { foldFieldName } from './read-json.js';

/** Replaces objects and arrays, which no field accepts, because class-transformer would convert their contents. */
const OBJECT_OR_ARRAY = Symbol('object or array');

/** Converts fields of a body, query or file to a request class, whose decorators define what is accepted. */
@Injectable()
export class RequestReader {
  private readonly spellings = new Map<Type, ReadonlyMap<string, string>>();

  constructor(
    private readonly church: Church,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * Reads names in any letter case, and ignores unknown fields.
   * @param church replaces the configured one for fields with another order of day and month.
   * @throws InvalidRequestError which names every invalid field.
   */
  read<T extends object>(request: Type<T>, fields: Readonly<Record<string, unknown>>, church = this.church): T {
    // ignoreDecorators ignores Expose and Exclude, which no request class has, but not Transform.
    const options: FieldOptions = { church, now: this.clock.now(), ignoreDecorators: true };
    const instance = plainToInstance(request, this.knownFields(request, fields), options);
    const errors = validateSync(instance, { validationError: { target: false, value: false } });
    if (errors.length > 0) {
      throw InvalidRequestError.ofFields(
        errors.flatMap(({ property, constraints }): FieldFault[] =>
          Object.values(constraints ?? {}).map((message) => ({ field: property, message })),
        ),
      );
    }
    return instance;
  }

  /** The fields of the class, with the class's spelling of their names. */
  private knownFields(request: Type, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const spelling = this.spellingOf(request);
    const known: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      const property = spelling.get(foldFieldName(name));
      if (property !== undefined)
        known[property] = typeof value === 'object' && value !== null ? OBJECT_OR_ARRAY : value;
    }
    return known;
  }

  private spellingOf(request: Type): ReadonlyMap<string, string> {
    let spelling = this.spellings.get(request);
    if (spelling === undefined) {
      spelling = new Map(fieldsOf(request).map(({ name }) => [foldFieldName(name), name]));
      this.spellings.set(request, spelling);
    }
    return spelling;
  }
}

/** A field of a request class. */
interface RequestField {
  /** As the class spells it. */
  readonly name: string;
  readonly required: boolean;
}

/** The fields of a request class, in the order of their declaration. */
export function fieldsOf(request: Type): readonly RequestField[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(request, '', false, false);
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))];
  return names.map((name) => ({
    name,
    required: rules.some((rule) => rule.propertyName === name && rule.name === REQUIRED),
  }));
}
