import { Injectable, PipeTransform } from '@nestjs/common';
import { ID_IN_PATH, InvalidRequestError, type Parameter, Reads } from '../../http/index.js';
import { fault, isAbsent, isFault, type Reading, readPathId, readText, textSchema } from '../../values/index.js';

/** A source or a transaction id: one percent-decoded segment of 1 to 100 characters. */
const SEGMENT = { max: 100 };
const SEGMENT_SCHEMA = textSchema(SEGMENT);

const SOURCE: Parameter = {
  name: 'source',
  in: 'path',
  schema: SEGMENT_SCHEMA,
  description: 'The channel that reverses the gift: one percent-encoded segment of the path.',
  examples: ['txt2give'],
};

/** The parameters in the path of a reversal. */
export interface ReversalPath {
  readonly contributionId: number;
  readonly source: string;
}

/** Reads all parameters of the path at once, so that the answer reports all faults together. */
@Injectable()
@Reads(ID_IN_PATH, SOURCE)
export class ReversalPathPipe implements PipeTransform<{ id: string; source: string }, ReversalPath> {
  transform(path: { id: string; source: string }): ReversalPath {
    const id = readPathId(path.id);
    const source = readSegment(path.source);
    if (isFault(id) || isFault(source)) throw InvalidRequestError.ofReadings({ id, source });
    return { contributionId: id.value, source: source.value };
  }
}

/** The parameters in the path of a reversal by the sender's own id. */
export interface TransactionPath {
  readonly source: string;
  readonly transactionId: string;
}

/** Reads both parameters at once, as AddContribution reads Source and TransactionId. */
@Injectable()
@Reads(
  { ...SOURCE, description: 'The Source that was sent with the gift: one percent-encoded segment of the path.' },
  {
    name: 'transactionId',
    in: 'path',
    schema: SEGMENT_SCHEMA,
    description: 'The TransactionId that was sent with the gift: one percent-encoded segment of the path.',
    examples: ['T-20260726-0042'],
  },
)
export class TransactionPathPipe implements PipeTransform<TransactionPath, TransactionPath> {
  transform(path: TransactionPath): TransactionPath {
    const source = readSegment(path.source);
    const transactionId = readSegment(path.transactionId);
    if (isFault(source) || isFault(transactionId)) throw InvalidRequestError.ofReadings({ source, transactionId });
    return { source: source.value, transactionId: transactionId.value };
  }
}

function readSegment(sent: string): Reading<string> {
  return isAbsent(sent) ? fault('must not be blank') : readText(sent, SEGMENT);
}
