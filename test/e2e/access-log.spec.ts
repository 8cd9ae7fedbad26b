import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { keptLog } from '../support/kept-logs.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

interface Entry extends Record<string, unknown> {
  readonly level: string;
  readonly context: string;
}

/** The access log entry for this request id. */
async function entryOf(requestId: string): Promise<Entry> {
  const find = (): Entry[] =>
    keptLog()
      .map((line) => JSON.parse(line) as Entry)
      .filter((entry) => entry.context === 'Access' && entry['requestId'] === requestId);
  await until(() => find().length > 0);
  const [entry, ...others] = find();
  if (entry === undefined || others.length > 0) throw new Error(`Expected exactly one entry for ${requestId}`);
  return entry;
}

describe('the access log', () => {
  it('writes one line per request with its id, user, token, route, status and duration', async () => {
    const { ContributionId } = await addedGift(service, {});
    await service.read(ContributionId).set('X-Request-Id', 'access-1').expect(200);
    expect(await entryOf('access-1')).toEqual({
      level: 'info',
      pid: process.pid,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      context: 'Access',
      message: 'GET /Api/Contributions/:id 200',
      requestId: 'access-1',
      user: 'api',
      token: null,
      method: 'GET',
      route: '/Api/Contributions/:id',
      id: ContributionId,
      status: 200,
      code: null,
      durationMs: expect.any(Number),
    });
  });

  it('omits the query string of accepted and refused requests', async () => {
    await service.get('Contributions?source=PRIVATE').set('X-Request-Id', 'access-query').expect(200);
    await service.get('Contributions?PRIVATE=PRIVATE').set('X-Request-Id', 'access-refused').expect(400);
    for (const id of ['access-query', 'access-refused']) {
      expect(JSON.stringify(await entryOf(id))).not.toContain('PRIVATE');
    }
  });

  it('logs the error code of a refusal, and no name for an unknown user', async () => {
    await service.add({}, ['stranger', 'guessed wrong']).set('X-Request-Id', 'access-2').expect(401);
    expect(await entryOf('access-2')).toMatchObject({
      user: null,
      route: '/Api/AddContribution',
      status: 401,
      code: 'unauthenticated',
    });
  });

  it('logs the route pattern and never the path, for known and unknown routes', async () => {
    await service.reverse('2000000001/PRIVATE').set('X-Request-Id', 'access-3').expect(404);
    expect(await entryOf('access-3')).toMatchObject({
      route: '/Api/ReverseContribution/:id/:source',
      id: 2_000_000_001,
      code: 'contribution_not_found',
    });
    await service.http().get('/PRIVATE/of.somebody').set('X-Request-Id', 'access-4').expect(404);
    expect(await entryOf('access-4')).toMatchObject({
      method: null,
      route: 'unmatched',
      status: 404,
      code: 'not_found',
    });
  });

  it('logs no id if the path has none or has another text in its place', async () => {
    await service.read('PRIVATE').set('X-Request-Id', 'access-6').expect(400);
    await service.read('0123').set('X-Request-Id', 'access-7').expect(400);
    await service.get('Funds').set('X-Request-Id', 'access-8').expect(200);
    for (const id of ['access-6', 'access-7', 'access-8']) expect(await entryOf(id)).toMatchObject({ id: null });
  });

  it('logs health checks at debug level', async () => {
    await service.http().get('/health/live').set('X-Request-Id', 'access-5').expect(200);
    expect(await entryOf('access-5')).toMatchObject({ level: 'debug', route: '/health/live', status: 200 });
  });
});
