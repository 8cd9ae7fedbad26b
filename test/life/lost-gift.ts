import { expect } from '@jest/globals';
import { Client } from '../support/client.js';
import type { ServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { PASSWORD } from './old-gift.js';

/** A gift that was added after a backup, with the positions of readers that have read it. */
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

/** The position at the current end of a list; the filter `nothing` matches no contribution. */
async function endOf(client: Client, nothing: string): Promise<string> {
  const { status, body } = await client.request(`/Api/Contributions?${nothing}`, {});
  expect({ status, body }).toMatchObject({ status: 200, body: { contributions: [], more: false } });
  return String(body['next']);
}

/** Adds a gift of a new giver, and notes the ends of the lists by id and by change. */
export async function addLostGift(service: ServiceProcess): Promise<LostGift> {
  const client = new Client(service.url, 'api', PASSWORD);
  const { id, person } = await add(client);
  const positions = [await endOf(client, 'transactionId=none'), await endOf(client, 'updatedSince=2999-01-01')];
  expect(positions[0]).toMatch(new RegExp(`^id\\.${id}(\\.|$)`));
  return { id, person, positions };
}

/**
 * Expects after a restore that no id of the lost gift is reused, and that its readers get an error.
 * @param where new ids are; after a second restore of one backup they may be below the lost ones.
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
