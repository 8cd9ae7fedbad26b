import { listOf, type OperationDescription, Property } from '../../../http/index.js';
import { ContributionView } from '../contribution-view.js';
import { GIFTS } from '../../ledger/index.js';

/** A page of a list, with all that a caller needs to go on. */
export class ContributionPage {
  @Property(listOf(ContributionView), { description: 'In the order of the list; there may be none.' })
  readonly contributions!: readonly ContributionView[];

  @Property(
    { type: 'string' },
    {
      description:
        'To be sent as `after` for what comes next: at once while there is more, otherwise whenever one likes.',
      examples: ['change.42'],
    },
  )
  readonly next!: string;

  @Property({ type: 'boolean' }, { description: 'Whether there is more already.', examples: [false] })
  readonly more!: boolean;
}

/** What the API's document says of the list. */
export const LIST_CONTRIBUTIONS: OperationDescription = {
  group: GIFTS,
  id: 'ListContributions',
  summary: 'List contributions, or what has changed',
  description:
    'A processor sees the gifts that its own user added, and their reversing entries; a user with the role `Finance` all.\n\n' +
    'Ask again with `after` and what `next` says. Nothing is repeated and nothing missed while gifts come in. Without ' +
    '`updatedSince` the list goes by id; with it, by change: what is taken back later comes again, in its new state.',
  answer: ContributionPage,
};
