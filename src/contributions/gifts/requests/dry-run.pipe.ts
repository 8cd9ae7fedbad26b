import { Injectable, PipeTransform } from '@nestjs/common';
import { InvalidRequestError, type Query, Reads, valueOf } from '../../../http/index.js';
import { FLAG_SCHEMA, isFault, readFlag } from '../../../values/index.js';

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
    if (isFault(dryRun)) throw InvalidRequestError.ofReadings({ dryRun });
    return dryRun.value;
  }
}
