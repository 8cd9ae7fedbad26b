import { Injectable, PipeTransform } from '@nestjs/common';
import {
  fault,
  foldFieldName,
  InvalidRequestError,
  isAbsent,
  isFault,
  readFlag,
  type Reading,
  readPathId,
  readText,
} from '../../http/index.js';

/** A contribution's id in a path. A string is checked, never converted first: `1e1` must not become 10. */
@Injectable()
export class ContributionIdPipe implements PipeTransform<string, number> {
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
 * `dryRun` of AddContribution, from the whole query: true, false, or left out. Its name is read in any letter case, as
 * paths and fields are: a real gift must not come of `?dryrun=true`.
 */
@Injectable()
export class DryRunPipe implements PipeTransform<Record<string, unknown>, boolean> {
  transform(query: Record<string, unknown>): boolean {
    const sent = Object.entries(query).flatMap(([name, value]) => (foldFieldName(name) === 'dryrun' ? [value] : []));
    if (sent.length > 1) throw refusal({ dryRun: fault('must not be given twice') });
    if (isAbsent(sent[0])) return false;
    const dryRun = readFlag(sent[0]);
    if (isFault(dryRun)) throw refusal({ dryRun });
    return dryRun.value;
  }
}

/** `after` of a list: the last id of the page before, or left out. */
@Injectable()
export class AfterPipe implements PipeTransform<unknown, number> {
  transform(sent: unknown): number {
    if (isAbsent(sent)) return 0;
    const after = readPathId(String(sent));
    if (isFault(after)) throw refusal({ after });
    return after.value;
  }
}

function refusal(readings: Record<string, Reading<unknown>>): InvalidRequestError {
  return InvalidRequestError.ofFields(
    Object.entries(readings).flatMap(([field, reading]) =>
      isFault(reading) ? [{ field, message: reading.fault }] : [],
    ),
  );
}
