import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ BASE_PATH: '/giving' });
});
afterAll(() => service.stop());

describe('health', () => {
  it('answers liveness to anybody', async () => {
    const answer = await service.http().get('/health/live').expect(200);
    expect(answer.body).toEqual({ status: 'ok' });
  });

  it('is ready, and warns while nobody would be told of a reversal', async () => {
    const warned = await service.http().get('/health/ready').expect(200);
    expect(warned.body).toEqual({ status: 'ok', warnings: [expect.stringContaining('FINANCE_EMAILS')] });
    await service.createUser('treasurer', 'long enough', ['Finance'], 'treasurer@example.org');
    const well = await service.http().get('/health/ready').expect(200);
    expect(well.body).toEqual({ status: 'ok' });
  });

  it('is not ready while migrations are pending', async () => {
    const [last] = await service.database.query<{ name: string; timestamp: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name, timestamp',
    );
    const answer = await service.http().get('/health/ready').expect(503);
    expect(answer.body).toMatchObject({
      code: 'database_unavailable',
      detail: expect.stringContaining('database migrate'),
    });
    expect(answer.headers['retry-after']).toBe('5');
    await service.database.query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [
      last?.name,
      last?.timestamp,
    ]);
    await service.http().get('/health/ready').expect(200);
  });
});

describe('BASE_PATH', () => {
  it('may stand in front of every path, in any letter case', async () => {
    await service.http().post('/giving/Api/AddContribution').expect(401);
    await service.http().post('/GIVING/api/addcontribution/').expect(401);
    await service.http().get('/giving/health/live').expect(200);
  });

  it('changes neither what is nowhere nor what a path takes', async () => {
    await service.http().get('/giving/elsewhere').expect(404);
    await service.http().get('/givingApi/AddContribution').expect(404);
    const wrong = await service.http().get('/giving/Api/AddContribution').expect(405);
    expect(wrong.headers['allow']).toBe('POST');
    const probe = await service.http().post('/health/ready').expect(405);
    expect(probe.headers['allow']).toBe('GET, HEAD');
  });
});
