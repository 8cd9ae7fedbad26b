import { expect } from '@jest/globals';
import { Client } from '../support/client.js';
import type { ServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';

/** The password of the user "api" in the tests of backups. */
export const PASSWORD = 'nothing is ever lost';
const KEY = 'a key of before the backup';

/** A gift that was added before a backup. */
export interface OldGift {
  readonly id: number;
  readonly fields: object;
}

/** Adds a gift that can be replayed and reversed later. */
export async function addOldGift(service: ServiceProcess): Promise<OldGift> {
  const fields = gift('old', { Amount: '12.34' });
  const { status, body } = await new Client(service.url, 'api', PASSWORD).add(fields, KEY);
  expect(status).toBe(200);
  return { id: Number(body['ContributionId']), fields };
}

/** Expects that the old gift can be replayed and reversed, and a new one added. */
export async function goOn(service: ServiceProcess, old: OldGift): Promise<void> {
  const client = new Client(service.url, 'api', PASSWORD);
  const repeated = await client.add(old.fields, KEY);
  expect(repeated).toMatchObject({ status: 200, body: { ContributionId: old.id } });
  const added = await client.add(gift('afterwards'));
  expect(added).toMatchObject({ status: 200 });
  expect(Number(added.body['ContributionId'])).toBeGreaterThan(old.id);
  expect(await client.reverse(old.id)).toMatchObject({ status: 200 });
}
