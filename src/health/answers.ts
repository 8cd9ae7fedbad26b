import { Property } from '../http/index.js';
import { listUpTo, TEXTS } from '../values/index.js';

/** The answer of liveness and readiness. */
export class AliveAnswer {
  @Property({ type: 'string', const: 'ok' }, { description: 'Always the same.', examples: ['ok'] })
  readonly status!: 'ok';
}

/** What needs attention. */
export class WarningList {
  @Property(listUpTo(TEXTS.sentences), {
    description: 'What needs attention; empty if all is well. Gifts are accepted in any case.',
    examples: [['No user with the role Finance has an e-mail address']],
  })
  readonly warnings!: readonly string[];
}
