import { execFile } from 'node:child_process';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { makeDocument } from '../../src/api-document/document.js';
import type { OpenApi } from '../../src/api-document/openapi.js';
import { Church } from '../../src/config/index.js';
import type { JsonSchema } from '../../src/values/index.js';
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
  it.each(['openapi.json', 'openapi-3.0.json'])('passes the linter without warnings, as %s', async (name) => {
    const file = join(directory, name);
    writeFileSync(file, (await service.http().get(`/${name}`).expect(200)).text);
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

  it('has one type for each value, so that generated clients have it too', () => {
    const mixed = schemasOf(document).filter(
      ({ schema: { type } }) => [type].flat().filter((one) => one !== 'null').length > 1,
    );
    expect(mixed).toEqual([]);
    const alternatives = schemasOf(document).filter(
      ({ schema: { anyOf = [] } }) => anyOf.filter(({ type }) => type !== 'null').length > 1,
    );
    expect(alternatives).toEqual([]);
  });

  it('has the form to send: text for phones and amounts, integers for ids, and one type without null', () => {
    const { AddContributionRequest: request } = document.components.schemas;
    const typeOf = (name: string): unknown => request?.properties?.[name]?.type;
    expect(['Phone', 'Zip', 'Amount', 'Fee'].map(typeOf)).toEqual(['string', 'string', 'string', 'string']);
    expect(['FundId', 'PeopleId', 'BundleTypeId', 'ContributionTypeId'].map(typeOf)).toEqual(Array(4).fill('integer'));
    expect(typeOf('IgnoreUnknownPerson')).toBe('boolean');
    expect(request?.properties?.['Method']).toMatchObject({
      enum: ['card', 'ach', 'check', 'cash', 'wallet', 'other'],
    });
    expect(request?.properties?.['Phone']?.description).toMatch(/A JSON integer is accepted too/);
  });

  it('limits every text, number and list', () => {
    const unlimited = schemasOf(document).filter(({ schema }) => !isLimited(schema));
    expect(unlimited.map(({ place }) => place)).toEqual([]);
  });

  it('has examples that its schemas allow', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
    ajv.addSchema(document, 'api');
    const faults = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, { examples = [] }]) =>
        examples.flatMap((example) => {
          const check = ajv.compile({ $ref: `api#/components/schemas/${name}/properties/${field}` });
          return check(example) ? [] : [`${name}.${field}: ${JSON.stringify(check.errors)}`];
        }),
      ),
    );
    expect(faults).toEqual([]);
  });

  it('allows only requests that the service accepts', () => {
    const church = service.app.get(Church);
    const accepted = makeDocument(service.app.get(ModulesContainer), church, 'accepted');
    const requests = Object.values(accepted.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ requestBody }) => requestBody?.content['application/json']?.schema.$ref ?? []),
    );
    const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
    ajv.addSchema(accepted, 'accepted');
    expect(requests.length).toBeGreaterThan(20);
    for (const $ref of new Set(requests)) {
      const name = $ref.split('/').at(-1) ?? '';
      const { properties = {} } = document.components.schemas[name] ?? {};
      for (const [field, { examples = [], enum: words = [] }] of Object.entries(properties)) {
        const check = ajv.compile({ $ref: `accepted#/components/schemas/${name}/properties/${field}` });
        for (const value of [...examples, ...words])
          expect([name, field, value, check(value)]).toEqual([name, field, value, true]);
      }
    }
  });

  it('leaves out the alias of PreviewContribution', () => {
    const { parameters = [], responses } = document.paths['/Api/AddContribution']?.['post'] ?? {};
    expect(parameters.map(({ name }) => name)).toEqual(['Idempotency-Key']);
    expect(responses?.['200']?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/AddContributionAnswer',
    });
  });

  it('describes amounts of a currency without decimals', async () => {
    const yen = await startTestApp({ CHURCH_CURRENCY: 'JPY' }, { database: service.database });
    const { components } = (await yen.http().get('/openapi.json').expect(200)).body as OpenApi;
    await yen.stop();
    expect(components.schemas['AddContributionRequest']?.properties?.['Amount']).toMatchObject({
      pattern: '^(0|[1-9][0-9]{0,8})$',
      maxLength: 9,
    });
  });
});

/** All schemas of JSON in the document, with their places. */
function schemasOf(value: unknown, place = ''): { readonly place: string; readonly schema: JsonSchema }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const here = `${place}/${key}`;
    // Examples are values. A file is limited by its size, and an exported one by nothing.
    if (['example', 'examples', 'enum', 'const', 'text/csv'].includes(key)) return [];
    const isSchema = ['schema', 'items'].includes(key) || /\/(schemas|properties|anyOf|allOf)$/.test(place);
    return [...(isSchema ? [{ place: here, schema: inner as JsonSchema }] : []), ...schemasOf(inner, here)];
  });
}

function isLimited(schema: JsonSchema): boolean {
  const types = [schema.type].flat();
  if (schema.enum !== undefined || schema.const !== undefined) return true;
  if (types.includes('string')) return schema.maxLength !== undefined;
  if (types.includes('array')) return schema.maxItems !== undefined && schema.items !== undefined;
  if (types.includes('integer'))
    return schema.minimum !== undefined && schema.maximum !== undefined && schema.format === 'int32';
  return !types.includes('number');
}

