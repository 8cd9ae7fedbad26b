import { fieldReader, filterId, InvalidRequestError, OptionalField, pageLimitUpTo, text } from '../../../http/index.js';
import { amount, FilterRequest } from '../listing/filter.request.js';
import { GIFTS_PER_PAGE } from './found-gift-view.js';
import type { GiftSearch } from './search-gifts.service.js';
import { fault, isFault, read, readPathId, toCents } from '../../../values/index.js';

/** Gifts on a page if the caller sends no limit. */
const DEFAULT_LIMIT = 50;

const position = fieldReader<number>(
  { type: 'string', minLength: 1, maxLength: 10, pattern: '^[1-9]\\d{0,9}$' },
  (value) => {
    const id = readPathId(String(value));
    return isFault(id) ? fault('must be what the page before calls "next", unchanged') : read(id.value);
  },
);

/** What to search for, and the requested page. */
export class SearchGiftsRequest extends FilterRequest {
  @OptionalField(text(200), {
    description:
      'What to search for: the giver’s name or the beginning of its words, as it is now or as sent; e-mail address; phone number ' +
      'in any spelling; amount (`25`, `$1,234.56`); check number; `TransactionId`; ContributionId; or words of the notes. ' +
      'Letter case and accents do not matter in names and notes. A gift needs all words in the same detail.',
    examples: ['Appleseed'],
  })
  q?: string;

  @OptionalField(filterId, { description: 'Only gifts that are in this fund now.', examples: [1] })
  fundId?: number;

  @OptionalField(text(100), { description: 'Only gifts that this user added.', examples: ['txt2give'] })
  processor?: string;

  @OptionalField(amount, { description: 'Only gifts of exactly this amount.', examples: ['10.00'] })
  amount?: string;

  @OptionalField(position, {
    description: 'For the next page: the value of `next` on the previous page, unchanged.',
    examples: ['4711'],
  })
  after?: number;

  @OptionalField(pageLimitUpTo(GIFTS_PER_PAGE), {
    description: `The most gifts on a page. The default is ${DEFAULT_LIMIT}.`,
    examples: [DEFAULT_LIMIT],
  })
  limit?: number;
}

/** The search of a request, for the use case. @throws InvalidRequestError for a range that contains nothing. */
export function toGiftSearch(request: SearchGiftsRequest): GiftSearch {
  const { q, after, limit = DEFAULT_LIMIT, ...filter } = request;
  const { from, to, minAmount, maxAmount } = filter;
  if (from !== undefined && to !== undefined && from > to) {
    throw InvalidRequestError.ofReadings({ to: fault('must not be before from') });
  }
  if (minAmount !== undefined && maxAmount !== undefined && toCents(minAmount) > toCents(maxAmount)) {
    throw InvalidRequestError.ofReadings({ maxAmount: fault('must not be less than minAmount') });
  }
  return { text: q, filter, after, limit };
}
