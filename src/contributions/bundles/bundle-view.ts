import { listOf, Property } from '../../http/index.js';
import { INSTANT, PLAIN_ID_SCHEMA } from '../../values/index.js';
import { COUNT, CURRENCY, DAY, MONEY, Totals } from '../ledger/index.js';

/** `status` of a bundle. */
export const BUNDLE_STATUSES = ['Open', 'Closed'] as const;

/** A bundle as lists show it: what one user brought on one day, of one kind. */
export class BundleView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id.', examples: [7] })
  readonly bundleId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'See `BundleTypeId` of AddContribution.', examples: [4] })
  readonly bundleTypeId!: number;

  @Property({ type: 'string' }, { description: 'The type’s name.', examples: ['Online'] })
  readonly bundleType!: string;

  @Property({ type: 'string' }, { description: 'Whose deposit it is: a user name.', examples: ['txt2give'] })
  readonly user!: string;

  @Property(DAY, { description: 'The day in church time.', examples: ['2026-07-26'] })
  readonly day!: string;

  @Property(
    { type: 'string', enum: BUNDLE_STATUSES },
    { description: 'What a closed one holds never changes.', examples: ['Closed'] },
  )
  readonly status!: (typeof BUNDLE_STATUSES)[number];

  @Property(INSTANT, { description: 'When its first gift came.', examples: ['2026-07-26T14:03:09.512Z'] })
  readonly createdAt!: string;

  @Property(INSTANT, { description: 'When it was closed.', examples: ['2026-07-28T09:00:00.000Z'], nullable: true })
  readonly closedAt!: string | null;

  @Property(
    { type: 'string' },
    {
      description: 'User name, or `command line`; null while it is open, or where it was closed in SQL.',
      examples: ['treasurer'],
      nullable: true,
    },
  )
  readonly closedBy!: string | null;

  @Property(listOf(Totals), {
    description: 'One for each currency, so mostly one; none while the bundle is empty. Net of reversals.',
  })
  readonly totals!: readonly Totals[];
}

/** What gifts to one fund come to. */
export class FundTotals extends Totals {
  @Property(PLAIN_ID_SCHEMA, { description: 'The fund.', examples: [1] })
  readonly fundId!: number;

  @Property({ type: 'string' }, { description: 'Its name.', examples: ['General'] })
  readonly fund!: string;
}

/** What the gifts of one type come to; pledges have a type of their own. */
export class TypeTotals {
  @Property(PLAIN_ID_SCHEMA, { description: 'The type; a reversing entry counts under its gift’s.', examples: [1] })
  readonly contributionTypeId!: number;

  @Property({ type: 'string' }, { description: 'Its name.', examples: ['Regular'] })
  readonly contributionType!: string;

  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(COUNT, { description: 'Gifts and reversing entries.', examples: [12] })
  readonly count!: number;

  @Property(MONEY, { description: 'Their plain sum.', examples: ['480.50'] })
  readonly total!: string;
}

/** A bundle by itself. */
export class BundleDetails extends BundleView {
  @Property(listOf(FundTotals), { description: 'The same by fund.' })
  readonly byFund!: readonly FundTotals[];

  @Property(listOf(TypeTotals), { description: 'The same by type; pledges are one.' })
  readonly byType!: readonly TypeTotals[];
}

/** Some bundles. */
export class BundleList {
  @Property(listOf(BundleView), { description: 'The newest first, 200 at most.' })
  readonly bundles!: readonly BundleView[];
}
