import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AddContribution, AddContributionRequest } from '../../src/contributions/gifts/index.js';
import type { AddContributionCommand } from '../../src/contributions/gifts/recording/add-contribution-command.js';
import { toCommand } from '../../src/contributions/gifts/requests/request-to-command.js';
import { RequestReader } from '../../src/http/index.js';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

async function commandOf(fields: object): Promise<AddContributionCommand> {
  const [user] = await service.database.query<{ id: number }>("SELECT id FROM app_user WHERE username = 'api'");
  const request = service.app.get(RequestReader).read(AddContributionRequest, gift('row', fields));
  return toCommand(request, { userId: user?.id ?? 0, username: 'api' }, undefined);
}

it.each([
  ['with the same content', {}],
  ['with other content', { Amount: '11' }],
])('a dry run goes on if an earlier row was recorded meanwhile %s', async (_how, sent) => {
  const id = `T-${Object.keys(sent).length}`;
  const common = { Source: 'export' };
  const before = await commandOf({ ...common, TransactionId: id });
  const row = await commandOf({ ...common, TransactionId: `${id}-next`, Amount: '20' });
  await service.add(gift('row', { ...common, TransactionId: id, ...sent })).expect(200);
  const { found, createdBefore } = await service.app.get(AddContribution).preview(row, [before]);
  expect([found.by, createdBefore.gifts.size]).toEqual(['match', 0]);
});
