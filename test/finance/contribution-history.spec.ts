import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ContributionHistory } from '../../src/contributions/reading/contribution-history.service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift } from '../contract/gift-requests.js';
import { giver } from '../contract/givers.js';
import { addPart, moveToFund, reinstate, reversePart } from '../contract/payment-rows.js';

const NOTHING = { from: null, to: null, amount: null, reason: null, note: null, fromFund: null, toFund: null };

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
  const gift = { ...NOTHING, at, contributionId: ContributionId };
  expect(events).toEqual([
    { ...gift, what: 'recorded', by: 'api', amount: '10.00' },
    { ...gift, what: 'reassigned', by: 'treasurer', from: PeopleId, to: other },
    { ...gift, what: 'reversed', by: 'api', amount: '10.00' },
    { ...gift, what: 'reassigned', by: 'command line', from: other, to: PeopleId },
  ]);
  const [entry] = await service.database.query<{ id: number }>('SELECT id FROM contribution WHERE reverses_id = $1', [
    ContributionId,
  ]);
  expect(await history.of(entry?.id ?? 0)).toEqual(events);
});

it('the history of a payment shows what happened to each of its gifts, and every entry leads to it', async () => {
  const { ContributionId: first } = await addedGift(service, { ...giver(), Amount: '30' });
  const [fund] = await service.database.query<{ id: number }>("INSERT INTO fund (name) VALUES ('Roof') RETURNING id");
  const roof = fund?.id ?? 0;
  const second = await addPart(service, first, '20');
  const refund = await reversePart(service, second, '5', { reason: 'refund' });
  const moves = [...(await moveToFund(service, second, roof)), ...(await moveToFund(service, second, 1))];
  const chargeback = await reversePart(service, second, '15', { reason: 'chargeback' });
  const again = await reinstate(service, chargeback);
  await reversePart(service, again, '15');
  const history = service.app.get(ContributionHistory, { strict: false });
  const events = await history.of(first);
  expect(events.map((event) => ({ ...event, at: undefined, by: undefined }))).toEqual([
    { ...NOTHING, what: 'recorded', contributionId: first, amount: '30.00' },
    { ...NOTHING, what: 'recorded', contributionId: second, amount: '20.00' },
    { ...NOTHING, what: 'reversed', contributionId: second, amount: '5.00', reason: 'refund' },
    { ...NOTHING, what: 'moved to another fund', contributionId: second, amount: '15.00', fromFund: 1, toFund: roof },
    { ...NOTHING, what: 'moved to another fund', contributionId: second, amount: '15.00', fromFund: roof, toFund: 1 },
    { ...NOTHING, what: 'reversed', contributionId: second, amount: '15.00', reason: 'chargeback' },
    { ...NOTHING, what: 'reinstated', contributionId: again, amount: '15.00' },
    { ...NOTHING, what: 'reversed', contributionId: again, amount: '15.00' },
  ]);
  for (const id of [second, refund, ...moves, again]) expect(await history.of(id)).toEqual(events);
});
