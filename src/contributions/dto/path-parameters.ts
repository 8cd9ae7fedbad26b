import { Injectable, PipeTransform } from '@nestjs/common';
import {
  fault,
  FLAG_SCHEMA,
  isAbsent,
  isFault,
  type Parameter,
  PLAIN_ID_SCHEMA,
  readFlag,
  readPathId,
  Reads,
  readText,
  textSchema,
  type Query,
  valueOf,
} from '../../http/index.js';
import { refusal } from './refusal.js';

/** Digits only; `1e1` and `01` are refused. */
const ID: Parameter = { name: 'id', in: 'path', schema: PLAIN_ID_SCHEMA, description: 'Its id.', examples: [1] };

const SOURCE = { max: 100 };

/** An id in a path. A string is checked, never converted first: `1e1` must not become 10. */
@Injectable()
@Reads(ID)
export class PathIdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    const id = readPathId(text);
    if (isFault(id)) throw refusal({ id });
    return id.value;
  }
}

/** What the path of a reversal says. */
export interface ReversalPath {
  readonly contributionId: number;
  /** One percent-decoded segment of 1 to 100 characters. */
  readonly source: string;
}

/** The path of a reversal, read as a whole so that all that is wrong with it is told at once. */
@Injectable()
@Reads(ID, {
  name: 'source',
  in: 'path',
  schema: { ...textSchema(SOURCE), minLength: 1 },
  description: 'Who takes it back: one segment of the path, percent-encoded.',
  examples: ['txt2give'],
})
export class ReversalPathPipe implements PipeTransform<{ id: string; source: string }, ReversalPath> {
  transform(path: { id: string; source: string }): ReversalPath {
    const id = readPathId(path.id);
    const source = isAbsent(path.source) ? fault('must not be blank') : readText(path.source, SOURCE);
    if (isFault(id) || isFault(source)) throw refusal({ id, source });
    return { contributionId: id.value, source: source.value };
  }
}

/**
 * `dryRun` of AddContribution: true, false, or left out. `?dryrun=true` and `?dryRun` must not record a gift: the name is
 * read in any letter case, as paths and fields are, and a blank value is refused.
 */
@Injectable()
@Reads({
  name: 'dryRun',
  in: 'query',
  schema: FLAG_SCHEMA,
  description: 'True: the same checks, the same matching, and nothing is stored. Its name is read in any letter case.',
  examples: [true],
})
export class DryRunPipe implements PipeTransform<Query, boolean> {
  transform(query: Query): boolean {
    const sent = valueOf(query, 'dryRun');
    if (sent === undefined) return false;
    const dryRun = readFlag(sent);
    if (isFault(dryRun)) throw refusal({ dryRun });
    return dryRun.value;
  }
}
