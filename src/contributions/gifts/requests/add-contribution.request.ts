import {
  anyCaseOf,
  digits,
  email,
  flag,
  id,
  keepingFault,
  lines,
  listOfObjects,
  OptionalField,
  RequiredField,
  RequiredWith,
  text,
} from '../../../http/index.js';
import { amount, currency, fee, giftDate } from './gift-fields.js';
import { MAX_SPLITS, SplitRequest } from './split.request.js';
import { MAX_FUND_NAME } from '../../funds/index.js';
import { PAYMENT_METHODS, type PaymentMethod } from '../../ledger/index.js';
import { type GiftDate, LONGEST, type Reading, type StoredAmount } from '../../../values/index.js';

/**
 * The fields that AddContribution accepts (contract, "AddContribution"), spelled as on the wire. Properties hold the
 * values that the field readers return. An omitted field is undefined.
 */
export class AddContributionRequest {
  @RequiredField(text(LONGEST.name), { description: 'The giver’s first name.', examples: ['John'] })
  First!: string;

  @RequiredField(text(LONGEST.name), { description: 'The giver’s last name.', examples: ['Appleseed'] })
  Last!: string;

  @RequiredField(email, { description: 'One e-mail address.', examples: ['john@example.org'] })
  Email!: string;

  @RequiredField(digits(LONGEST.phone), {
    description: 'A phone number in any notation. An invalid number is stored, but not used for matching.',
    examples: ['901-489-0611'],
  })
  Phone!: string;

  @RequiredField(amount, {
    description:
      'Exact decimal text in the church’s currency, more than zero and less than 1000000000, without sign, symbol or ' +
      'separator.',
    examples: ['10.00'],
  })
  Amount!: StoredAmount;

  @OptionalField(lines(LONGEST.address), {
    description: 'The giver’s postal address.',
    examples: ['1 Main Street\nMemphis'],
  })
  Address?: string;

  @OptionalField(digits(LONGEST.zip), { description: 'The giver’s postal code.', examples: ['38103'] })
  Zip?: string;

  @OptionalField(giftDate, {
    description:
      'When it was given: ISO 8601 date, or date and time with or without an offset. Without an offset it is church time. ' +
      'From 1900-01-01 to the end of tomorrow. The default is now.',
    examples: ['2026-07-26', '2026-07-26T09:30:00-05:00'],
  })
  Date?: GiftDate;

  @OptionalField(lines(LONGEST.notes), { description: 'Stored with the gift.', examples: ['For the roof'] })
  Notes?: string;

  @RequiredWith('TransactionId')
  @OptionalField(text(LONGEST.ownId), {
    description: 'The channel of yours that the gift came through.',
    examples: ['txt2give'],
  })
  Source?: string;

  @OptionalField(id, { description: 'A fund of the church. The default is its default fund.', examples: [1] })
  FundId?: number;

  @OptionalField(id, {
    description: 'A person from an earlier answer, who gets the gift without matching.',
    examples: [152],
  })
  PeopleId?: number;

  @OptionalField(flag, {
    description: 'If true and no person matches, the gift is refused with `unknown_person`, and no person is created.',
    examples: [false],
  })
  IgnoreUnknownPerson?: boolean;

  @OptionalField(id, {
    description:
      '1 Generic Envelopes, 2 Loose Checks and Cash, 3 Preprinted Envelopes, 4 Online (default), 5 Online Pledge, ' +
      '6 Pledge, 20 Mission Trip, 30 Gifts In Kind, 32 Stock.',
    examples: [4],
  })
  BundleTypeId?: number;

  @OptionalField(id, {
    description: '1 Regular (default), 5 Online, 8 Pledge, 9 NonTaxDed, 10 Gift In Kind, 20 Stock.',
    examples: [1],
  })
  ContributionTypeId?: number;

  @OptionalField(currency, {
    description:
      'ISO 4217. It must be the church’s currency (ReadChurch). Any other is refused with `currency_mismatch`.',
    examples: ['USD'],
  })
  Currency?: string;

  @OptionalField(text(LONGEST.ownId), {
    description:
      'Your own id of the gift. It requires `Source`. The pair always belongs to the same gift of your user: sent again ' +
      'with the same fields, it gets the first answer.',
    examples: ['T-20260726-0042'],
  })
  TransactionId?: string;

  @OptionalField(keepingFault(anyCaseOf(PAYMENT_METHODS)), {
    description: 'How it was paid.',
    examples: ['card'],
  })
  Method?: Reading<PaymentMethod>;

  @OptionalField(keepingFault(text(LONGEST.checkNumber)), { description: 'The number of a check.', examples: ['1017'] })
  CheckNumber?: Reading<string>;

  @OptionalField(keepingFault(fee), {
    description: 'What the processor keeps, from 0 to `Amount`. The gift stays gross: the fee is not deducted from it.',
    examples: ['0.59'],
  })
  Fee?: Reading<StoredAmount>;

  @OptionalField(keepingFault(text(LONGEST.ownId)), {
    description: 'Your id of the payout that contains this payment. It requires `Source`.',
    examples: ['po_1042'],
  })
  PayoutId?: Reading<string>;

  @OptionalField(keepingFault(text(MAX_FUND_NAME)), {
    description:
      'The name of a fund, instead of its id. Letter case, accents, spaces and punctuation do not matter. An unknown name is ' +
      'refused with `fund_not_found`.',
    examples: ['General'],
  })
  FundName?: Reading<string>;

  @OptionalField(keepingFault(listOfObjects(SplitRequest, MAX_SPLITS)), {
    description:
      `The parts of a payment to several funds: 1 to ${MAX_SPLITS}, which add up to \`Amount\`. Each becomes a contribution. ` +
      'The answer has the id of the first one. Do not send `FundId` or `FundName` beside them.',
    examples: [
      [
        { FundId: 1, Amount: '60.00' },
        { FundName: 'Missions', Amount: '40.00' },
      ],
    ],
  })
  Splits?: Reading<readonly SplitRequest[]>;
}

/**
 * The request version in which each of these fields was added; all other fields are in version 1. A program that does not
 * know a field ignores it, so its stored digests do not cover the field, and a repeated call is compared without it. A
 * new field needs an entry here and the next REQUEST_VERSION.
 */
export const ADDED_IN_VERSION = {
  Currency: 2,
  Method: 3,
  CheckNumber: 3,
  Fee: 3,
  PayoutId: 3,
  FundName: 3,
  Splits: 3,
} as const satisfies Partial<Record<keyof AddContributionRequest, number>>;
