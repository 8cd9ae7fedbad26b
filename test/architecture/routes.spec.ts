import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type supertest from 'supertest';
import { accessOf, authenticationOf, scopesOf, UserAccounts } from '../../src/auth/index.js';
import { ROLE_NAMES, type RoleName } from '../../src/auth/users/role-name.js';
import { assetPath } from '../../src/pages/assets/assets.js';
import { logInToConsole, originOf, sendLogin } from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { pageHtml } from '../../src/api-document/page.js';
import { ROUTES, SCOPES } from './routes.js';

/** The name of a file of /docs, which contains a hash. */
const [, PAGE_SCRIPT = ''] = /\/(page\.\w+\.js)"/.exec(pageHtml('.', 'live')) ?? [];

const PASSWORD = 'correct horse battery';

let service: TestApp;
/** Users with every role and with no role. */
let withEveryRole: Login;
let withoutRoles: Login;

beforeAll(async () => {
  service = await startTestApp();
  withEveryRole = await service.createUser('with all roles', PASSWORD, ROLE_NAMES);
  withoutRoles = await service.createUser('with no role', PASSWORD, []);
});
afterAll(() => service.stop());

/** Calls of the API need credentials of HTTP, and pages of the console a session. */
const isCall = (route: string): boolean => ROUTES[route] !== 'public' && !isPage(route);
const isPage = (route: string): boolean => ROUTES[route] !== 'public' && / \/console(\/|$)/.test(route);

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
        found[`${RequestMethod[method]} ${path.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1')}`] = says(
          handler,
          metatype,
        );
      }
    }
  }
  return found;
}

it('ROUTES lists every route with the roles that it requires', () => {
  expect(ofEachRoute(accessOf)).toEqual(ROUTES);
});

it('every restricted route is open to one way to log in: a session under /console, and credentials of HTTP elsewhere', () => {
  const expected = Object.keys(ROUTES).map((route) => [
    route,
    isPage(route) ? 'session' : isCall(route) ? 'http' : 'none',
  ]);
  expect(ofEachRoute(authenticationOf)).toEqual(Object.fromEntries(expected));
});

it('SCOPES lists every restricted route with the scopes of tokens that it accepts', () => {
  const found = Object.entries(ofEachRoute(scopesOf)).filter(([route]) => isCall(route));
  // A route without @ForTokens and @NotForTokens is undefined here.
  expect(Object.fromEntries(found)).toEqual(SCOPES);
  for (const [route, scopes] of Object.entries(SCOPES))
    expect([route, scopes.includes('read')]).toEqual([route, route.startsWith('GET ')]);
});

it('an auditor may read what Finance may read, and change nothing', () => {
  const openTo = (role: string): string[] =>
    Object.entries(ROUTES).flatMap(([route, access]) =>
      isCall(route) && access !== 'public' && access.some((set) => set.length === 1 && set[0] === role) ? [route] : [],
    );
  expect(openTo('Auditor')).toEqual(openTo('Finance').filter((route) => route.startsWith('GET ')));
});

/** The pages for people, and the document itself. */
const NOT_IN_THE_DOCUMENT = /^(GET \/(openapi(-3\.0)?\.json|docs|guides|$)|\w+ \/console(\/|$))/;

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
    .replace('assets/:file', assetPath('console.js').replace('console/assets/', 'assets/'))
    .replace(':file', PAGE_SCRIPT)
    .replace(':name', 'webhooks')
    .split(' ');
  const address = path + query;
  return method === 'GET' ? service.http().get(address) : service.http().post(address);
}

const UNDER_API = Object.keys(ROUTES).filter((route) => route.includes(' /Api/'));

/** Spellings of queries are read in one place for all routes, so one route of each kind is enough. */
const WITH_EVERY_SPELLING = ['GET /Api/Contributions', 'POST /Api/AddContribution', 'POST /Api/Bundles/:id/close'];

