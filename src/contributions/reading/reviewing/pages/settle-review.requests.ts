import { filterId, OptionalField, RequiredField, text } from '../../../../http/index.js';

/** Which persons to merge, before it is confirmed. */
export class ChosenMerge {
  @RequiredField(filterId, { description: 'The person with whom that of the gift is merged.', examples: [187] })
  other!: number;

  @OptionalField(filterId, {
    description: 'The one of both who is kept. The default is the older one.',
    examples: [152],
  })
  keep?: number;
}

/** Two persons to merge, as they were seen. */
export class ConfirmedMerge {
  @RequiredField(filterId, { description: 'The person who is merged into the other one.', examples: [187] })
  From!: number;

  @RequiredField(filterId, { description: 'The person who is kept.', examples: [152] })
  Into!: number;

  @RequiredField(text(100), { description: 'The version of the one.', examples: ['5f3a1c0b9e8d7a64'] })
  Version!: string;

  @RequiredField(text(100), { description: 'The version of the other.', examples: ['5f3a1c0b9e8d7a64'] })
  IntoVersion!: string;
}
