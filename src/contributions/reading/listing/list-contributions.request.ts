import { REASON_NAMES, type ReversalReason } from '../../events/index.js';
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
import { amountSchema, fault, readAmount } from '../../../values/index.js';
import { PAYMENT_METHODS, type PaymentMethod } from '../../ledger/index.js';

/** An amount, written as in a gift. */
const amount = fieldReader(
  ({ minorUnits }) => amountSchema(minorUnits),
  (value, { minorUnits }) =>
    /^\s*[-\u{2212}]/u.test(String(value))
      ? fault('must have no sign: 10 also finds entries of -10')
      : readAmount(value, minorUnits),
);

const position = fieldReader<PagePosition>(POSITION_SCHEMA, readPosition);

/** Contributions on a page if the caller sends no limit. */
const DEFAULT_LIMIT = 100;

/** The filter of the list of contributions, and the requested page. */
export class ListContributionsRequest {
  @OptionalField(filterId, {
    description: 'Only gifts of this person. The id of a merged person selects those of the surviving person.',
    examples: [152],
  })
  peopleId?: number;

  @OptionalField(filterId, { description: 'Only contributions to this fund.', examples: [1] })
  fundId?: number;

  @OptionalField(filterId, { description: 'Only contributions in this bundle.', examples: [7] })
  bundleId?: number;

  @OptionalField(text(100), { description: 'Only contributions with exactly this source.', examples: ['txt2give'] })
  source?: string;

  @OptionalField(text(100), {
    description: 'Only the gift with exactly this `TransactionId`, with all parts of a split payment.',
    examples: ['T-1001'],
  })
  transactionId?: string;

  @OptionalField(anyCaseOf(STATUSES), { description: 'Only contributions with this status.', examples: ['Recorded'] })
  status?: (typeof STATUSES)[number];

  @OptionalField(anyCaseOf(PAYMENT_METHODS), {
    description: 'Only entries of payments with this method.',
    examples: ['check'],
  })
  method?: PaymentMethod;

  @OptionalField(text(100), {
    description: 'Only entries of payments with exactly this `PayoutId`.',
    examples: ['po_7'],
  })
  payoutId?: string;

  @OptionalField(text(20), {
    description: 'Only entries of payments with exactly this `CheckNumber`.',
    examples: ['1042'],
  })
  checkNumber?: string;

  @OptionalField(amount, {
    description: 'Only contributions of exactly this amount. The sign does not count: 10 also finds entries of -10.00.',
    examples: ['10.00'],
  })
  amount?: string;

  @OptionalField(amount, {
    description: 'Only contributions of this amount or more, without sign.',
    examples: ['1000'],
  })
  minAmount?: string;

  @OptionalField(amount, {
    description: 'Only contributions of this amount or less, without sign.',
    examples: ['5000'],
  })
  maxAmount?: string;

  @OptionalField(anyCaseOf(REASON_NAMES), {
    description: 'Only reversing entries with this reason, and the gifts that they reverse, wholly or in part.',
    examples: ['chargeback'],
  })
  reason?: ReversalReason;

  @OptionalField(day, { description: 'Only gifts of this day or later, church time.', examples: ['2026-07-01'] })
  from?: string;

  @OptionalField(day, { description: 'Only gifts of this day or earlier, church time.', examples: ['2026-07-31'] })
  to?: string;

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
