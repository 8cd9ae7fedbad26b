import { Injectable, PipeTransform } from '@nestjs/common';
import { ID_IN_PATH, InvalidRequestError, Reads } from '../../http/index.js';
import { fault, isAbsent, isFault, readPathId, readText, textSchema } from '../../values/index.js';

const SOURCE = { max: 100 };

/** The parameters in the path of a reversal. */
export interface ReversalPath {
  readonly contributionId: number;
  /** One percent-decoded segment of 1 to 100 characters. */
  readonly source: string;
}

/** Reads all parameters of the path at once, so that the answer reports all faults together. */
@Injectable()
@Reads(ID_IN_PATH, {
  name: 'source',
  in: 'path',
  schema: { ...textSchema(SOURCE), minLength: 1 },
  description: 'The channel that reverses the gift: one percent-encoded segment of the path.',
  examples: ['txt2give'],
})
export class ReversalPathPipe implements PipeTransform<{ id: string; source: string }, ReversalPath> {
  transform(path: { id: string; source: string }): ReversalPath {
    const id = readPathId(path.id);
    const source = isAbsent(path.source) ? fault('must not be blank') : readText(path.source, SOURCE);
    if (isFault(id) || isFault(source)) throw InvalidRequestError.ofReadings({ id, source });
    return { contributionId: id.value, source: source.value };
  }
}
