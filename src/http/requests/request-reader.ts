import { Injectable, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { Church } from '../../config/index.js';
import { DatabaseClock } from '../../database/index.js';
import { FieldOptions, REQUIRED } from './field.js';
import { FieldFault, InvalidRequestError } from '../problems/errors.js';
import { foldFieldName } from './read-json.js';

/**
 * Stands for an object or array, which no field takes: class-transformer would walk into it, and trust what it finds
 * there (`constructor`) as if it were ours.
 */
const NO_VALUE = Symbol('object or array');

/** Turns fields, wherever they come from, into a request class, whose decorators are the table of what is accepted. */
@Injectable()
export class RequestReader {
  private readonly spellings = new Map<Type, ReadonlyMap<string, string>>();

  constructor(
    private readonly church: Church,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * Names are read in any letter case; unknown fields are dropped.
   * @param church another one than ours where the fields were written by other customs.
   * @throws InvalidRequestError with every field that did not pass.
   */
  read<T extends object>(request: Type<T>, fields: Readonly<Record<string, unknown>>, church = this.church): T {
    // Expose and Exclude, of which a request class has none; not Transform.
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

  /** The fields that the class knows, under the class's spelling of their names. */
  private knownFields(request: Type, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const spelling = this.spellingOf(request);
    const known: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      const property = spelling.get(foldFieldName(name));
      if (property !== undefined) known[property] = typeof value === 'object' && value !== null ? NO_VALUE : value;
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

/** The fields that a request class knows, in the order in which it lists them. */
export function fieldsOf(request: Type): readonly RequestField[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(request, '', false, false);
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))];
  return names.map((name) => ({
    name,
    required: rules.some((rule) => rule.propertyName === name && rule.name === REQUIRED),
  }));
}
