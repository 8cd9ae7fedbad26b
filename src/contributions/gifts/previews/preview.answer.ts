import { Property } from '../../../http/index.js';
import { EVIDENCE } from '../../../people/index.js';
import { listUpTo, PLAIN_ID_SCHEMA } from '../../../values/index.js';
import type { PreviewedGiver } from './preview-gift.service.js';

/** The answer of PreviewContribution: whom AddContribution would give the gift to. Nothing is stored. */
export class PreviewAnswer {
  @Property({ type: 'boolean' }, { description: 'True if no person matches: one would be created.', examples: [false] })
  readonly wouldCreate!: boolean;

  @Property(PLAIN_ID_SCHEMA, {
    description:
      'The person who would get the gift. Null if a person would be created. Without the role `Finance` it is also null ' +
      'if your user has not added a gift of this person yet.',
    examples: [152],
    nullable: true,
  })
  readonly peopleId!: number | null;

  @Property(listUpTo({ type: 'string', enum: EVIDENCE }, EVIDENCE.length), {
    description: 'Details in which giver and person agree. Empty if `peopleId` is null.',
    examples: [['lastName', 'firstName', 'email']],
  })
  readonly matchedOn!: readonly string[];

  @Property(listUpTo(PLAIN_ID_SCHEMA), {
    description:
      'The matches, best first. Without the role `Finance`, only persons of whom your user has added a gift.',
    examples: [[152]],
  })
  readonly candidates!: readonly number[];
}

/** @see PreviewAnswer */
export function previewAnswer({ wouldCreate, peopleId, matchedOn, candidates }: PreviewedGiver): PreviewAnswer {
  return { wouldCreate, peopleId: peopleId ?? null, matchedOn, candidates };
}
