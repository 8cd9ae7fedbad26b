import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenApi } from '../../src/api-document/openapi.js';
import { declaredErrors } from '../support/declared-errors.js';
import { SECURITY_HEADERS } from '../support/security-headers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const ROOT = new URL('../../', import.meta.url);
const run = promisify(execFile);

let service: TestApp;
let document: OpenApi;
let directory: string;

beforeAll(async () => {
  service = await startTestApp();
  document = (await service.http().get('/openapi.json').expect(200)).body as OpenApi;
  directory = mkdtempSync(join(tmpdir(), 'offertory-openapi-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Every operation with the codes that it names. */
function operations(): { id: string; codes: string[] }[] {
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, responses }) => ({
      id: operationId,
      codes: Object.values(responses).flatMap(({ content }) =>
        Object.keys(content['application/problem+json']?.examples ?? {}),
      ),
    }));
}

const codesOf = (id: string): string[] => operations().find((operation) => operation.id === id)?.codes ?? [];

describe('the document', () => {
  it('passes the linter without warnings', async () => {
    const file = join(directory, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const redocly = new URL('node_modules/@redocly/cli/bin/cli.js', ROOT).pathname;
    const { stdout } = await run(
      process.execPath,
      [redocly, 'lint', file, '--config', new URL('redocly.yaml', ROOT).pathname, '--format', 'json'],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    ).catch((error: unknown) => error as { stdout: string });
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('explains when each error code occurs, and lists it at its operations', async () => {
    const { code } = document.components.schemas['Problem']?.properties ?? {};
    const declared = await declaredErrors();
    const names = declared.map((kind) => kind.code);
    expect(new Set(code?.enum)).toEqual(new Set(names));
    for (const { code: name, status, when } of declared) {
      expect(code?.description).toContain(`\`${name}\` (${status}): ${when}`);
    }
    const named = new Set(operations().flatMap(({ codes }) => codes));
    const nowhere = names.filter((name) => !named.has(name));
    // These two are answers outside of all operations.
    expect(nowhere.sort()).toEqual(['method_not_allowed', 'not_found']);
  });

  it('derives the errors of an operation from the decorators of its route', () => {
    expect(codesOf('ListReviews')).toEqual([
      ...['invalid_request', 'unauthenticated', 'forbidden', 'too_many_requests', 'internal_error'],
      ...['database_unavailable', 'service_busy'],
    ]);
    expect(codesOf('AddContribution')).toEqual(
      expect.arrayContaining(['malformed_json', 'payload_too_large', 'unsupported_media_type', 'request_in_progress']),
    );
    expect(codesOf('Live')).toEqual(['internal_error']);
  });

  it('describes every field, each with an example', () => {
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
      for (const [field, schema] of Object.entries(properties)) {
        const about = [name, field, schema.description, schema.examples];
        expect(about).toEqual([name, field, expect.stringMatching(/\S/), schema.examples]);
        const refers = JSON.stringify(schema).includes('$ref');
        expect([name, field, refers || schema.examples !== undefined]).toEqual([name, field, true]);
      }
    }
  });

  it('describes amounts of a currency without decimals', async () => {
    const yen = await startTestApp({ CHURCH_CURRENCY: 'JPY' }, { database: service.database });
    const { components } = (await yen.http().get('/openapi.json').expect(200)).body as OpenApi;
    await yen.stop();
    expect(components.schemas['AddContributionRequest']?.properties?.['Amount']).toMatchObject({
      pattern: '^(\\d+)$',
      minimum: 1,
    });
  });
});

describe('the page', () => {
  it.each(['/docs', '/docs/', '/DOCS'])('is public at %s, with its own content security policy', async (path) => {
    const answer = await service.http().get(path).expect(200).expect('Content-Type', 'text/html; charset=utf-8');
    const { 'content-security-policy': policy, ...others } = SECURITY_HEADERS;
    expect(answer.headers).toMatchObject(others);
    expect(answer.headers['content-security-policy']).not.toBe(policy);
    expect(answer.headers['content-security-policy']).not.toMatch(/unsafe|http|\*/);
    const files = [...answer.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    for (const address of files.filter((one) => !one.startsWith('data:'))) {
      await service
        .http()
        .get(new URL(address, `http://localhost${path}`).pathname)
        .expect(200);
    }
  });

  it('is also served below BASE_PATH', async () => {
    const app = await startTestApp({ BASE_PATH: '/gifts' }, { database: service.database });
    for (const path of ['/openapi.json', '/docs', '/docs/', '/docs/page.js']) {
      await app.http().get(`/gifts${path}`).expect(200);
    }
    await app.stop();
  });

  it.each(['constructor', '..%2fpage.js', 'page.html', 'package.json'])('does not serve the file %s', async (name) => {
    const answer = await service.http().get(`/docs/${name}`).expect(404);
    expect(answer.body).toMatchObject({ code: 'not_found' });
  });
});
