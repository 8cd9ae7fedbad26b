import { Injectable, PipeTransform } from '@nestjs/common';
import {
  DAY_SCHEMA,
  fault,
  isFault,
  PLAIN_ID_SCHEMA,
  read,
  readDay,
  type Reading,
  readPathId,
  Reads,
} from '../../http/index.js';
import type { BundleFilter } from '../bundles/bundles.service.js';
import { type Query, refusal, valueOf } from './query.js';

/** `status`, `from`, `to` and `before` of the list of bundles; what is left out does not matter. */
@Injectable()
@Reads(
  {
    name: 'status',
    in: 'query',
    schema: { type: 'string', pattern: '^([Oo][Pp][Ee][Nn]|[Cc][Ll][Oo][Ss][Ee][Dd])$' },
    description: 'Only those that are `open`, or `closed`.',
    examples: ['open'],
  },
  { name: 'from', in: 'query', schema: DAY_SCHEMA, description: 'Of this day or later.', examples: ['2026-07-01'] },
  { name: 'to', in: 'query', schema: DAY_SCHEMA, description: 'Of this day or earlier.', examples: ['2026-07-31'] },
  {
    name: 'before',
    in: 'query',
    schema: PLAIN_ID_SCHEMA,
    description: 'For the next page: the last bundleId of the page before.',
    examples: [207],
  },
)
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
