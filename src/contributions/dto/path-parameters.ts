import { Injectable, PipeTransform } from '@nestjs/common';
import { fault, isAbsent, isFault, readFlag, readId, readPathId, readText } from '../../http/index.js';
import { type Query, refusal, valueOf } from './query.js';

/** An id in a path. A string is checked, never converted first: `1e1` must not become 10. */
@Injectable()
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
export class ReversalPathPipe implements PipeTransform<{ id: string; source: string }, ReversalPath> {
  transform(path: { id: string; source: string }): ReversalPath {
    const id = readPathId(path.id);
    const source = isAbsent(path.source) ? fault('must not be blank') : readText(path.source, { max: 100 });
    if (isFault(id) || isFault(source)) throw refusal({ id, source });
    return { contributionId: id.value, source: source.value };
  }
}

/**
 * `dryRun` of AddContribution: true, false, or left out. A real gift must not come of `?dryrun=true`, nor of `?dryRun`:
 * the name is read in any letter case, as paths and fields are, and a blank value is refused.
 */
@Injectable()
export class DryRunPipe implements PipeTransform<Query, boolean> {
  transform(query: Query): boolean {
    const sent = valueOf(query, 'dryRun');
    if (sent === undefined) return false;
    const dryRun = readFlag(sent);
    if (isFault(dryRun)) throw refusal({ dryRun });
    return dryRun.value;
  }
}

/** `after` of a list: the last id of the page before; 0 or left out for the first page. */
@Injectable()
export class AfterPipe implements PipeTransform<Query, number> {
  transform(query: Query): number {
    const sent = valueOf(query, 'after');
    if (sent === undefined) return 0;
    const after = readId(sent);
    if (isFault(after) || isAbsent(sent)) throw refusal({ after: isFault(after) ? after : fault('must be an id') });
    return after.value ?? 0;
  }
}
