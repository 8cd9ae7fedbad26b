import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { type Added, addedGift, fillPool, readBack } from '../contract/gift-requests.js';
import { type Details, email, giver, phone } from '../contract/givers.js';
import { countLockWaits } from '../support/lock-waits.js';
import type { TwoPersons } from '../../src/people/merging/merge-persons.service.js';
import { mergePersons } from '../support/merge-persons.js';

let service: TestApp;
let persons: PersonRecords;
let contacts: Contacts;

beforeAll(async () => {
  service = await startTestApp({ DATABASE_POOL_SIZE: '20' });
  persons = service.app.get(PersonRecords, { strict: false });
  contacts = service.app.get(Contacts, { strict: false });
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);
const merge = (both: TwoPersons): Promise<void> => mergePersons(service, both);

async function newPerson(): Promise<[Details, number]> {
  const sent = giver();
  const { PeopleId, NewPerson } = await added(sent);
  expect(NewPerson).toBe(true);
  return [sent, PeopleId];
}

/** The number and the sum of each person's contributions. */
const booksOf = async (...ids: number[]): Promise<unknown> =>
  service.database.query(
    `SELECT id, (SELECT count(*)::int FROM contribution WHERE person_id = p.id) AS count,
       (SELECT coalesce(sum(amount), 0)::text FROM contribution WHERE person_id = p.id) AS sum
     FROM unnest($1::integer[]) WITH ORDINALITY AS p (id, place) ORDER BY place`,
    [ids],
  );

async function personOf(contributionId: number): Promise<number> {
  return (await readBack(service, contributionId)).peopleId;
}

/** Locks a row that a merge needs after it has locked both persons. */
const HOLD_LATEST_GIFT = 'SELECT 1 FROM contribution WHERE person_id = $1 ORDER BY id DESC LIMIT 1 FOR UPDATE';

/** Holds the locks of a statement until `waiting` sessions that `work` started wait for locks, then commits. */
async function holding<T>(statement: string, values: unknown[], waiting: number, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: service.database.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement, values);
    const done = work();
    done.catch(() => undefined);
    await until(async () => (await countLockWaits(service.database)) >= waiting);
    await client.query('COMMIT');
    return await done;
  } finally {
    await client.end();
  }
}

/** Calls `begin` when `waiting` sessions wait for locks. */
async function onceWaiting<T>(waiting: number, begin: () => PromiseLike<T>): Promise<T> {
  await until(async () => (await countLockWaits(service.database)) >= waiting);
  return begin();
}

