import { expect } from '@jest/globals';
import { Client } from '../support/client.js';
import type { ServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { PASSWORD } from './old-gift.js';

/** A gift of after a backup, and where a reader was that has read it. */
export interface LostGift {
  readonly id: number;
  readonly person: number;
  readonly positions: readonly string[];
}

let count = 0;

async function add(client: Client): Promise<{ id: number; person: number }> {
  const { status, body } = await client.add(gift(`lost${++count}`));
  expect({ status, body }).toMatchObject({ status: 200 });
  return { id: Number(body['ContributionId']), person: Number(body['PeopleId']) };
}

/** Where a list ends now: its only page, since nothing is of this kind. */
async function endOf(client: Client, nothing: string): Promise<string> {
  const { status, body } = await client.request(`/Api/Contributions?${nothing}`, {});
  expect({ status, body }).toMatchObject({ status: 200, body: { contributions: [], more: false } });
  return String(body['next']);
}

/** Records one of a giver of its own, and notes where the lists by id and by change end then. */
export async function addLostGift(service: ServiceProcess): Promise<LostGift> {
  const client = new Client(service.url, 'api', PASSWORD);
  const { id, person } = await add(client);
  const positions = [await endOf(client, 'transactionId=none'), await endOf(client, 'updatedSince=2999-01-01')];
  expect(positions[0]).toMatch(new RegExp(`^id\\.${id}(\\.|$)`));
  return { id, person, positions };
}

/**
 * The books were restored: no number of the lost gift is anybody else's, and its reader is told.
 * @param where the numbers go on; a backup that was restored before may leave that to chance.
 */
export async function expectLost(
  service: ServiceProcess,
  { id, person, positions }: LostGift,
  where: 'above' | 'elsewhere' = 'above',
): Promise<void> {
  const client = new Client(service.url, 'api', PASSWORD);
  const later = await add(client);
  for (const [now, before] of [
    [later.id, id],
    [later.person, person],
  ] as const) {
    if (where === 'above') expect(now).toBeGreaterThan(before);
    else expect(Math.abs(now - before)).toBeGreaterThan(10);
  }
  expect(await client.reverse(id)).toMatchObject({ status: 404 });
  for (const after of positions) {
    expect(await client.request(`/Api/Contributions?after=${after}`, {})).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'after' }] },
    });
  }
}
