import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type supertest from 'supertest';
import { accessOf, scopesOf, UserAccounts } from '../../src/auth/index.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;
/** Users with every role and with no role. */
let withEveryRole: Login;
let withoutRoles: Login;

beforeAll(async () => {
  service = await startTestApp();
  withEveryRole = await service.createUser('with all roles', PASSWORD, ['Developer', 'APIOnly', 'APIWrite', 'Finance']);
  withoutRoles = await service.createUser('with no role', PASSWORD, []);
});
afterAll(() => service.stop());

/** Every route with the roles that it requires. Before you add a new one here, consider who may call it. */
const ROUTES: Readonly<Record<string, 'public' | readonly (readonly string[])[]>> = {
  'POST /Api/AddContribution': [['Developer', 'APIOnly', 'APIWrite']],
  'POST /Api/AddContributions': [['Developer', 'APIOnly', 'APIWrite']],
  'POST /Api/ReverseContribution/:id/:source': [['Developer', 'APIOnly', 'APIWrite']],
  'POST /Api/Transactions/:source/:transactionId/reverse': [['Developer', 'APIOnly', 'APIWrite']],
  'GET /Api/Contributions': [['Developer', 'APIOnly'], ['Finance']],
  'GET /Api/Contributions/:id': [['Developer', 'APIOnly'], ['Finance']],
  'POST /Api/Contributions/:id/reassign': [['Finance']],
  'POST /Api/Contributions/:id/reverse': [['Finance']],
  'POST /Api/Contributions/:id/reinstate': [['Finance']],
  'POST /Api/Contributions/:id/move': [['Finance']],
  'GET /Api/Bundles': [['Finance']],
  'GET /Api/Bundles/:id': [['Finance']],
  'GET /Api/Bundles/:id/export': [['Finance']],
  'POST /Api/Bundles/:id/close': [['Finance']],
  'GET /Api/Funds': [['Developer', 'APIOnly'], ['Finance']],
  'GET /Api/People': [['Finance']],
  'GET /Api/People/:id': [['Finance']],
  'GET /Api/Gifts': [['Finance']],
  'GET /Api/Totals': [['Finance']],
  'GET /Api/Totals/recent': [['Finance']],
  'GET /Api/Reviews': [['Finance']],
  'POST /Api/Reviews/:id/accept': [['Finance']],
  'GET /Api/Warnings': [['Finance']],
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /openapi.json': 'public',
  'GET /docs': 'public',
  'GET /docs/:file': 'public',
};

/** The scopes of tokens that a route accepts, and none for a route that no token may call. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  'POST /Api/AddContribution': ['preview', 'add'],
  'POST /Api/AddContributions': ['add'],
  'POST /Api/ReverseContribution/:id/:source': ['reverse'],
  'POST /Api/Transactions/:source/:transactionId/reverse': ['reverse'],
  'GET /Api/Contributions': ['read'],
  'GET /Api/Contributions/:id': ['read'],
  'POST /Api/Contributions/:id/reassign': [],
  'POST /Api/Contributions/:id/reverse': [],
  'POST /Api/Contributions/:id/reinstate': [],
  'POST /Api/Contributions/:id/move': [],
  'GET /Api/Bundles': ['read'],
  'GET /Api/Bundles/:id': ['read'],
  'GET /Api/Bundles/:id/export': ['read'],
  'POST /Api/Bundles/:id/close': [],
  'GET /Api/Funds': ['read'],
  'GET /Api/People': ['read'],
  'GET /Api/People/:id': ['read'],
  'GET /Api/Gifts': ['read'],
  'GET /Api/Totals': ['read'],
  'GET /Api/Totals/recent': ['read'],
  'GET /Api/Reviews': ['read'],
  'GET /Api/Warnings': ['read'],
  'POST /Api/Reviews/:id/accept': [],
};

/** What a function says of each route, by method and path. */
function ofEachRoute(says: (handler: object, controller: object) => unknown): Record<string, unknown> {
  const scanner = new MetadataScanner();
  const found: Record<string, unknown> = {};
  for (const module of service.app.get(ModulesContainer).values()) {
    for (const { metatype, instance } of module.controllers.values()) {
      const controller = instance as Record<string, () => unknown>;
      for (const name of scanner.getAllMethodNames(controller)) {
        const handler = controller[name];
        const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
        if (handler === undefined || method === undefined || typeof metatype !== 'function') continue;
        const path = `/${String(Reflect.getMetadata(PATH_METADATA, metatype))}/${String(Reflect.getMetadata(PATH_METADATA, handler))}`;
        found[`${RequestMethod[method]} ${path.replace(/\/+/, '/')}`] = says(handler, metatype);
      }
    }
  }
  return found;
}

it('ROUTES lists every route with the roles that it requires', () => {
  expect(ofEachRoute(accessOf)).toEqual(ROUTES);
});

it('SCOPES lists every restricted route with the scopes of tokens that it accepts', () => {
  const found = Object.entries(ofEachRoute(scopesOf)).filter(([route]) => ROUTES[route] !== 'public');
  // A route without @ForTokens and @NotForTokens is undefined here.
  expect(Object.fromEntries(found)).toEqual(SCOPES);
  for (const [route, scopes] of Object.entries(SCOPES))
    expect([route, scopes.includes('read')]).toEqual([route, route.startsWith('GET ')]);
});

