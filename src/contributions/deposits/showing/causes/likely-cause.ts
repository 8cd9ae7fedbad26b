import { Property } from '../../../../http/index.js';
import { listUpTo, PLAIN_ID_SCHEMA, TEXTS } from '../../../../values/index.js';
import { COUNT, MONEY } from '../../../ledger/index.js';
import { CAUSE_CODES, type CauseCode } from './cause-codes.js';

/** The most ids that a likely cause lists of each kind. */
export const LISTED_IDS = 50;

/** A likely cause of a difference. */
export class LikelyCause {
  @Property(
    { type: 'string', enum: CAUSE_CODES },
    { description: 'The cause, for programs.', examples: ['not_in_books'] },
  )
  readonly code!: CauseCode;

  @Property(TEXTS.sentences, {
    description: 'The cause, for people.',
    examples: ['1 item is not in the books: T-20260726-0042.'],
  })
  readonly words!: string;

  @Property(COUNT, { description: 'How many items or gifts it is about.', examples: [1] })
  readonly count!: number;

  @Property(MONEY, {
    description: 'By how much it would change the difference; null if nobody knows.',
    examples: ['9.41'],
    nullable: true,
  })
  readonly amount!: string | null;

  @Property(
    { type: 'boolean' },
    { description: 'Whether this cause alone explains the whole difference.', examples: [false] },
  )
  readonly explains!: boolean;

  @Property(listUpTo(PLAIN_ID_SCHEMA, LISTED_IDS), {
    description: `The itemIds of items of the deposit that it is about, at most ${LISTED_IDS}.`,
    examples: [[12]],
  })
  readonly itemIds!: readonly number[];

  @Property(listUpTo(PLAIN_ID_SCHEMA, LISTED_IDS), {
    description: `The ids of gifts and reversing entries that it is about, at most ${LISTED_IDS}.`,
    examples: [[1]],
  })
  readonly contributionIds!: readonly number[];
}
