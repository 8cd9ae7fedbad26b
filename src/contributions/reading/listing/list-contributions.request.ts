import { fieldReader, filterId, InvalidRequestError, moment, OptionalField, pageLimit } from '../../../http/index.js';
import type { ContributionFilter } from './contribution-filter.js';
import { amount, FilterRequest } from './filter.request.js';
import type { PageRequest } from './list-contributions.service.js';
import { type PagePosition, POSITION_SCHEMA, readPosition } from './page-position.js';
import { fault } from '../../../values/index.js';

const position = fieldReader<PagePosition>(POSITION_SCHEMA, readPosition);

/** Contributions on a page if the caller sends no limit. */
const DEFAULT_LIMIT = 100;

/** The filter of the list of contributions, and the requested page. */
export class ListContributionsRequest extends FilterRequest {
  @OptionalField(filterId, { description: 'Only contributions to this fund.', examples: [1] })
  fundId?: number;

  @OptionalField(amount, {
    description: 'Only contributions of exactly this amount. The sign does not count: 10 also finds entries of -10.00.',
    examples: ['10.00'],
  })
  amount?: string;

  @OptionalField(moment, {
    description:
      'Only contributions that were added or changed at this time or later, in the order of changes. It has the notations ' +
      'of a gift’s `Date`. A day means its beginning in church time. In a URL, write `+` as `%2B`.',
    examples: ['2026-07-26T00:00:00Z', '2026-07-26'],
  })
  updatedSince?: Date;

  @OptionalField(position, {
    description: 'For the next page: the value of `next` on the previous page, unchanged.',
    examples: ['change.42'],
  })
  after?: PagePosition;

  @OptionalField(pageLimit, {
    description: `The most contributions on a page. The default is ${DEFAULT_LIMIT}.`,
    examples: [DEFAULT_LIMIT],
  })
  limit?: number;
}

/** The filter and the page of a request, for the use case. @throws InvalidRequestError */
export function toFilterAndPage(request: ListContributionsRequest): [ContributionFilter, PageRequest] {
  const { after, limit = DEFAULT_LIMIT, ...filter } = request;
  if (after?.order === 'id' && filter.updatedSince !== undefined) {
    throw InvalidRequestError.ofReadings({
      after: fault('is of a list without updatedSince: leave one of the two out'),
    });
  }
  return [filter, { after, limit }];
}
