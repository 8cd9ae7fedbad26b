import { Property } from '../../../http/index.js';
import { listUpTo, PLAIN_ID_SCHEMA } from '../../../values/index.js';

const IDS = listUpTo(PLAIN_ID_SCHEMA);

/** A reinstated reversal. */
export class ReinstatedContribution {
  @Property(PLAIN_ID_SCHEMA, { description: 'The giver.', examples: [152] })
  readonly peopleId!: number;

  @Property(IDS, { description: 'The gifts that were added: one for each reversing entry.', examples: [[5]] })
  readonly contributionIds!: readonly number[];
}

/** A gift that was moved to another fund. */
export class MovedContribution {
  @Property(IDS, {
    description:
      'The entries that were added: for each gift the negative one in its old fund, then that in the new one.',
    examples: [[6, 7]],
  })
  readonly contributionIds!: readonly number[];
}
