import { AuditEntryView, ENTRIES_PER_PAGE } from '../audit/index.js';
import { listOf, Property } from '../http/index.js';
import { PLAIN_ID_SCHEMA } from '../values/index.js';

/** A page of the audit trail. */
export class ChangeList {
  @Property(listOf(AuditEntryView, ENTRIES_PER_PAGE), { description: `The newest first, ${ENTRIES_PER_PAGE} at most.` })
  readonly entries!: readonly AuditEntryView[];

  @Property(PLAIN_ID_SCHEMA, {
    description: 'For the next page, send it as `before`; null if this is the last one.',
    examples: [1042],
    nullable: true,
  })
  readonly next!: number | null;
}
