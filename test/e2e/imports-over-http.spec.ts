import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import type { ImportDetails, ImportView } from '../../src/contributions/imports/uploads/showing/import-view.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const PASSWORD = 'correct horse battery';
const FILE =
  'Given,Family,Mail,Phone,Gift value,Date\nAnn,Lee,ann@example.org,1,5,2026-06-01\nBob,Lee,,,7,2026-06-01\n';
const MAPPING = { Given: 'First', Family: 'Last', Mail: 'Email', 'Gift value': 'Amount' };

let service: TestApp;
let finance: Login;
let auditor: Login;

beforeAll(async () => {
  service = await startTestApp({}, { workers: true });
  finance = await service.createUser('treasurer', PASSWORD, ['Finance']);
  auditor = await service.createUser('auditor', PASSWORD, ['Auditor']);
  await service.createUser('imports', PASSWORD, []);
});
afterAll(() => service.stop());

const post = (path: string, body?: object, login = finance): supertest.Test =>
  service
    .http()
    .post(`/Api/Imports${path}`)
    .auth(...login)
    .send(body);

const upload = (content: string, query = 'user=imports&source=paper&name=June.csv', login = finance): supertest.Test =>
  service
    .http()
    .post(`/Api/Imports?${query}`)
    .auth(...login)
    .type('text/csv')
    .send(content);

async function untilEnded(importId: number): Promise<ImportDetails> {
  let found: ImportDetails | undefined;
  await until(async () => {
    const answer = await service.get(`Imports/${importId}`, auditor).expect(200);
    found = answer.body as ImportDetails;
    return found.state !== 'checking' && found.state !== 'booking';
  });
  if (found === undefined) throw new Error('The import was not read');
  return found;
}

it('a file is uploaded, tried, booked and forgotten by calls', async () => {
  const uploaded = (await upload(FILE).expect(200)).body as ImportDetails;
  const { importId } = uploaded;
  expect(uploaded).toMatchObject({ state: 'new', name: 'June.csv', user: 'imports', source: 'paper', revision: 0 });
  expect(uploaded.columns[4]).toEqual({ name: 'Gift value', examples: ['5', '7'] });

  const refused = await post(`/${importId}/check`, { Mapping: { Given: 'Last', Family: 'Last' } }).expect(422);
  expect(refused.body).toMatchObject({ code: 'file_not_usable' });
  await post(`/${importId}/check`, { Mapping: MAPPING }).expect(200);
  const tried = await untilEnded(importId);
  expect(tried).toMatchObject({ state: 'checked', revision: 1, rows: 2, rowsDone: 2 });
  expect(tried.outcome).toMatchObject({ recorded: 1, refused: 1, total: '5.00', newPeople: 1 });
  expect(tried.someRows.map(({ row, status }) => [row, status])).toEqual([
    [2, 'refused'],
    [1, 'would be recorded'],
  ]);

  await post(`/${importId}/check`, { WithoutContacts: true }).expect(200);
  expect((await untilEnded(importId)).outcome).toMatchObject({ recorded: 2, refused: 0, total: '12.00', toReview: 1 });
  const stale = await post(`/${importId}/book`, { Revision: 1 }).expect(409);
  expect(stale.body).toMatchObject({ code: 'import_changed', current: { importId, revision: 2, state: 'checked' } });
  await post(`/${importId}/book`, { Revision: 2 }).expect(200);
  await post(`/${importId}/book`, { Revision: 2 }).expect(200);
  const booked = await untilEnded(importId);
  expect([booked.state, booked.outcome]).toEqual(['booked', expect.objectContaining({ recorded: 2, total: '12.00' })]);
  await post(`/${importId}/check`, {}).expect(409);

  const { text, type } = await service.get(`Imports/${importId}/result`, auditor).expect(200);
  expect([type, text.split('\r\n')[1]]).toEqual(['text/csv', expect.stringMatching(/^1,2,row-\w+-1,recorded,\d+/)]);
  const entries = await service.database.query(
    `SELECT action, via FROM audit_entry WHERE actor = 'treasurer' AND action IN ('import.begin', 'import.end') ORDER BY id`,
  );
  expect(entries).toEqual([
    { action: 'import.begin', via: 'api' },
    { action: 'import.end', via: 'api' },
  ]);

  const forgotten = (await post(`/${importId}/forget`).expect(200)).body as ImportView;
  expect([forgotten.name, forgotten.contentDeletedAt]).toEqual([null, expect.any(String)]);
  await service.get(`Imports/${importId}/result`, finance).expect(404);
  const list = await service.get('Imports', auditor).expect(200);
  expect((list.body as { imports: ImportView[] }).imports.map((one) => one.importId)).toEqual([importId]);
});

it('an export of a known processor names its format, and another one can be chosen', async () => {
  const { importId } = (await upload(FILE).expect(200)).body as ImportView;
  const unknown = await post(`/${importId}/check`, { Format: 'nothing' }).expect(400);
  expect(unknown.body).toMatchObject({ errors: [{ field: 'Format' }] });
  await post(`/${importId}/check`, { Format: 'stripe' }).expect(422);
  await post(`/${importId}/check`, { User: 'nobody' }).expect(400);
  await post(`/${importId}/check`, { Mapping: { file: { dates: 'Y/Y/Y' } } }).expect(422);
  await post(`/${importId}/check`, { Format: 'none', Mapping: MAPPING }).expect(200);
  expect((await untilEnded(importId)).format).toBeNull();
});

it('files that are not CSV, and calls that are wrong, are refused', async () => {
  expect((await upload('<html></html>').expect(422)).body).toMatchObject({ code: 'file_not_usable' });
  await upload(FILE, 'source=paper').expect(400);
  await upload(FILE, 'user=nobody').expect(400);
  await upload(FILE, 'user=imports', auditor).expect(403);
  await service
    .http()
    .post('/Api/Imports?user=imports')
    .auth(...finance)
    .type('application/json')
    .send({})
    .expect(415);
  await upload('x'.repeat(21 * 1024 * 1024)).expect(413);
  for (const [path, body] of [
    ['check', {}],
    ['book', { Revision: 1 }],
    ['forget', undefined],
  ] as const)
    await post(`/999/${path}`, body).expect(404);
  await service.get('Imports/999', finance).expect(404);
  await service.get('Imports/999/result', finance).expect(404);
});
