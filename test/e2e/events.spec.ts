import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ContributionRecorded } from '../../src/contributions/events/index.js';
import { InTransactionOf, InTransactionOfWanted, sqlRows } from '../../src/database/index.js';
import { PersonCreated } from '../../src/people/events/index.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let heard: (ContributionRecorded | PersonCreated)[] = [];
let refusing = false;
let writing = false;

@Injectable()
class Listener {
  @InTransactionOf(ContributionRecorded, PersonCreated)
  async hear(event: ContributionRecorded | PersonCreated, tx: EntityManager): Promise<void> {
    heard.push(event);
    if (refusing) throw new Error('A listener failed');
    if (writing && event instanceof ContributionRecorded)
      await sqlRows(tx, 'INSERT INTO fund (name) VALUES ($1)', [`heard of ${event.contributionId}`]);
  }
}

let heardAsWanted: number[] = [];

@Injectable()
class ListenerOfWanted {
  @InTransactionOfWanted(ContributionRecorded)
  async hear({ contributionId }: ContributionRecorded, tx: EntityManager): Promise<void> {
    heardAsWanted.push(contributionId);
    await sqlRows(tx, 'SELECT 1');
  }
}

@Module({ providers: [Listener, ListenerOfWanted] })
class ListeningModule {}

let service: TestApp;

beforeAll(async () => {
  const modules = [{ module: ListeningModule }];
  service = await startTestApp({}, { modules });
});
beforeEach(() => {
  heard = [];
  heardAsWanted = [];
  refusing = false;
  writing = false;
});
afterAll(() => service.stop());

it('a gift publishes ContributionRecorded and its new giver PersonCreated, with all that a listener needs', async () => {
  const sent = { First: 'Ann', Last: 'Lee', Email: 'ann@example.org', Amount: '12.5', Date: '2026-03-01', Source: 'a' };
  const answer = await service.add(sent).expect(200);
  const { PeopleId, ContributionId } = answer.body as { PeopleId: number; ContributionId: number };
  expect(heard).toEqual([
    new PersonCreated({ peopleId: PeopleId, first: 'Ann', last: 'Lee' }),
    new ContributionRecorded({
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown as string,
      contributionId: ContributionId,
      giver: { peopleId: PeopleId, first: 'Ann', last: 'Lee' },
      amount: '12.50',
      currency: 'USD',
      fund: { id: 1, name: 'General' },
      day: '2026-03-01',
      source: 'a',
      username: 'api',
      recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown as string,
    }),
  ]);
});

it('a replayed gift publishes no event', async () => {
  const send = (): Promise<unknown> =>
    service
      .add({ First: 'Bob', Last: 'Ray', Email: 'bob@example.org' })
      .set('Idempotency-Key', 'told once')
      .expect(200)
      .then();
  await send();
  expect(heard).toHaveLength(2);
  await send();
  expect(heard).toHaveLength(2);
});

describe('a gift is not recorded when a listener fails', () => {
  const count = (): Promise<unknown[]> => service.database.query('SELECT id FROM contribution');

  it('to PersonCreated', async () => {
    const before = await count();
    refusing = true;
    await service.add().expect(500);
    expect(await count()).toEqual(before);
  });

  it('to ContributionRecorded, whether or not its statement is prepared', async () => {
    const giver = { First: 'Cat', Last: 'Poe', Email: 'cat@example.org' };
    // Then at least one connection has prepared the statement, most likely all in use.
    for (let i = 0; i < 3; i++) await service.add(giver).expect(200);
    const before = await count();
    refusing = true;
    heard = [];
    for (let i = 0; i < 3; i++) await service.add(giver).expect(500);
    expect(heard.map((event) => event.constructor)).toEqual(Array(3).fill(ContributionRecorded));
    expect(await count()).toEqual(before);
  });
});

it('what a listener writes is committed with the gift', async () => {
  writing = true;
  for (let i = 0; i < 3; i++) await service.add({ First: 'Dan', Last: 'Fox', Email: 'dan@example.org' }).expect(200);
  expect(await service.database.query("SELECT name FROM fund WHERE name LIKE 'heard of %'")).toHaveLength(3);
});

describe('a listener of a wanted event', () => {
  /** In place of the condition of webhooks. */
  const setWanted = (isWanted: boolean): Promise<unknown> =>
    service.database.query(`
      CREATE OR REPLACE FUNCTION is_event_wanted(event text) RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT ${String(isWanted)} AND event = 'contribution.recorded' $$`);

  it('is called only if the statement of the gift finds that somebody wants it', async () => {
    const add = async (): Promise<number> =>
      ((await service.add().expect(200)).body as { ContributionId: number }).ContributionId;
    await add();
    expect(heardAsWanted).toEqual([]);
    await setWanted(true);
    const wanted = await add();
    await setWanted(false);
    await add();
    expect(heardAsWanted).toEqual([wanted]);
    expect(heard.filter((event) => event instanceof ContributionRecorded)).toHaveLength(3);
  });
});
