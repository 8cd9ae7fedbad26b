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

/** The last page of a list, read from here. */
async function endOf(client: Client, query: string): Promise<string> {
  for (let asked = query; ;) {
    const { status, body } = await client.request(`/Api/Contributions?limit=500&${asked}`, {});
    expect({ status, body }).toMatchObject({ status: 200 });
    if (body['more'] !== true) return String(body['next']);
    asked = `after=${String(body['next'])}`;
  }
}

/** Records one of a giver of its own, and reads on to it. */
export async function addLostGift(service: ServiceProcess): Promise<LostGift> {
  const client = new Client(service.url, 'api', PASSWORD);
  const { id, person } = await add(client);
  const since = new Date(Date.now() - 60_000).toISOString();
  const positions = [await endOf(client, `after=id.${id - 1}`), await endOf(client, `updatedSince=${since}`)];
  return { id, person, positions };
}

/** The books were restored: no number of the lost gift is anybody else's, and its reader is told. */
export async function expectLost(service: ServiceProcess, { id, person, positions }: LostGift): Promise<void> {
  const client = new Client(service.url, 'api', PASSWORD);
  const later = await add(client);
  expect(later.id).toBeGreaterThan(id);
  expect(later.person).toBeGreaterThan(person);
  expect(await client.reverse(id)).toMatchObject({ status: 404 });
  for (const after of positions) {
    expect(await client.request(`/Api/Contributions?after=${after}`, {})).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'after' }] },
    });
  }
}
