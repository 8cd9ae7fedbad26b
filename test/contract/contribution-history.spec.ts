import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ContributionHistory } from '../../src/contributions/reading/contribution-history.service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift } from './gift-requests.js';
import { giver } from './givers.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

it('the history of a gift includes reassignments from before the audit trail and is the same for its reversing entry', async () => {
  const { ContributionId, PeopleId } = await addedGift(service, giver());
  const other = (await addedGift(service, giver())).PeopleId;
  await service.database.query(
    `INSERT INTO reassignment (contribution_id, from_person_id, to_person_id, reassigned_by, reassigned_at)
     VALUES ($1, $3, $2, 'command line', now() + interval '1 minute'), ($1, $2, $3, 'treasurer', now())`,
    [ContributionId, PeopleId, other],
  );
  await service.reverse(`${ContributionId}/history`).expect(200);
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const history = service.app.get(ContributionHistory, { strict: false });
  const events = await history.of(ContributionId);
  expect(events).toEqual([
    { at, what: 'recorded', by: 'api', from: null, to: null },
    { at, what: 'reassigned', by: 'treasurer', from: PeopleId, to: other },
    { at, what: 'reversed', by: 'api', from: null, to: null },
    { at, what: 'reassigned', by: 'command line', from: other, to: PeopleId },
  ]);
  const [entry] = await service.database.query<{ id: number }>('SELECT id FROM contribution WHERE reverses_id = $1', [
    ContributionId,
  ]);
  expect(await history.of(entry?.id ?? 0)).toEqual(events);
});
