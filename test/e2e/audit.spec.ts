import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail, processActor } from '../../src/audit/index.js';
import { UserAccounts } from '../../src/auth/index.js';
import { Transactions } from '../../src/database/index.js';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { addedGift } from '../contract/gift-requests.js';
import { giver } from '../contract/givers.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { PERSON_ACTIONS } from '../../src/people/index.js';
import { mergePersons } from '../support/merge-persons.js';

let service: TestApp;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'some long password', ['Finance'], 'treasurer@example.org');
});
afterAll(() => service.stop());

const HERE = processActor('service');

/** The audit entries that `work` adds, oldest first: actor, action, subject, details. */
async function recordedBy(work: () => PromiseLike<unknown>): Promise<unknown[][]> {
  const last = 'SELECT COALESCE(max(id), 0) AS id FROM audit_entry';
  const [before] = await service.database.query<{ id: number }>(last);
  await work();
  const entries = await service.database.query(
    'SELECT actor, action, subject, details FROM audit_entry WHERE id > $1 ORDER BY id',
    [before?.id],
  );
  return entries.map(({ actor, action, subject, details }) => [actor, action, subject, details]);
}

describe('the audit trail', () => {
  it('records who changed a user, without passwords and addresses', async () => {
    const users = service.app.get(UserAccounts);
    const entries = await recordedBy(async () => {
      await service.createUser('auditor', 'some long password', ['Finance'], 'auditor@example.org');
      await users.setPassword({ username: 'auditor', password: 'another long password' });
      await users.grant({ username: 'auditor', roles: ['Developer'] });
      await users.revoke({ username: 'auditor', roles: ['Developer', 'Finance'] });
      await users.setActive({ username: 'auditor', active: false });
      await users.setActive({ username: 'auditor', active: true });
    });
    expect(entries).toEqual([
      [HERE, 'user.create', 'user auditor', { roles: ['Finance'] }],
      [HERE, 'user.set-password', 'user auditor', {}],
      [HERE, 'user.grant', 'user auditor', { roles: ['Developer'] }],
      [HERE, 'user.revoke', 'user auditor', { roles: ['Developer', 'Finance'] }],
      [HERE, 'user.disable', 'user auditor', {}],
      [HERE, 'user.enable', 'user auditor', {}],
    ]);
  });

  it('records the names but not the values of edited fields, the person of a contact, and merges', async () => {
    const one = await addedGift(service, giver());
    const two = await addedGift(service, giver());
    const [phone, email] = await service.app.get(Contacts, { strict: false }).list(one.PeopleId);
    const entries = await recordedBy(async () => {
      const persons = service.app.get(PersonRecords, { strict: false });
      await persons.edit({ peopleId: one.PeopleId, nickname: 'Skip', deceased: false });
      await service.app.get(Contacts, { strict: false }).confirm(Number(phone?.id));
      await service.app.get(Contacts, { strict: false }).remove(Number(email?.id));
      await mergePersons(service, { from: one.PeopleId, into: two.PeopleId });
    });
    expect(entries).toEqual([
      [HERE, 'person.edit', `person ${one.PeopleId}`, { fields: ['nickname', 'deceased'] }],
      [HERE, 'contact.confirm', `contact ${phone?.id}`, { peopleId: one.PeopleId }],
      [HERE, 'contact.remove', `contact ${email?.id}`, { peopleId: one.PeopleId }],
      [HERE, 'person.merge', `person ${one.PeopleId}`, { into: two.PeopleId }],
    ]);
  });

  it('records once which user reversed a gift, reassigned it or accepted its review', async () => {
    const sent = giver();
    const { ContributionId, PeopleId } = await addedGift(service, sent);
    const other = await addedGift(service, giver());
    const doubtful = await addedGift(service, { ...giver(), PeopleId: other.PeopleId });
    const [review] = await service.database.query<{ id: number }>('SELECT id FROM review WHERE contribution_id = $1', [
      doubtful.ContributionId,
    ]);
    const accept = `/Api/Reviews/${review?.id}/accept`;
    const entries = await recordedBy(async () => {
      for (const status of [200, 409]) await service.reverse(`${ContributionId}/audited`).expect(status);
      for (let i = 0; i < 2; i++) {
        await service
          .http()
          .post(`/Api/Contributions/${ContributionId}/reassign`)
          .auth(...finance)
          .send({ PeopleId: other.PeopleId })
          .expect(200);
        await service
          .http()
          .post(accept)
          .auth(...finance)
          .expect(200);
      }
    });
    expect(entries).toEqual([
      [
        'api',
        'contribution.reverse',
        `contribution ${ContributionId}`,
        { reversingContributionId: expect.any(Number) },
      ],
      ['treasurer', 'contribution.reassign', `contribution ${ContributionId}`, { from: PeopleId, to: other.PeopleId }],
      ['treasurer', 'review.accept', `review ${review?.id}`, { contributionId: doubtful.ContributionId }],
    ]);
  });

  it('has no entry for a transaction that was rolled back', async () => {
    const entries = await recordedBy(async () => {
      const undone = service.app.get(Transactions).run(async (tx) => {
        await service.app.get(AuditTrail).record(tx, { action: PERSON_ACTIONS.edit, subject: 'person 1' });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
    });
    expect(entries).toEqual([]);
  });

  it('refuses a username that is reserved for the command line', async () => {
    const create = service.createUser('command line', 'some long password', []);
    await expect(create).rejects.toThrow('reserved for actions at the command line');
  });

  it('refuses a username that looks like another one, so that entries of one are not taken for those of the other', async () => {
    await service.createUser('paypal', 'some long password', []);
    for (const name of ['PayPal', 'paypa\u04C0', 'p\u0430ypal', 'paypal\u200B']) {
      const create = service.createUser(name, 'some long password', []);
      await expect(create).rejects.toThrow('looks like that of the user paypal');
    }
  });

  it.each([
    ['UPDATE', `UPDATE audit_entry SET actor = 'nobody'`],
    ['UPDATE of nothing', `UPDATE audit_entry SET actor = 'nobody' WHERE false`],
    ['DELETE', 'DELETE FROM audit_entry'],
    ['TRUNCATE', 'TRUNCATE audit_entry'],
  ])('refuses %s, even by the owner and in the replica role', async (_what, statement) => {
    await expect(service.database.query(statement)).rejects.toMatchObject({ code: '42501' });
    const asReplica = `SET LOCAL session_replication_role = replica; ${statement}`;
    await expect(service.database.query(asReplica)).rejects.toMatchObject({ code: '42501' });
  });
});
