import { fault, OptionalField } from '../../http/index.js';
import type { ContributionFilter } from '../reading/contribution-filter.js';
import type { PageRequest } from '../reading/list-contributions.service.js';
import type { PagePosition } from '../reading/page-position.js';
import { text } from './gift-fields.js';
import { refusal } from './query.js';
import { day, existingId, moment, pageLimit, position, status } from './list-fields.js';

/** By what the list of contributions is narrowed down, and which page of it is asked for. */
export class ListContributionsRequest {
  @OptionalField(existingId) peopleId?: number;
  @OptionalField(existingId) fundId?: number;
  @OptionalField(existingId) bundleId?: number;
  @OptionalField(text(100)) source?: string;
  @OptionalField(text(100)) transactionId?: string;
  @OptionalField(status) status?: 'Recorded' | 'Reversed';
  @OptionalField(day) from?: string;
  @OptionalField(day) to?: string;
  @OptionalField(moment) updatedSince?: Date;
  @OptionalField(position) after?: PagePosition;
  @OptionalField(pageLimit) limit?: number;
}

/** Contributions on a page for whoever does not say how many. */
const DEFAULT_LIMIT = 100;

/** What a request asks for, in the words of the use case. @throws InvalidRequestError */
export function toFilterAndPage(request: ListContributionsRequest): [ContributionFilter, PageRequest] {
  const { after, limit = DEFAULT_LIMIT, ...filter } = request;
  if (after?.order === 'id' && filter.updatedSince !== undefined) {
    throw refusal({ after: fault('is of a list without updatedSince: leave one of the two out') });
  }
  return [filter, { after, limit }];
}
