import { rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { compileAndRun, fileHere, newDirectory, tool } from './tools.js';

const DOCUMENTS = ['openapi.json', 'openapi-3.0.json'] as const;

let service: TestApp;
let url: string;

beforeAll(async () => {
  service = await startTestApp();
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
});
afterAll(() => service.stop());

describe.each(DOCUMENTS)('from /%s', (name) => {
  /** With the document, and the client that is generated from it. */
  let directory: string;
  let document: string;

  beforeEach(async () => {
    directory = newDirectory();
    document = join(directory, 'openapi.json');
    writeFileSync(document, await (await fetch(`${url}/${name}`)).text());
  });
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  const compiled = (program: string): Promise<string> =>
    compileAndRun(program, directory, [url, `Basic ${Buffer.from(service.login.join(':')).toString('base64')}`]);

  const orval = (client: 'fetch' | 'zod'): Promise<string> =>
    tool('orval', [document, join(directory, 'client/client.ts'), client], { cwd: directory });

  /** Expects that a gift was recorded and reversed once, and that the client read what the answers say. */
  async function expectReversedGift(printed: string): Promise<void> {
    const { id, ...others } = JSON.parse(printed) as { id: number };
    expect(others).toEqual({
      ...{ operation: 'Reversal', refusal: 'already_reversed' },
      ...{ amount: '10.00', by: 'api', status: 'Reversed' },
    });
    const entries = 'SELECT amount, source FROM contribution WHERE id = $1 OR reverses_id = $1 ORDER BY id';
    expect(await service.database.query(entries, [id])).toMatchObject([{ amount: '10.00' }, { amount: '-10.00' }]);
  }

  it('the client of openapi-typescript compiles, and records and reverses a gift', async () => {
    await tool('openapi-typescript', [document, '--output', 'client/api.ts'], { cwd: directory });
    await expectReversedGift(await compiled('openapi-typescript'));
  });

  it('the client of hey-api compiles, and records and reverses a gift', async () => {
    await tool('hey-api', ['--input', document, '--output', 'client'], { cwd: directory });
    await expectReversedGift(await compiled('hey-api'));
  });

  it('the client of orval compiles, and records and reverses a gift', async () => {
    await orval('fetch');
    await expectReversedGift(await compiled('orval-fetch'));
  });

  it('the schemas of orval for zod compile, allow the requests and answers of a gift, and refuse what is wrong', async () => {
    await orval('zod');
    await expectReversedGift(await compiled('orval-zod'));
  });

  it('the collection for Postman records and reverses a gift', async () => {
    await expectReversedGift(await tool('postman', [document, ...service.login], { cwd: fileHere('.') }));
  });

  it('Spectral has nothing to say about the document', async () => {
    const args = [
      'lint',
      '--ruleset',
      fileHere('spectral.yaml'),
      '--format',
      'json',
      '--fail-severity',
      'hint',
      document,
    ];
    const found = await tool('spectral', args, { cwd: directory }).catch((error: unknown) => String(error));
    expect(JSON.parse(/^\[[^]*\]/m.exec(found)?.[0] ?? found)).toEqual([]);
  });
});
