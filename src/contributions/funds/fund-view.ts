import { listOf, Property } from '../../http/index.js';
import { INSTANT, PLAIN_ID_SCHEMA, TEXTS } from '../../values/index.js';

/** A fund: a purpose of gifts. */
export class FundView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the fund. Send it as `FundId` of a gift.', examples: [1] })
  readonly fundId!: number;

  @Property(TEXTS.name, { description: 'Name of the fund.', examples: ['General'] })
  readonly name!: string;

  @Property(
    { type: 'boolean' },
    {
      description:
        'Gifts to a closed fund are still accepted, because the donor has already paid. They are listed for review.',
      examples: [true],
    },
  )
  readonly open!: boolean;

  @Property({ type: 'boolean' }, { description: 'The default fund gets gifts without a `FundId`.', examples: [true] })
  readonly default!: boolean;
}

export class FundList {
  @Property(listOf(FundView), { description: 'All funds, ordered by id.' })
  readonly funds!: readonly FundView[];
}

/** A name that a fund had. */
export class FormerFundNameView {
  @Property(TEXTS.name, { description: 'The name.', examples: ['Mission'] })
  readonly name!: string;

  @Property(INSTANT, { description: 'When the fund was renamed.', examples: ['2026-07-28T09:00:00.000Z'] })
  readonly until!: string;
}

/** A fund with its former names. */
export class FundDetails extends FundView {
  @Property(listOf(FormerFundNameView), {
    description: 'The names that it had, the last one first. A gift can still name the fund by them.',
  })
  readonly formerNames!: readonly FormerFundNameView[];
}
