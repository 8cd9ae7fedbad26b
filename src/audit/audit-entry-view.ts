import { Property } from '../http/index.js';
import { INSTANT, PLAIN_ID_SCHEMA, TEXTS } from '../values/index.js';
import { meaningOfAction } from './audit-actions.js';
import { type ListedEntry, VIAS } from './audit-trail.service.js';

/** An entry of the audit trail in answers of the API. */
export class AuditEntryView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the entry.', examples: [1042] })
  readonly id!: number;

  @Property(INSTANT, { description: 'When it was done.', examples: ['2026-07-28T09:00:00.000Z'] })
  readonly at!: string;

  @Property(TEXTS.actor, {
    description:
      'Who did it: a user name; or a program with the account that ran it, such as `command line: root`; or for SQL beside ' +
      'the service, the role of the database.',
    examples: ['treasurer'],
  })
  readonly actor!: string;

  @Property({ type: 'string', enum: VIAS }, { description: 'How it came in.', examples: ['api'] })
  readonly via!: (typeof VIAS)[number];

  @Property(TEXTS.word, { description: 'The action, for programs.', examples: ['bundle.close'] })
  readonly action!: string;

  @Property(TEXTS.sentences, { description: 'The action in words, after the actor.', examples: ['closed a bundle'] })
  readonly meaning!: string;

  @Property(TEXTS.reason, { description: 'What it was done to: a kind and an id or name.', examples: ['bundle 7'] })
  readonly subject!: string;

  @Property(
    { type: 'object' },
    { description: 'Ids, numbers and names of fields; never what somebody has sent.', examples: [{ count: 12 }] },
  )
  readonly details!: object;
}

export function auditEntryView(entry: ListedEntry): AuditEntryView {
  const { id, at, actor, via, action, subject, details } = entry;
  return { id, at, actor, via, action, meaning: meaningOfAction(action), subject, details };
}