describe('a merge', () => {
  it('moves gifts and reversing entries, and stores a pointer to the survivor', async () => {
    const [sent, from] = await newPerson();
    const [, into] = await newPerson();
    const gift = await added({ ...sent, Amount: '7.50' });
    await service.reverse(`${gift.ContributionId}/test`).expect(200);
    const entry = (await readBack(service, gift.ContributionId)).reversal.contributionId;
    const before = await readBack(service, gift.ContributionId);
    await merge({ from, into });
    expect(await booksOf(from, into)).toEqual([
      { id: from, count: 0, sum: '0' },
      { id: into, count: 4, sum: '20.00' },
    ]);
    expect(await personOf(entry)).toBe(into);
    const after = await readBack(service, gift.ContributionId);
    expect(after).toEqual({ ...before, peopleId: into, updatedAt: after['updatedAt'] });
    expect(await persons.show(from)).toMatchObject({ mergedInto: into, contacts: [], first: sent.First });
    expect(await persons.show(into)).toMatchObject({ mergedInto: null });
  });

  it('does not change the names and primary contacts of the survivor', async () => {
    const [, from] = await newPerson();
    const [sent, into] = await newPerson();
    await persons.edit({ peopleId: from, nickname: 'Skip', formerLast: 'Old', deceased: true });
    await merge({ from, into });
    expect(await persons.show(into)).toMatchObject({
      first: sent.First,
      last: sent.Last,
      email: sent.Email,
      phone: sent.Phone,
      nickname: null,
      formerLast: null,
      // This is a fact about the person, not about the record.
      deceased: true,
    });
  });

  it('lets both names match with the contacts of either person, but does not mix the names', async () => {
    const [one, from] = await newPerson();
    const [two, into] = await newPerson();
    await persons.edit({ peopleId: from, nickname: 'Skip', formerLast: 'Old' });
    await merge({ from, into });
    for (const [name, reach] of [
      [one, one],
      [one, two],
      [two, one],
      [two, two],
    ] as const) {
      for (const lost of [{}, { Email: email() }, { Phone: 'n/a' }]) {
        const gift = { First: name.First, Last: name.Last, Email: reach.Email, Phone: reach.Phone, ...lost };
        expect(await added(gift)).toMatchObject({ PeopleId: into, NewPerson: false, MultipleMatches: false });
      }
    }
    expect(await added({ ...one, First: 'skip', Last: 'OLD' })).toMatchObject({ PeopleId: into });
    const mixed = await added({ ...one, First: two.First });
    expect(mixed).toMatchObject({ NewPerson: true });
    expect(mixed.PeopleId).not.toBe(into);
  });

  it('of three persons in sequence leads to the last one by any PeopleId and any name', async () => {
    const [one, first] = await newPerson();
    const [two, second] = await newPerson();
    const [three, third] = await newPerson();
    await merge({ from: first, into: second });
    await merge({ from: second, into: third });
    for (const PeopleId of [first, second, third]) {
      expect(await added({ ...giver(), PeopleId })).toMatchObject({ PeopleId: third, NewPerson: false });
    }
    for (const sent of [one, two, three]) {
      expect(await added(sent)).toMatchObject({ PeopleId: third, NewPerson: false, MultipleMatches: false });
      expect(await added({ ...sent, Email: three.Email, Phone: 'n/a' })).toMatchObject({ PeopleId: third });
    }
    expect(await persons.show(first)).toMatchObject({ mergedInto: second });
    expect(await contacts.list(third)).toHaveLength(6);
    expect(await booksOf(first, second)).toMatchObject([{ count: 0 }, { count: 0 }]);
  });

  it('includes persons that were merged into either one before', async () => {
    const ids: number[] = [];
    const sent: Details[] = [];
    for (let i = 0; i < 4; i++) {
      const [details, id] = await newPerson();
      ids.push(id);
      sent.push(details);
    }
    const [a, b, c, d] = ids as [number, number, number, number];
    await merge({ from: a, into: b });
    await merge({ from: c, into: d });
    await merge({ from: d, into: b });
    for (const details of sent) expect(await added(details)).toMatchObject({ PeopleId: b, NewPerson: false });
  });

  it('of two persons who both matched makes later gifts unambiguous', async () => {
    const [one, first] = await newPerson();
    const two = { ...one, Email: email(), Phone: phone() };
    const second = (await added(two)).PeopleId;
    const crossed = { ...one, Phone: two.Phone };
    expect(await added(crossed)).toMatchObject({ PeopleId: first, MultipleMatches: true });
    await merge({ from: first, into: second });
    expect(await added(crossed)).toMatchObject({ PeopleId: second, MultipleMatches: false });
  });

  it('keeps the names of the merged person when the survivor’s name is corrected', async () => {
    const [one, from] = await newPerson();
    const [two, into] = await newPerson();
    await merge({ from, into });
    await persons.edit({ peopleId: into, last: 'Changed' });
    expect(await added(one)).toMatchObject({ PeopleId: into });
    expect(await added({ ...two, Last: 'Changed' })).toMatchObject({ PeopleId: into });
    expect((await added(two)).PeopleId).not.toBe(into);
  });
});

it('a merge that is made already has no effect', async () => {
  const [, from] = await newPerson();
  const [, into] = await newPerson();
  await merge({ from, into });
  const state = async (): Promise<unknown> => [
    await persons.show(from),
    await persons.show(into),
    await booksOf(from, into),
    await service.database.query(`SELECT id FROM audit_entry WHERE action = 'person.merge' AND subject = $1`, [
      `person ${from}`,
    ]),
  ];
  const before = await state();
  await merge({ from, into });
  expect(await state()).toEqual(before);
});