describe('the server of the document', () => {
  const serverOf = async (app: TestApp, headers: Record<string, string>, path = '/openapi.json'): Promise<unknown> => {
    const { servers } = (await app.http().get(path).set(headers).expect(200)).body as OpenApi;
    return servers.map(({ url }) => url);
  };

  it.each(['/openapi.json', '/openapi-3.0.json'])('is the host to which the request was sent, in %s', async (path) => {
    expect(await serverOf(service, { Host: 'giving.example.org' }, path)).toEqual(['http://giving.example.org']);
    expect(await serverOf(service, { Host: 'GIVING.example.org:8080' }, path)).toEqual([
      'http://giving.example.org:8080',
    ]);
    // Nobody is trusted here.
    const forged = { Host: 'giving.example.org', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
    expect(await serverOf(service, forged, path)).toEqual(['http://giving.example.org']);
  });

  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    [
      'what a trusted proxy says',
      { TRUST_PROXY: '1' },
      { 'X-Forwarded-Host': 'giving.example.org', 'X-Forwarded-Proto': 'https' },
      'https://giving.example.org',
    ],
    [
      'PUBLIC_URL',
      { PUBLIC_URL: 'https://giving.example.org' },
      { Host: 'evil.example' },
      'https://giving.example.org',
    ],
    ['the path of PUBLIC_URL', { PUBLIC_URL: 'https://x.example/gifts/' }, {}, 'https://x.example/gifts'],
    ['BASE_PATH', { BASE_PATH: '/gifts' }, { Host: 'x.example' }, 'http://x.example/gifts'],
    ['BASE_PATH once', { PUBLIC_URL: 'https://x.example/gifts', BASE_PATH: '/gifts' }, {}, 'https://x.example/gifts'],
  ])('follows %s', async (_what, settings, headers, expected) => {
    const app = await startTestApp(settings, { database: service.database });
    expect(await serverOf(app, headers)).toEqual([expected]);
    await app.stop();
  });

  it.each(['', 'a b', 'user@evil.example', 'x/y', 'x?y=', '[::'])('is only a path for the host %j', async (host) => {
    expect(await serverOf(service, { Host: host })).toEqual(['/']);
  });
});

describe('the page', () => {
  it.each(['/docs', '/docs/', '/DOCS'])('is public at %s, with its own content security policy', async (path) => {
    const answer = await service.http().get(path).expect(200).expect('Content-Type', 'text/html; charset=utf-8');
    const { 'content-security-policy': policy, ...others } = SECURITY_HEADERS;
    expect(answer.headers).toMatchObject(others);
    expect(answer.headers['content-security-policy']).not.toBe(policy);
    expect(answer.headers['content-security-policy']).not.toMatch(/unsafe|http|\*/);
    const files = await filesOf(path);
    expect(files).toHaveLength(4);
    for (const file of files) {
      const { headers } = await service.http().get(file).expect(200);
      expect(headers).toMatchObject({ ...SECURITY_HEADERS, 'cache-control': 'public, max-age=31536000, immutable' });
    }
  });

  it.each(['br', 'gzip'])(
    'has files that are a quarter of their size with %s, and that are the same',
    async (coding) => {
      const [files, document] = [await filesOf('/docs'), '/openapi.json'];
      for (const path of [...files, document, '/openapi-3.0.json']) {
        const [plain, packed] = [await received(path, 'identity'), await received(path, coding)];
        expect(plain.headers.has('content-encoding')).toBe(false);
        expect(Object.fromEntries(packed.headers)).toMatchObject({
          'content-encoding': coding,
          vary: 'Accept-Encoding',
        });
        const unpacked = coding === 'br' ? brotliDecompressSync(packed.body) : gunzipSync(packed.body);
        expect(unpacked.equals(plain.body)).toBe(true);
        if (plain.body.length > 5_000) expect(packed.body.length).toBeLessThan(plain.body.length / 3);
      }
    },
  );

  /** The paths of the page's files. */
  async function filesOf(path: string): Promise<string[]> {
    const { text } = await service.http().get(path).expect(200);
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    return addresses
      .filter((one) => !one.startsWith('data:'))
      .map((one) => new URL(one, `http://localhost${path}`).pathname)
      .filter((one) => one.startsWith('/docs/'));
  }

  /** The answer as it was sent: other clients unpack it. */
  async function received(path: string, coding: string): Promise<{ headers: Map<string, string>; body: Buffer }> {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, path, headers: { 'Accept-Encoding': coding } }, resolve).on('error', reject);
    });
    const chunks = (await response.toArray()) as Buffer[];
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return { headers: new Map(headers), body: Buffer.concat(chunks) };
  }

  it('is also served below BASE_PATH', async () => {
    const app = await startTestApp({ BASE_PATH: '/gifts' }, { database: service.database });
    const [script = ''] = (await filesOf('/docs')).slice(-1);
    for (const path of ['/openapi.json', '/docs', '/docs/', script]) {
      await app.http().get(`/gifts${path}`).expect(200);
    }
    await app.stop();
  });

  it.each(['constructor', '..%2fpage.js', 'page.html', 'package.json'])('does not serve the file %s', async (name) => {
    const answer = await service.http().get(`/docs/${name}`).expect(404);
    expect(answer.body).toMatchObject({ code: 'not_found' });
  });
});
