import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const run = promisify(execFile);

/** The code that a processor's developer writes against the generated client. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const [, , baseUrl = '', authorization = ''] = process.argv;
const api = createClient<paths>({ baseUrl, headers: { Authorization: authorization } });

const added = await api.POST('/Api/AddContribution', {
  params: { header: { 'Idempotency-Key': 'generated client' } },
  body: { First: 'John', Last: 'Appleseed', Email: 'john@example.org', Phone: '901-489-0611', Amount: '10.00', Source: 'client' },
});
if (added.error) throw new Error(added.error.detail);
if (!('ContributionId' in added.data)) throw new Error('A dry run was not asked for');
const id: number = added.data.ContributionId;

const path = { id, source: 'client' };
const reversed = await api.POST('/Api/ReverseContribution/{id}/{source}', { params: { path } });
const operation: 'Reversal' | undefined = reversed.data?.operation;

const again = await api.POST('/Api/ReverseContribution/{id}/{source}', { params: { path } });
const code: string | undefined = again.error?.code;

const { data } = await api.GET('/Api/Contributions/{id}', { params: { path: { id } } });
const amount: string | undefined = data?.amount;
const by: string | undefined = data?.reversal?.by;

console.log(JSON.stringify({ id, operation, code, amount, by, status: data?.status }));
`;

/** The compiler must refuse each of these: the generated types know the fields. */
const MISTAKES = `
import type { components } from './api.js';

type Request = components['schemas']['AddContributionRequest'];
// @ts-expect-error a field is missing
export const missing: Request = { First: 'John', Last: 'Appleseed', Email: 'john@example.org', Phone: '901-489-0611' };
// @ts-expect-error an amount is a text or a number
export const wrong: Request['Amount'] = true;
`;

let service: TestApp;
/** Inside the repository, so that packages are resolved. */
let directory: string;

beforeAll(async () => {
  service = await startTestApp();
  mkdirSync(join(ROOT, 'data'), { recursive: true });
  directory = mkdtempSync(join(ROOT, 'data', 'client-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await service.stop();
});

const node = async (script: string, ...args: string[]): Promise<string> => {
  const failed = (error: unknown): never => {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${script} failed:\n${stdout}${stderr}`);
  };
  return (await run(process.execPath, [script, ...args], { cwd: directory }).catch(failed)).stdout;
};

it('a client generated from the OpenAPI document type-checks, and records, reverses and reads a gift', async () => {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'openapi.json'), (await service.http().get('/openapi.json').expect(200)).text);
  writeFileSync(join(directory, 'program.ts'), PROGRAM);
  writeFileSync(join(directory, 'mistakes.ts'), MISTAKES);

  await node(join(ROOT, 'node_modules/openapi-typescript/bin/cli.js'), 'openapi.json', '--output', 'api.ts');
  await node(
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    ...[
      '--ignoreConfig',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
      '--types',
      'node',
    ],
    ...['--module', 'nodenext', '--outDir', 'built', 'program.ts', 'mistakes.ts'],
  );
  const authorization = `Basic ${Buffer.from(service.login.join(':')).toString('base64')}`;
  const answer = JSON.parse(await node('built/program.js', url, authorization)) as Record<string, unknown>;

  expect(answer).toEqual({
    ...{ id: expect.any(Number), operation: 'Reversal', code: 'already_reversed' },
    ...{ amount: '10.00', by: 'api', status: 'Reversed' },
  });
  const entries = await service.database.query('SELECT amount FROM contribution ORDER BY id');
  expect(entries).toEqual([{ amount: '10.00' }, { amount: '-10.00' }]);
});
