import { listOf, Property } from '../../http/index.js';
import { INSTANT, PLAIN_ID_SCHEMA, TEXTS } from '../../values/index.js';
import {
  COUNT,
  CURRENCY,
  DAY,
  MAX_CURRENCIES,
  MONEY,
  PAYMENT_METHODS,
  type PaymentMethod,
  Totals,
} from '../ledger/index.js';

/** The most bundles in one answer. The parameter `before` continues the list. */
export const BUNDLES_PER_LIST = 200;

/** `status` of a bundle. */
export const BUNDLE_STATUSES = ['Open', 'Closed'] as const;

/** A bundle in a list: the contributions of one user, one day and one bundle type. */
export class BundleView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the bundle.', examples: [7] })
  readonly bundleId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'See `BundleTypeId` of AddContribution.', examples: [4] })
  readonly bundleTypeId!: number;

  @Property(TEXTS.name, { description: 'Name of the bundle type.', examples: ['Online'] })
  readonly bundleType!: string;

  @Property(TEXTS.actor, { description: 'Name of the user who added the gifts.', examples: ['txt2give'] })
  readonly user!: string;

  @Property(DAY, { description: 'The day in church time.', examples: ['2026-07-26'] })
  readonly day!: string;

  @Property(
    { type: 'string', enum: BUNDLE_STATUSES },
    { description: 'A closed bundle never changes.', examples: ['Closed'] },
  )
  readonly status!: (typeof BUNDLE_STATUSES)[number];

  @Property(INSTANT, { description: 'When its first gift was recorded.', examples: ['2026-07-26T14:03:09.512Z'] })
  readonly createdAt!: string;

  @Property(INSTANT, { description: 'When it was closed.', examples: ['2026-07-28T09:00:00.000Z'], nullable: true })
  readonly closedAt!: string | null;

  @Property(TEXTS.actor, {
    description: 'User name, or `command line`. Null if the bundle is open, or was closed in SQL.',
    examples: ['treasurer'],
    nullable: true,
  })
  readonly closedBy!: string | null;

  @Property(listOf(Totals, MAX_CURRENCIES), {
    description: 'One entry for each currency, usually one; empty if the bundle is empty. Net of reversals.',
  })
  readonly totals!: readonly Totals[];
}

/** The totals of one fund. */
export class FundTotals extends Totals {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the fund.', examples: [1] })
  readonly fundId!: number;

  @Property(TEXTS.name, { description: 'Name of the fund.', examples: ['General'] })
  readonly fund!: string;
}

/** The totals of one contribution type. Pledges are a separate type. */
export class TypeTotals {
  @Property(PLAIN_ID_SCHEMA, { description: 'The type. A reversing entry has its gift’s type.', examples: [1] })
  readonly contributionTypeId!: number;

  @Property(TEXTS.name, { description: 'Name of the type.', examples: ['Regular'] })
  readonly contributionType!: string;

  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(COUNT, { description: 'Entries of this type: see the count of all.', examples: [12] })
  readonly count!: number;

  @Property(MONEY, { description: 'Sum of their amounts.', examples: ['480.50'] })
  readonly total!: string;
}

/** The totals of one method of payment. */
export class MethodTotals extends Totals {
  @Property(
    { type: 'string', enum: PAYMENT_METHODS },
    { description: 'How it was paid; null if it was not sent.', examples: ['check'], nullable: true },
  )
  readonly method!: PaymentMethod | null;
}

/** One bundle with all details. */
export class BundleDetails extends BundleView {
  @Property(listOf(FundTotals), { description: 'The totals by fund.' })
  readonly byFund!: readonly FundTotals[];

  @Property(listOf(TypeTotals), { description: 'The totals by type. Pledges are one type.' })
  readonly byType!: readonly TypeTotals[];

  @Property(listOf(MethodTotals), { description: 'The totals by method of payment.' })
  readonly byMethod!: readonly MethodTotals[];
}

export class BundleList {
  @Property(listOf(BundleView, BUNDLES_PER_LIST), {
    description: `The newest first, ${BUNDLES_PER_LIST} at most.`,
  })
  readonly bundles!: readonly BundleView[];
}
