import { Injectable, PipeTransform } from '@nestjs/common';
import { type Parameter, Reads } from '../document/parameters.js';
import { InvalidRequestError } from '../problems/errors.js';
import { isFault, PLAIN_ID_SCHEMA, readPathId } from '../../values/index.js';

/** Digits only; `1e1` and `01` are refused. */
export const ID_IN_PATH: Parameter = {
  name: 'id',
  in: 'path',
  schema: PLAIN_ID_SCHEMA,
  description: 'Its id.',
  examples: [1],
};

/** Reads an id in a path. Checks the text before converting it, because `1e1` must not become 10. */
@Injectable()
@Reads(ID_IN_PATH)
export class PathIdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    const id = readPathId(text);
    if (isFault(id)) throw InvalidRequestError.ofReadings({ id });
    return id.value;
  }
}