describe('a call is refused and changes nothing: the', () => {
  it.each<[string, (ids: { one: number; merged: number; into: number }) => [number, number], string]>([
    ['merge of a person into itself', ({ one }) => [one, one], 'itself'],
    ['merge of an unknown person', ({ one }) => [2_147_483_647, one], '2147483647'],
    ['merge into an unknown person', ({ one }) => [one, 2_147_483_647], '2147483647'],
    ['merge of a merged person', ({ one, merged }) => [merged, one], 'merged into person'],
    ['merge into a merged person', ({ one, merged }) => [one, merged], 'merged into person'],
    ['merge of a survivor into the person merged into it', ({ merged, into }) => [into, merged], 'merged into person'],
  ])('%s', async (_what, choose, message) => {
    const [, one] = await newPerson();
    const [, merged] = await newPerson();
    const [, into] = await newPerson();
    await merge({ from: merged, into });
    const state = async (): Promise<unknown> => [
      await Promise.all([one, merged, into].map((id) => persons.show(id))),
      await booksOf(one, merged, into),
    ];
    const before = await state();
    const [from, to] = choose({ one, merged, into });
    await expect(merge({ from, into: to })).rejects.toThrow(message);
    expect(await state()).toEqual(before);
  });

  it('edit of a merged person, with an error that names the survivor', async () => {
    const [, from] = await newPerson();
    const [, into] = await newPerson();
    await merge({ from, into });
    await expect(persons.edit({ peopleId: from, nickname: 'Skip' })).rejects.toThrow(`person ${into}`);
  });
});

