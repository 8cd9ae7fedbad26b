import { listOf, Property } from '../../http/index.js';
import { PLAIN_ID_SCHEMA } from '../../values/index.js';

/** A fund: what gifts are for. */
export class FundView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id, as `FundId` of a gift takes it.', examples: [1] })
  readonly fundId!: number;

  @Property({ type: 'string' }, { description: 'Its name.', examples: ['General'] })
  readonly name!: string;

  @Property(
    { type: 'boolean' },
    {
      description: 'A closed one still takes gifts, which are then listed for review: the donor has paid already.',
      examples: [true],
    },
  )
  readonly open!: boolean;

  @Property({ type: 'boolean' }, { description: 'Where a gift goes that names none.', examples: [true] })
  readonly default!: boolean;
}

/** All funds. */
export class FundList {
  @Property(listOf(FundView), { description: 'By id.' })
  readonly funds!: readonly FundView[];
}
