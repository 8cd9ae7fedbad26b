import { Injectable, Type } from '@nestjs/common';
import { Church } from '../../config/index.js';
import { DatabaseClock } from '../../database/index.js';
import { InvalidRequestError } from '../problems/errors.js';
import { readFields } from './read-fields.js';

/** Converts fields of a body, query or file to a request class, whose decorators define what is accepted. */
@Injectable()
export class RequestReader {
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
    const { instance, faults, kept } = readFields(request, fields, church, this.clock.now());
    if (faults.length > 0) throw InvalidRequestError.ofFields([...faults, ...kept]);
    return instance;
  }
}