/** The page for people, and the document itself. */
const NOT_IN_THE_DOCUMENT = /^GET \/(openapi\.json|docs)/;

it('the document has exactly these routes', async () => {
  const { paths } = (await service.http().get('/openapi.json').expect(200)).body as { paths: Record<string, object> };
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(documented.sort()).toEqual(
    Object.keys(ROUTES)
      .filter((route) => !NOT_IN_THE_DOCUMENT.test(route))
      .sort(),
  );
});

/** A call of a route with unknown ids: a user who may call it does not get 401 or 403. */
function call(route: string, query = ''): supertest.Test {
  const [method = '', path = ''] = route
    .replace(':id', '2000000001')
    .replace(':source', 'a')
    .replace(':file', 'page.js')
    .split(' ');
  const address = path + query;
  return method === 'GET' ? service.http().get(address) : service.http().post(address);
}

const UNDER_API = Object.keys(ROUTES).filter((route) => route.includes(' /Api/'));

describe.each(UNDER_API)('%s', (route) => {
  it.each([
    ['?nonsense=1', 'nonsense'],
    ['?nonsense', 'nonsense'],
    ['?n%6Fnsense=1&n%6Fnsense=2', 'nonsense'],
    ['?dryRn=true', 'dryRn'],
    ['?a[]=1', 'a[]'],
    ['?a%5Bb%5D=1', 'a[b]'],
    ['?__proto__=1', '__proto__'],
    ['?=x', '(empty name)'],
    ['?nonsense=%ff', 'nonsense'],
    ['?%zz=1', '%zz'],
    [`${'?'.padEnd(1_500, '&')}nonsense=1`, 'nonsense'],
    [`?${'x'.repeat(150)}`, `${'x'.repeat(100)}…`],
  ])('refuses the unknown query parameter in %s', async (query, field) => {
    const answer = await call(route, query).auth(...withEveryRole);
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
    const { detail, errors } = answer.body as { detail: string; errors: unknown };
    expect(detail).toContain(field);
    expect(errors).toEqual([expect.objectContaining({ field })]);
  });

  it('checks the query after the credentials and the roles', async () => {
    expect((await call(route, '?nonsense=1')).status).toBe(401);
    expect((await call(route, '?nonsense=1').auth(...withoutRoles)).status).toBe(403);
  });

  it.each(['', '?', '?&', '?&&'])('accepts a query without parameters: %j', async (query) => {
    const answer = await call(route, query).auth(...withEveryRole);
    expect(answer.text).not.toContain('parameter');
  });
});

/** The routes that change something, and those of them that read a body. */
const CHANGING = UNDER_API.filter((route) => !route.startsWith('GET'));
const TAKING_A_BODY = [
  'POST /Api/AddContribution',
  'POST /Api/AddContributions',
  'POST /Api/Contributions/:id/reassign',
  'POST /Api/Contributions/:id/reverse',
  'POST /Api/Contributions/:id/reinstate',
  'POST /Api/Contributions/:id/move',
];

describe.each(CHANGING.filter((route) => !TAKING_A_BODY.includes(route)))('%s', (route) => {
  it.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
    'refuses a body of the type %s, after checking the credentials and the roles',
    async (type) => {
      const send = (): supertest.Test => call(route).set('Content-Type', type).send('{"Amount":"5"}');
      const answer = await send().auth(...withEveryRole);
      expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
      expect((answer.body as { detail: string }).detail).toMatch(/^\w+ takes no body/);
      expect((await send()).status).toBe(401);
      expect((await send().auth(...withoutRoles)).status).toBe(403);
    },
  );
});

const KNOWN = ['Developer', 'APIOnly', 'APIWrite', 'Finance'];
const SUBSETS = Array.from({ length: 2 ** KNOWN.length }, (_, bits) => KNOWN.filter((_role, i) => bits & (1 << i)));

describe.each(Object.entries(ROUTES))('%s', (route, access) => {
  it(access === 'public' ? 'is public' : 'requires credentials', async () => {
    const { status } = await call(route);
    expect(status).toBe(access === 'public' ? 200 : 401);
  });
});

describe.each(SUBSETS.map((roles) => [roles.join(', ') || 'no role', roles] as const))(
  'a user with %s',
  (name, roles) => {
    let login: Login;
    beforeAll(async () => {
      login = await service.createUser(`user with ${name}`, 'some long password', roles);
    });

    it('may call exactly the routes of these roles, and none when disabled', async () => {
      const restricted = Object.entries(ROUTES).flatMap(([route, access]) =>
        access === 'public' ? [] : [{ route, access }],
      );
      for (const { route, access } of restricted) {
        const allowed = access.some((set) => set.every((role) => roles.includes(role)));
        const { status } = await call(route).auth(...login);
        expect([route, status === 403]).toEqual([route, !allowed]);
        expect([route, status]).not.toEqual([route, 401]);
      }
      await service.app.get(UserAccounts).setActive({ username: login[0], active: false });
      for (const { route } of restricted)
        await call(route)
          .auth(...login)
          .expect(401);
    });
  },
);
