import { Injectable, PipeTransform } from '@nestjs/common';
import { InvalidRequestError, type Query, Reads, valueOf } from '../../../http/index.js';
import { FLAG_SCHEMA, isFault, read, readFlag, type Reading } from '../../../values/index.js';

/**
 * Reads the optional `dryRun` of AddContribution. Neither `?dryrun=true` nor `?dryRun` may record a gift, so the name is
 * read in any letter case, like paths and fields, and a blank value is refused.
 */
@Injectable()
@Reads({
  name: 'dryRun',
  in: 'query',
  schema: FLAG_SCHEMA,
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
