import { listOf, LONGEST_PAGE, type OperationDescription, Property } from '../../../http/index.js';
import { ContributionView } from '../contribution-view.js';
import { GIFTS } from '../../ledger/index.js';
import { TEXTS } from '../../../values/index.js';

/** A page of a list, with the position of the next page. */
export class ContributionPage {
  @Property(listOf(ContributionView, LONGEST_PAGE), { description: 'In the order of the list; may be empty.' })
  readonly contributions!: readonly ContributionView[];

  @Property(TEXTS.word, {
    description: 'Send it as `after` to get the next page: at once if `more` is true, otherwise at any later time.',
    examples: ['change.42'],
  })
  readonly next!: string;

  @Property({ type: 'boolean' }, { description: 'Whether there are more contributions now.', examples: [false] })
  readonly more!: boolean;
}

/** ListContributions in the OpenAPI document. */
export const LIST_CONTRIBUTIONS: OperationDescription = {
  group: GIFTS,
  id: 'ListContributions',
  summary: 'List contributions, or their changes',
  description:
    'A processor sees the gifts that its own user added, and all other entries of their payments. A user with the role ' +
    '`Finance` or `Auditor` sees all.\n\nTo get the next page, send the value of `next` as `after`. No contribution is repeated or missed while gifts ' +
    'are added. Without `updatedSince` the list is ordered by id. With it, the list is ordered by change: a gift that is ' +
    'reversed later is listed again, in its new state.',
  answer: ContributionPage,
};
