import { COMMAND_LINE } from '../../src/audit/index.js';
import { MergePersons, type TwoPersons } from '../../src/people/merging/merge-persons.service.js';
import type { TestApp } from './test-app.js';

/** Merges two persons, as `offertory person merge` does. */
export async function mergePersons(service: TestApp, { from, into }: TwoPersons): Promise<void> {
  await service.app.get(MergePersons, { strict: false }).merge({ from, into, by: COMMAND_LINE });
}
