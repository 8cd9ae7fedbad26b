import {
  anyCaseOf,
  day,
  filterId,
  fieldReader,
  InvalidRequestError,
  moment,
  OptionalField,
  pageLimit,
  text,
} from '../../../http/index.js';
import type { ContributionFilter } from './contribution-filter.js';
import { STATUSES } from '../contribution-view.js';
import type { PageRequest } from './list-contributions.service.js';
import { type PagePosition, POSITION_SCHEMA, readPosition } from './page-position.js';
import { fault } from '../../../values/index.js';

/** Where a page begins. */
const position = fieldReader<PagePosition>(POSITION_SCHEMA, readPosition);

/** Contributions on a page for whoever does not say how many. */
const DEFAULT_LIMIT = 100;

/** By what the list of contributions is narrowed down, and which page of it is asked for. */
export class ListContributionsRequest {
  @OptionalField(filterId, {
    description: 'Only that person’s; one that was merged leads to the surviving one.',
    examples: [152],
  })
  peopleId?: number;

  @OptionalField(filterId, { description: 'Only what is for that fund.', examples: [1] })
  fundId?: number;

  @OptionalField(filterId, { description: 'Only what is in that deposit.', examples: [7] })
  bundleId?: number;

  @OptionalField(text(100), { description: 'Only what has exactly this source.', examples: ['txt2give'] })
  source?: string;

  @OptionalField(text(100), { description: 'Only the gift with exactly this id of yours.', examples: ['T-1001'] })
  transactionId?: string;

  @OptionalField(anyCaseOf(STATUSES), { description: 'Only what was taken back, or was not.', examples: ['Recorded'] })
  status?: (typeof STATUSES)[number];

  @OptionalField(day, { description: 'Only gifts of this day or later, church time.', examples: ['2026-07-01'] })
  from?: string;

  @OptionalField(day, { description: 'Only gifts of this day or earlier, church time.', examples: ['2026-07-31'] })
  to?: string;

  @OptionalField(moment, {
    description:
      'Only what was added or changed then or later, in the order of the changes. In the notations of a gift’s `Date`; ' +
      'a day is its beginning in church time. In an address a `+` is written `%2B`.',
    examples: ['2026-07-26T00:00:00Z', '2026-07-26'],
  })
  updatedSince?: Date;

  @OptionalField(position, {
    description: 'For the next page: what the page before calls `next`, unchanged.',
    examples: ['change.42'],
  })
  after?: PagePosition;

  @OptionalField(pageLimit, {
    description: `So many on a page; ${DEFAULT_LIMIT} if left out.`,
    examples: [DEFAULT_LIMIT],
  })
  limit?: number;
}

/** What a request asks for, in the words of the use case. @throws InvalidRequestError */
export function toFilterAndPage(request: ListContributionsRequest): [ContributionFilter, PageRequest] {
  const { after, limit = DEFAULT_LIMIT, ...filter } = request;
  if (after?.order === 'id' && filter.updatedSince !== undefined) {
    throw InvalidRequestError.ofReadings({
      after: fault('is of a list without updatedSince: leave one of the two out'),
    });
  }
  return [filter, { after, limit }];
}
