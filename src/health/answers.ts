import { Property } from '../http/index.js';

/** The answer of liveness. */
export class AliveAnswer {
  @Property({ type: 'string', const: 'ok' }, { description: 'Always the same.', examples: ['ok'] })
  readonly status!: 'ok';
}

/** The answer of readiness. */
export class ReadyAnswer extends AliveAnswer {
  @Property(
    { type: 'array', items: { type: 'string' } },
    {
      description: 'What needs attention. Gifts are still accepted.',
      examples: [['No user with the role Finance has an e-mail address']],
      optional: true,
    },
  )
  readonly warnings?: readonly string[];
}