async function expectUnknown(route: string, query: string, field: string): Promise<void> {
  const answer = await call(route, query).auth(...withEveryRole);
  expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
  const { detail, errors } = answer.body as { detail: string; errors: unknown };
  expect(detail).toContain(field);
  expect(errors).toEqual([expect.objectContaining({ field })]);
}

describe.each(WITH_EVERY_SPELLING)('%s', (route) => {
  it.each([
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
  ])('refuses the unknown query parameter in %s', (query, field) => expectUnknown(route, query, field));

  it.each(['', '?', '?&', '?&&'])('accepts a query without parameters: %j', async (query) => {
    const answer = await call(route, query).auth(...withEveryRole);
    expect(answer.text).not.toContain('parameter');
  });
});

it.each(UNDER_API)(
  '%s refuses an unknown query parameter, after checking the credentials and the roles',
  async (route) => {
    await expectUnknown(route, '?nonsense=1', 'nonsense');
    expect((await call(route, '?nonsense=1')).status).toBe(401);
    expect((await call(route, '?nonsense=1').auth(...withoutRoles)).status).toBe(403);
  },
);

/** The routes that change something, and those of them that read a body. */
const CHANGING = UNDER_API.filter((route) => !route.startsWith('GET'));
const TAKING_A_BODY = [
  'POST /Api/AddContribution',
  'POST /Api/AddContributions',
  'POST /Api/Contributions/:id/reassign',
  'POST /Api/Contributions/:id/reverse',
  'POST /Api/Contributions/:id/reinstate',
  'POST /Api/Contributions/:id/move',
  'POST /Api/Funds',
  'POST /Api/Funds/:id/rename',
  'POST /Api/Funds/:id/default',
  'POST /Api/Bundles/close',
  'POST /Api/Imports',
  'POST /Api/Imports/:id/check',
  'POST /Api/Imports/:id/book',
  'POST /Api/People',
  'POST /Api/People/:id/edit',
  'POST /Api/People/:id/merge',
  'POST /Api/People/:id/contacts',
  'POST /Api/Reviews/:id/accept',
  'POST /Api/Deposits',
  'POST /Api/PreviewContribution',
  'POST /Api/Deposits/enter',
  'POST /Api/Deposits/:id/items',
  'POST /Api/Deposits/:id/items/remove',
  'POST /Api/Deposits/:id/bank',
  'POST /Api/Deposits/:id/bank/withdraw',
  'POST /Api/Deposits/:id/adjust',
  'POST /Api/Deposits/:id/reconcile',
  'POST /Api/Payouts/deposit',
  'POST /Api/Webhooks',
  'POST /Api/Webhooks/:id/rotate',
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

type Roles = readonly RoleName[];
type Sets = readonly (readonly string[])[];

const SUBSETS: readonly Roles[] = Array.from({ length: 2 ** ROLE_NAMES.length }, (_, bits) =>
  ROLE_NAMES.filter((_role, i) => bits & (1 << i)),
);

const allows = (access: Sets, roles: Roles): boolean =>
  access.some((set) => set.every((role) => (roles as readonly string[]).includes(role)));

const without = (roles: Roles, role: RoleName): Roles => roles.filter((one) => one !== role);

/**
 * The sets of roles that decide a route's access: those that are just enough, and those that lack just one role.
 * As more roles never open less, which "a route of each kind" tries with every set, they stand for all sets.
 */
const deciding = (access: Sets): readonly Roles[] =>
  SUBSETS.filter((roles) =>
    allows(access, roles)
      ? roles.every((role) => !allows(access, without(roles, role)))
      : ROLE_NAMES.every((role) => roles.includes(role) || allows(access, [...roles, role])),
  );

const RESTRICTED = Object.entries(ROUTES).flatMap(([route, access]) =>
  access === 'public' ? [] : [{ route, access }],
);

/** One route of those that require the same roles and are opened by the same way to log in. */
const OF_EACH_KIND = RESTRICTED.filter(
  (one, i) =>
    RESTRICTED.findIndex(
      ({ route, access }) =>
        isPage(route) === isPage(one.route) && JSON.stringify(access) === JSON.stringify(one.access),
    ) === i,
);

const nameOf = (roles: Roles): string => roles.join(', ') || 'no role';
const users = new Map<string, Promise<Login>>();

function userWith(roles: Roles): Promise<Login> {
  const name = nameOf(roles);
  const login = users.get(name) ?? service.createUser(`user with ${name}`, 'some long password', roles);
  users.set(name, login);
  return login;
}

/** The status of a page for a user who is logged in, or of the login if no role of the user allows that. */
async function openPage(route: string, roles: Roles): Promise<number> {
  const login = await userWith(roles);
  if (!roles.includes('Finance') && !roles.includes('Auditor')) return (await sendLogin(service, login)).status;
  const visitor = await logInToConsole(service, login);
  return (await visitor.get(route.replace('GET ', '').replace(':id', '2000000001'))).status;
}

async function expectRolesToDecide(route: string, access: Sets, roles: Roles): Promise<void> {
  const status = isPage(route)
    ? await openPage(route, roles)
    : (await call(route).auth(...(await userWith(roles)))).status;
  expect([route, nameOf(roles), status === 403]).toEqual([route, nameOf(roles), !allows(access, roles)]);
  expect([route, nameOf(roles), status]).not.toEqual([route, nameOf(roles), 401]);
}

/** A form of the console is refused without its token, whatever the roles: test/e2e/console-forms.spec.ts. */
const BY_ROLES = (route: string): boolean => isCall(route) || (isPage(route) && route.startsWith('GET '));

describe.each(RESTRICTED.filter(({ route }) => BY_ROLES(route)))('$route', ({ route, access }) => {
  it.each(deciding(access).map((roles) => [nameOf(roles), roles] as const))(
    'is open to exactly the users with its roles: %s',
    (_name, roles) => expectRolesToDecide(route, access, roles),
  );
});

describe.each(OF_EACH_KIND.filter(({ route }) => BY_ROLES(route)))(
  'a route of each kind, $route,',
  ({ route, access }) => {
    it('is open to exactly the users with its roles, whatever other roles they have', async () => {
      for (const roles of SUBSETS) await expectRolesToDecide(route, access, roles);
    });
  },
);

it('a disabled user may call nothing', async () => {
  const login = await service.createUser('disabled', 'some long password', ROLE_NAMES);
  await service.app.get(UserAccounts).setActive({ username: login[0], active: false });
  for (const { route } of RESTRICTED.filter((one) => isCall(one.route)))
    expect([route, (await call(route).auth(...login)).status]).toEqual([route, 401]);
  await sendLogin(service, login).expect(403);
});

/** A form without a name and a password is refused as such, not because nobody has logged in. */
const LOGIN = 'POST /console/login';

describe.each(Object.keys(ROUTES).filter((route) => route !== LOGIN))('%s', (route) => {
  const status = isPage(route) ? 303 : isCall(route) ? 401 : 200;
  it(status === 200 ? 'is public' : 'requires credentials', async () => {
    const answer = await call(route).set('Origin', originOf(service));
    expect(answer.status).toBe(status);
    if (status === 303) expect(answer.headers['location']).toMatch(/^(\.\.?\/)+console\/login(\?next=|$)/);
  });
});

describe('a way to log in opens nothing of the other kind:', () => {
  it.each(Object.keys(ROUTES).filter(isPage))('a password does not open %s', async (route) => {
    const answer = await call(route)
      .set('Origin', originOf(service))
      .auth(...withEveryRole);
    expect([answer.status, answer.headers['location']]).toEqual([303, expect.stringContaining('console/login')]);
  });

  it.each(Object.keys(ROUTES).filter(isCall))('a session does not open %s', async (route) => {
    const { cookie } = await logInToConsole(service, withEveryRole);
    const answer = await call(route).set('Cookie', cookie);
    expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ code: 'unauthenticated' })]);
  });
});
