import {
  fieldReader,
  IgnoresNothing,
  lines,
  listOfObjects,
  OptionalField,
  RequiredField,
  text,
} from '../../../http/index.js';
import { fault, isFault, PLAIN_ID_SCHEMA, read, readPathId } from '../../../values/index.js';
import { currency, depositDay, signedAmount } from '../fields.js';
import { AnyonesItemRequest, DepositItemRequest } from './deposit-item.request.js';

/** The most items in one call. */
export const MAX_ITEMS = 1_000;

/** What a deposit is, in a body. */
class DepositFields {
  @RequiredField(text(100), {
    description: 'Your own id of the deposit, such as that of the payout. Unique for your user and `Source`.',
    examples: ['po_1042'],
  })
  DepositId!: string;

  @RequiredField(text(100), {
    description: 'The channel of yours that the gifts came through.',
    examples: ['txt2give'],
  })
  Source!: string;

  @RequiredField(depositDay, { description: 'The day of the payout.', examples: ['2026-07-28'] })
  Date!: string;

  @OptionalField(signedAmount, {
    description: 'What is paid out, in the currency of the deposit. Negative if it takes money from the bank.',
    examples: ['1610.66', '-12.50'],
  })
  Amount?: string;

  @OptionalField(currency, {
    description:
      'Of the deposit and all its items: the church’s currency, or a former one in which the books have gifts. The default is ' +
      'that of the deposit with this name; of a new one, the church’s.',
    examples: ['USD'],
  })
  Currency?: string;
}

const ITEMS = {
  description: `1 to ${MAX_ITEMS} payments and reversals. Send further ones by further calls with the same other fields.`,
  examples: [[{ TransactionId: 'T-20260726-0042', Fee: '0.59' }, { ReversalOf: 2 }]],
} as const;

/** The body of SendDeposit. */
@IgnoresNothing()
export class DepositRequest extends DepositFields {
  @OptionalField(listOfObjects(DepositItemRequest, MAX_ITEMS), ITEMS)
  Items?: readonly DepositItemRequest[];
}

/** The body of EnterDeposit. */
@IgnoresNothing()
export class EnterDepositRequest extends DepositFields {
  @OptionalField(listOfObjects(AnyonesItemRequest, MAX_ITEMS), ITEMS)
  Items?: readonly AnyonesItemRequest[];
}

/** The body of AddDepositItems. */
@IgnoresNothing()
export class AddItemsRequest {
  @RequiredField(listOfObjects(AnyonesItemRequest, MAX_ITEMS), {
    description: `1 to ${MAX_ITEMS} payments and reversals.`,
    examples: [[{ ContributionId: 1 }, { ReversalOf: 2 }]],
  })
  Items!: readonly AnyonesItemRequest[];
}

/** A list of ids. */
const ids = Object.assign(
  fieldReader<readonly number[]>(
    { type: 'array', items: PLAIN_ID_SCHEMA, minItems: 1, maxItems: MAX_ITEMS },
    (value) =>
      Array.isArray(value) && value.length >= 1 && value.length <= MAX_ITEMS && value.every(isId)
        ? read(value)
        : fault(`must be a list of 1 to ${MAX_ITEMS} ids`),
  ),
  { acceptsObjects: true },
);

function isId(value: unknown): value is number {
  return typeof value === 'number' && !isFault(readPathId(String(value)));
}

/** The body of RemoveDepositItems. */
@IgnoresNothing()
export class RemoveItemsRequest {
  @RequiredField(ids, { description: 'The itemIds of items of this deposit.', examples: [[12, 13]] })
  ItemIds!: readonly number[];

  @RequiredField(lines(1000), {
    description: 'Why. Stored with the items.',
    examples: ['Paid out with the next deposit'],
  })
  Reason!: string;
}

/** The body of DepositPayout. */
@IgnoresNothing()
export class DepositPayoutRequest {
  @RequiredField(text(100), { description: 'The source of the gifts.', examples: ['txt2give'] })
  Source!: string;

  @RequiredField(text(100), { description: 'The PayoutId of the gifts.', examples: ['po_1042'] })
  PayoutId!: string;

  @OptionalField(depositDay, {
    description:
      'The day of the payout. What was taken back since the payout before, up to this day, belongs to the deposit. The ' +
      'default is the day of the last gift. A deposit that exists keeps its day.',
    examples: ['2026-07-28'],
  })
  Date?: string;

  @OptionalField(currency, {
    description:
      'The currency of the gifts, if the payout has gifts in several. The default is the church’s; if no gift is in it, that of ' +
      'the last gift.',
    examples: ['USD'],
  })
  Currency?: string;
}
