import { Injectable, PipeTransform } from '@nestjs/common';
import { InvalidRequestError, type Query, Reads, valueOf } from '../../../http/index.js';
import { FLAG_LENIENCY, FLAG_SCHEMA, isFault, read, readFlag, type Reading } from '../../../values/index.js';

/**
 * Reads the optional `dryRun` of AddContribution, with which it does what PreviewContribution does. Callers that were written
 * before PreviewContribution use it; the API document leaves it out (ADR 60). Neither `?dryrun=true` nor `?dryRun` may record a gift, so the name is
 * read in any letter case, like paths and fields, and a blank value is refused.
 */
@Injectable()
@Reads({
  name: 'dryRun',
  in: 'query',
  schema: FLAG_SCHEMA,
  leniency: FLAG_LENIENCY,
  isDeprecated: true,
  description: 'If true, the gift is checked and matched, but not stored. The name is read in any letter case.',
  examples: [true],
})
export class DryRunPipe implements PipeTransform<Query, boolean> {
  transform(query: Query): boolean {
    const dryRun = readDryRun(query);
    if (isFault(dryRun)) throw InvalidRequestError.ofReadings({ dryRun });
    return dryRun.value;
  }
}

/** Whether a call is a dry run. A call with an invalid `dryRun` is none; {@link DryRunPipe} refuses it. */
export function isDryRun(query: Query): boolean {
  const dryRun = readDryRun(query);
  return !isFault(dryRun) && dryRun.value;
}

function readDryRun(query: Query): Reading<boolean> {
  const sent = valueOf(query, 'dryRun');
  return sent === undefined ? read(false) : readFlag(sent);
}
