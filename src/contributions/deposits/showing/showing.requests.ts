import { anyCaseOf, filterId, OptionalField, pageLimitUpTo, RequiredField, text } from '../../../http/index.js';
import { depositDay } from '../fields.js';
import { DEPOSIT_STATUSES, type DepositStatus } from '../deposit-view.js';
import { MOST_ITEMS_SHOWN } from './deposit-details.js';

/** The filter of the list of deposits. Omitted fields do not filter. */
export class ListDepositsRequest {
  @OptionalField(anyCaseOf(DEPOSIT_STATUSES), { description: 'Only deposits with this status.', examples: ['Differs'] })
  status?: DepositStatus;

  @OptionalField(text(100), { description: 'Only deposits of this source.', examples: ['txt2give'] })
  source?: string;

  @OptionalField(depositDay, { description: 'Only deposits of this day or later.', examples: ['2026-07-01'] })
  from?: string;

  @OptionalField(depositDay, { description: 'Only deposits of this day or earlier.', examples: ['2026-07-31'] })
  to?: string;

  @OptionalField(filterId, { description: 'For the next page: the last id of the previous page.', examples: [207] })
  before?: number;
}

/** Which items of a deposit to show. */
export class ReadDepositRequest {
  @OptionalField(filterId, { description: 'For the next page of items: `next` of the previous page.', examples: [212] })
  after?: number;

  @OptionalField(pageLimitUpTo(MOST_ITEMS_SHOWN), {
    description: `Items on a page, 1 to ${MOST_ITEMS_SHOWN}. Default: 200.`,
    examples: [500],
  })
  limit?: number;
}

/** Which payments and reversals to list. */
export class ListUndepositedRequest {
  @RequiredField(text(100), { description: 'Only gifts of this source.', examples: ['txt2give'] })
  source!: string;

  @OptionalField(depositDay, {
    description: 'Only what was recorded on this day or later. Default: 30 days before `to`.',
    examples: ['2026-07-01'],
  })
  from?: string;

  @OptionalField(depositDay, {
    description: 'Only what was recorded on this day or earlier. Default: today.',
    examples: ['2026-07-31'],
  })
  to?: string;

  @OptionalField(filterId, { description: 'For the next page: `next` of the previous page.', examples: [231] })
  after?: number;
}

/** Which payouts to list. */
export class ListPayoutsRequest {
  @OptionalField(text(100), { description: 'Only payouts of this source.', examples: ['txt2give'] })
  source?: string;

  @OptionalField(depositDay, {
    description: 'Only gifts of this day or later. Default: 90 days ago.',
    examples: ['2026-07-01'],
  })
  from?: string;
}