describe('simultaneously', () => {
  it.each([
    ['the older into the younger', false],
    ['the younger into the older', true],
  ])('200 gifts and 40 reversals for both persons end with the survivor: %s', async (_which, swap) => {
    await fillPool(service);
    const [one, first] = await newPerson();
    const [two, second] = await newPerson();
    const [from, into] = swap ? [second, first] : [first, second];
    const forms = [one, two, { ...giver(), PeopleId: first }, { ...giver(), PeopleId: second }];
    const earlyGifts: Added[] = [];
    for (let i = 0; i < 40; i++) earlyGifts.push(await added({ ...forms[i % 2], Amount: '3' }));
    // 40 callers, each sending five gifts in sequence and reversing one earlier gift.
    const caller = async (i: number, early: Added): Promise<number[]> => {
      const statuses: number[] = [];
      for (let n = 0; n < 5; n++) {
        statuses.push((await service.add({ ...forms[(i + n) % 4], Amount: `${i + 1}.0${n}` })).status);
        if (n === i % 5) statuses.push((await service.reverse(`${early.ContributionId}/test`)).status);
      }
      return statuses;
    };
    const callers = Promise.all(earlyGifts.map((early, i) => caller(i, early)));
    await merge({ from, into });
    const statuses = (await callers).flat();
    expect(statuses).toEqual(Array.from({ length: 240 }, () => 200));
    // The first gift of each, and 5 of each caller: 1.00 to 1.04, … 40.00 to 40.04. The 40 early gifts are reversed.
    expect(await booksOf(from, into)).toEqual([
      { id: from, count: 0, sum: '0' },
      { id: into, count: 2 + 80 + 200, sum: (20 + 5 * 820 + 40 * 0.1).toFixed(2) },
    ]);
    expect(await service.database.query('SELECT 1 FROM person WHERE id > $1', [second])).toEqual([]);
  });

  it.each([
    ['by details', (sent: Details) => sent],
    ['by PeopleId', (_sent: Details, PeopleId: number) => ({ ...giver(), PeopleId })],
  ])('a gift that waits for the merge of its person, found %s, is recorded for the survivor', async (_how, fields) => {
    const [sent, from] = await newPerson();
    const [, into] = await newPerson();
    const [gift] = await holding(HOLD_LATEST_GIFT, [from], 2, () =>
      Promise.all([onceWaiting(1, () => added(fields(sent, from))), merge({ from, into })]),
    );
    expect(gift).toMatchObject({ PeopleId: into, NewPerson: false, MultipleMatches: false });
    expect(await booksOf(from)).toMatchObject([{ count: 0 }]);
  });

  it('a reversal that waits for the merge of its gift’s person is recorded for the survivor', async () => {
    const [sent, from] = await newPerson();
    const [, into] = await newPerson();
    const gift = await added(sent);
    await added(sent);
    const [answer] = await holding(HOLD_LATEST_GIFT, [from], 2, () =>
      Promise.all([onceWaiting(1, () => service.reverse(`${gift.ContributionId}/test`)), merge({ from, into })]),
    );
    expect(answer).toMatchObject({ status: 200, body: { peopleId: into } });
    expect(await booksOf(from)).toMatchObject([{ count: 0 }]);
  });

  it('a contact that is confirmed while its person is merged stays confirmed', async () => {
    const [sent, from] = await newPerson();
    const [, into] = await newPerson();
    const Email = email();
    await added({ ...sent, Email });
    await holding('UPDATE contact SET confirmed = true WHERE person_id = $1 AND value = $2', [from, Email], 1, () =>
      merge({ from, into }),
    );
    expect(await contacts.list(into)).toContainEqual(expect.objectContaining({ value: Email, confirmed: true }));
    expect(await added({ ...sent, Email, Phone: 'n/a' })).toMatchObject({ PeopleId: into });
  });

  it('one of two opposite merges succeeds and the other is refused', async () => {
    for (let i = 0; i < 10; i++) {
      const [, one] = await newPerson();
      const [, two] = await newPerson();
      const results = await Promise.allSettled([merge({ from: one, into: two }), merge({ from: two, into: one })]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const refused = results.find((result) => result.status === 'rejected');
      expect(String(refused?.reason)).toContain('was merged into person');
      const survivor = results[0].status === 'fulfilled' ? two : one;
      expect(await added({ ...giver(), PeopleId: one })).toMatchObject({ PeopleId: survivor });
    }
  });

  it('at most two of three merges in a ring succeed, and every person stays reachable', async () => {
    const people = [await newPerson(), await newPerson(), await newPerson()] as const;
    const [a, b, c] = people.map(([, id]) => id) as [number, number, number];
    const results = await Promise.allSettled([
      merge({ from: a, into: b }),
      merge({ from: b, into: c }),
      merge({ from: c, into: a }),
    ]);
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    const survivors = [];
    for (const id of [a, b, c]) if ((await persons.show(id)).mergedInto === null) survivors.push(id);
    expect(survivors.length).toBe(3 - results.filter(({ status }) => status === 'fulfilled').length);
    for (const [sent, PeopleId] of people) {
      const byId = await added({ ...giver(), PeopleId });
      expect(survivors).toContain(byId.PeopleId);
      expect(await added(sent)).toMatchObject({ PeopleId: byId.PeopleId, NewPerson: false });
    }
  });

  it('an edit of a person that is being merged is refused, or stored and matched', async () => {
    for (let i = 0; i < 10; i++) {
      const [sent, from] = await newPerson();
      const [, into] = await newPerson();
      const [edited] = await Promise.allSettled([
        persons.edit({ peopleId: from, nickname: 'Skip' }),
        merge({ from, into }),
      ]);
      const kept = edited.status === 'fulfilled';
      expect((await persons.show(from)).nickname).toBe(kept ? 'Skip' : null);
      const gift = await added({ ...sent, First: 'Skip' });
      expect(gift.PeopleId === into).toBe(kept);
      expect(await added(sent)).toMatchObject({ PeopleId: into });
    }
  });

  it('an edit of the survivor during the merge is stored, and all names match', async () => {
    for (let i = 0; i < 10; i++) {
      const [one, from] = await newPerson();
      const [two, into] = await newPerson();
      await Promise.all([
        merge({ from, into }),
        persons.edit({ peopleId: into, nickname: 'Skip', formerLast: `Old${two.Last}` }),
      ]);
      for (const sent of [one, two, { ...two, First: 'Skip' }, { ...one, First: 'Skip', Last: `Old${two.Last}` }]) {
        expect(await added(sent)).toMatchObject({ PeopleId: into, NewPerson: false });
      }
    }
  });
});
