import { Injectable, PipeTransform } from '@nestjs/common';
import { fault, InvalidRequestError, isAbsent, isFault, type Reading, readPathId, readText } from '../../http/index.js';

/** A contribution's id in a path. A string is checked, never converted first: `1e1` must not become 10. */
@Injectable()
export class ContributionIdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    return accepted('id', readPathId(text));
  }
}

/** The source in a path: one percent-decoded segment of 1 to 100 characters. */
@Injectable()
export class SourcePipe implements PipeTransform<string, string> {
  transform(text: string): string {
    return accepted('source', isAbsent(text) ? fault('must not be blank') : readText(text, { max: 100 }));
  }
}

function accepted<T>(field: string, reading: Reading<T>): T {
  if (isFault(reading)) throw InvalidRequestError.ofFields([{ field, message: reading.fault }]);
  return reading.value;
}
