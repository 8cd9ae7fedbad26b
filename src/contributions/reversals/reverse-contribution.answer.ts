import { Property } from '../../http/index.js';
import type { ReversedContribution } from './reverse-contribution.service.js';
import { LONGEST, PLAIN_ID_SCHEMA, textUpTo } from '../../values/index.js';

/** The answer of ReverseContribution. Fields have the contract's order and spelling. */
export class ReverseContributionAnswer {
  @Property({ type: 'string', const: 'Reversal' }, { description: 'Always the same.', examples: ['Reversal'] })
  readonly operation!: 'Reversal';

  @Property(PLAIN_ID_SCHEMA, { description: 'The giver.', examples: [152] })
  readonly peopleId!: number;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'The reversed gift: the id in the path, or the first part of the transaction.',
    examples: [1],
  })
  readonly contributionId!: number;

  @Property(textUpTo(sourceText('').length + LONGEST.ownId), {
    description: 'Contains the source in the path. `Finance` if Finance reversed.',
    examples: ['API Reverse (source=txt2give)'],
  })
  readonly source!: string;
}

/** As in the original API. */
function sourceText(source: string): string {
  return `API Reverse (source=${source})`;
}

/** @see ReverseContributionAnswer */
export function reverseContributionAnswer(reversed: ReversedContribution): ReverseContributionAnswer {
  return {
    operation: 'Reversal',
    peopleId: reversed.peopleId,
    contributionId: reversed.contributionId,
    source: reversed.source === null ? 'Finance' : sourceText(reversed.source),
  };
}
