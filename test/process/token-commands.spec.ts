import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { noteSecret } from '../support/kept-logs.js';
import { type Outcome, runProgram } from '../support/service-process.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

const SHAPE = /^offt_[A-Za-z0-9_-]{43}$/;
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
  await service.createUser('reader', 'some long password', ['Developer', 'APIOnly']);
  await service.createUser('gone', 'some long password', ['Finance']);
  await service.createUser('no roles', 'some long password', []);
});
afterAll(() => service.stop());

const offertory = (...args: string[]): Promise<Outcome> =>
  runProgram('cli', args, { DATABASE_URL: service.database.url });

async function json<T>(...args: string[]): Promise<T> {
  const outcome = await offertory(...args, '--json');
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(outcome.stdout) as T;
}

interface Created {
  readonly id: number;
  readonly token: string;
}

async function create(...args: string[]): Promise<Created> {
  const created = await json<Created>('token', 'create', ...args);
  noteSecret(created.token);
  return created;
}

it('token create, list and revoke: from the first call of a program to the change to another token', async () => {
  const args = [
    '--name',
    'the server',
    '--scopes',
    'read,add',
    '--expires',
    '365d',
    '--from',
    '127.0.0.1, 2001:DB8::/32',
  ];
  const first = await create('api', ...args);
  const described = {
    id: first.id,
    name: 'the server',
    username: 'api',
    scopes: ['add', 'read'],
    from: ['127.0.0.1/32', '2001:db8::/32'],
    expiresAt: INSTANT,
  };
  expect(first).toEqual({ ...described, token: expect.stringMatching(SHAPE) });
  const login: Login = ['api', first.token];
  await service.add({}, login).expect(200);
  await service.reverse('1/a', login).expect(403);

  const second = await create('api');
  expect(second).toMatchObject({
    name: null,
    scopes: ['add', 'reverse', 'read', 'preview'],
    from: null,
    expiresAt: null,
  });
  await service.add({}, ['api', second.token]).expect(200);

  const revoked = await json('token', 'revoke', String(first.id));
  const listed = { ...described, createdAt: INSTANT, lastUsedAt: INSTANT, revokedAt: INSTANT };
  expect(revoked).toEqual(listed);
  // On the next call.
  await service.add({}, login).expect(401);
  await service.add({}, ['api', second.token]).expect(200);

  await create('reader');
  const list = await json<object[]>('token', 'list', 'api');
  expect(list).toEqual([listed, expect.objectContaining({ id: second.id, lastUsedAt: INSTANT, revokedAt: null })]);
  expect(await json('token', 'list')).toHaveLength(3);
  const table = await offertory('token', 'list', 'api');
  expect(table.stdout).toMatch(
    /^id +name +username +scopes +from +createdAt +expiresAt +lastUsedAt +revokedAt\n\d+ +the server +api +add, read +127\.0\.0\.1\/32, 2001:db8::\/32 +\S+Z +\S+Z +\S+Z +\S+Z\n\d+ +- +api +add, reverse, read, preview +- +\S+Z +- +\S+Z +-\n$/,
  );
  for (const shown of [JSON.stringify(list), JSON.stringify(revoked), table.stdout]) {
    expect(shown).not.toContain(first.token);
    expect(shown).not.toContain(second.token);
  }
});

it('token create prints the token once, in a line of its own', async () => {
  const { code, stdout, stderr } = await offertory('token', 'create', 'reader');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [, token = ''] = /^token +(\S+)$/m.exec(stdout) ?? [];
  noteSecret(token);
  expect(token).toMatch(SHAPE);
  await service.get('Funds', ['reader', token]).expect(200);
});

it('the audit trail says who created and revoked which token, and contains none', async () => {
  const { id, token } = await create('reader', '--scopes', 'read');
  await json('token', 'revoke', String(id));
  const trail = await json<object[]>('audit', 'list', '--subject', `token ${id}`);
  const actor = expect.stringMatching(/^command line: /);
  expect(trail).toMatchObject([
    { actor, action: 'token.revoke', details: { user: 'reader' } },
    { actor, action: 'token.create', details: { user: 'reader', scopes: ['read'] } },
  ]);
  expect(JSON.stringify(trail)).not.toContain(token);
});

it.each([
  [['token', 'create', 'nobody'], 'There is no user nobody. To see all: user list'],
  [['token', 'create', 'no roles'], /^The roles of no roles allow no call\. To add roles: user grant no roles <role>$/],
  [['token', 'create', 'reader', '--scopes', 'read,add'], 'The roles of reader do not allow add, but only read.'],
  [['token', 'create', 'reader', '--name', ' '], /^The name of a token has 1 to 100 characters/],
  [['token', 'list', 'nobody'], 'There is no user nobody. To see all: user list'],
  [['token', 'revoke', '2000000000'], 'There is no token 2000000000. To see all: token list'],
])('%j is refused in one clear line', async (args, message) => {
  const { code, stdout, stderr } = await offertory(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd().replace(/^error: /, '')).toEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  );
});

it('token create refuses a disabled user, whose tokens can still be listed', async () => {
  await json('user', 'disable', 'gone');
  expect((await offertory('token', 'create', 'gone')).stderr).toBe(
    'error: The user gone is disabled. To enable it: user enable gone\n',
  );
  expect(await json('token', 'list', 'gone')).toEqual([]);
});

it.each([
  [['--scopes', 'write'], 'It must be one or more of add, reverse, read, preview, separated by commas.'],
  [['--expires', '1y'], 'It must be a number of days or hours, such as 365d or 12h, of at most 3650 days.'],
  [['--from', '203.0.113.7/24'], '203.0.113.7/24 must end at its mask: 203.0.113.0/24.'],
  [['--from', '127.0.0.1,'], 'A network must be an IP address or a network such as 203.0.113.0/24 or 2001:db8::/32.'],
])('token create refuses %j, and creates nothing', async (options, message) => {
  const count = (): Promise<unknown> => service.database.query('SELECT count(*) FROM api_token');
  const before = await count();
  const { code, stderr } = await offertory('token', 'create', 'reader', ...options);
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
  expect(await count()).toEqual(before);
});

it('user set-password refuses a password that begins like a token', async () => {
  const refused = await runProgram(
    'cli',
    ['user', 'set-password', 'reader', '--password-stdin'],
    { DATABASE_URL: service.database.url },
    'offt_ and something more',
  );
  expect(refused).toMatchObject({
    code: 1,
    stderr: 'error: A password must not begin with offt_, because tokens do.\n',
  });
  await service.get('Funds', ['reader', 'some long password']).expect(200);
});
