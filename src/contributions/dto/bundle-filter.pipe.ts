import { Injectable, PipeTransform } from '@nestjs/common';
import { fault, isFault, read, readDay, type Reading, readPathId } from '../../http/index.js';
import type { BundleFilter } from '../bundles/bundles.service.js';
import { type Query, refusal, valueOf } from './query.js';

/** `status`, `from`, `to` and `before` of the list of bundles; what is left out does not matter. */
@Injectable()
export class BundleFilterPipe implements PipeTransform<Query, BundleFilter> {
  transform(query: Query): BundleFilter {
    const status = optional(query, 'status', readStatus);
    const from = optional(query, 'from', readDay);
    const to = optional(query, 'to', readDay);
    const before = optional(query, 'before', (text) => readPathId(String(text)));
    if (isFault(status) || isFault(from) || isFault(to) || isFault(before)) {
      throw refusal({ status, from, to, before });
    }
    return { status: status.value, from: from.value, to: to.value, before: before.value };
  }
}

function optional<T>(query: Query, name: string, reader: (sent: unknown) => Reading<T>): Reading<T | undefined> {
  const sent = valueOf(query, name);
  return sent === undefined ? read(undefined) : reader(sent);
}

function readStatus(sent: unknown): Reading<'Open' | 'Closed'> {
  const status = typeof sent === 'string' ? sent.toLowerCase() : '';
  if (status === 'open') return read('Open');
  return status === 'closed' ? read('Closed') : fault('must be open or closed');
}
