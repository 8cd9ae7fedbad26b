import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UserAccounts } from '../../src/auth/index.js';
import { PasswordChecks } from '../../src/auth/passwords/password-checks.js';
import { AuxiliaryQueries, Transactions } from '../../src/database/index.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let users: UserAccounts;

beforeAll(async () => {
  service = await startTestApp();
  users = service.app.get(UserAccounts);
});
afterAll(() => service.stop());

/** The status of AddContribution with this literal Authorization header. */
async function statusUnder(header: string): Promise<number> {
  const answer = await service.add().unset('Authorization').set('Authorization', header);
  return answer.status;
}

const base64 = (text: string, ...bytes: readonly number[]): string =>
  Buffer.concat([Buffer.from(text), Buffer.from(bytes)]).toString('base64');

describe('Basic credentials', () => {
  const password = 'pä:ss:wörd ✓';
  let right: string;

  beforeAll(async () => {
    await service.createUser('jürgen', password, ROLES);
    right = base64(`jürgen:${password}`);
  });

  it('accept a password with colons and non-ASCII letters', async () => {
    expect(await statusUnder(`Basic ${right}`)).toBe(200);
  });

  it.each(['basic', 'BASIC', 'bAsIc'])('accept the scheme in any case: %s', async (scheme) => {
    expect(await statusUnder(`${scheme} ${right}`)).toBe(200);
  });

  it('accept the same letters in another Unicode normalization form', async () => {
    expect(await statusUnder(`Basic ${base64(`jürgen:${password}`.normalize('NFD'))}`)).toBe(200);
  });

  it.each([
    ['the right password followed by a colon and a letter', () => `Basic ${base64(`jürgen:${password}:x`)}`],
    ['the right password followed by a NUL', () => `Basic ${base64(`jürgen:${password}`, 0)}`],
    [
      'the right password followed by bytes that are not UTF-8',
      () => `Basic ${base64(`jürgen:${password}`, 0xff, 0xfe)}`,
    ],
    ['the right password in Latin-1', () => `Basic ${Buffer.from('jürgen:pä:ss:wörd', 'latin1').toString('base64')}`],
    ['the password up to its first colon', () => `Basic ${base64('jürgen:pä')}`],
    ['a password in another case', () => `Basic ${base64(`jürgen:${password.toUpperCase()}`)}`],
    ['another user name in the same case', () => `Basic ${base64(`Jürgen:${password}`)}`],
    ['a scheme that contains Basic', () => `NotBasicReally ${right}`],
    ['text after the token', () => `Basic ${right} ${right}`],
    ['another scheme', () => `Bearer ${right}`],
    ['no token', () => 'Basic'],
    ['invalid base64', () => 'Basic !!!!'],
    ['base64 with extra characters', () => `Basic ${right.replace(/=+$/, '')}A!`],
    ['no colon', () => `Basic ${base64('userpass')}`],
    ['nothing before and after the colon', () => `Basic ${base64(':')}`],
    ['no password', () => `Basic ${base64('jürgen:')}`],
    ['a token of 100,000 letters', () => `Basic ${'QUJD'.repeat(3_000)}`],
  ])('are refused with 401: %s', async (_what, header) => {
    const answer = await service.add().unset('Authorization').set('Authorization', header());
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Offertory", charset="UTF-8"');
    expect(answer.body).toMatchObject({ code: 'unauthenticated' });
  });

  it('get the same answer when missing, malformed, wrong or of an unknown user', async () => {
    const answers = await Promise.all([
      service.add().unset('Authorization'),
      service.add().unset('Authorization').set('Authorization', 'Basic !'),
      service.add({}, ['jürgen', 'wrong password']),
      service.add({}, ['nobody', 'wrong password']),
    ]);
    const bodies = answers.map(({ body }) => ({ ...(body as object), instance: '' }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  });
});

describe('a refusal', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('costs the same for unknown, disabled and mistaken users, so that timing does not reveal usernames', async () => {
    await service.createUser('gone', 'long enough', ROLES);
    await users.setActive({ username: 'gone', active: false });
    const checks = jest.spyOn(PasswordChecks.prototype, 'verify');
    const spies = [AuxiliaryQueries, Transactions].map(({ prototype }) => jest.spyOn(prototype, 'query'));
    const costs: unknown[] = [];
    for (const login of [
      ['api', 'wrong password'],
      ['nobody', 'wrong password'],
      ['gone', 'wrong password'],
    ] as const) {
      await service.add({}, login).expect(401);
      const hashes = checks.mock.calls.map(([{ passwordHash }]) => passwordHash.split('$').slice(1, 4).join('$'));
      const statements = spies.map((spy) => spy.mock.calls.map(([text]) => text));
      expect(statements.flat().length).toBeGreaterThan(0);
      costs.push({ hashes, statements });
      checks.mockClear();
      for (const spy of spies) spy.mockClear();
    }
    expect(costs).toEqual(Array(3).fill(costs[0]));
    expect(costs[0]).toMatchObject({ hashes: ['argon2id$v=19$m=19456,t=2,p=1'] });
  });
});

describe('from the next request on', () => {
  const first: Login = ['sam', 'first password'];
  beforeAll(() => service.createUser(...first, ROLES));

  it('a changed password is required and the old one is refused', async () => {
    await service.add({}, first).expect(200);
    await users.setPassword({ username: 'sam', password: 'second password' });
    await service.add({}, first).expect(401);
    await service.add({}, ['sam', 'second password']).expect(200);
    await users.setPassword({ username: 'sam', password: first[1] });
    await service.add({}, first).expect(200);
  });

  it('a disabled user is refused and an enabled user accepted', async () => {
    await service.add({}, first).expect(200);
    await users.setActive({ username: 'sam', active: false });
    await service.add({}, first).expect(401);
    await users.setActive({ username: 'sam', active: true });
    await service.add({}, first).expect(200);
  });

  it('a revoked role is missing and a granted role present', async () => {
    await service.add({}, first).expect(200);
    await users.revoke({ username: 'sam', roles: ['APIWrite', 'APIOnly'] });
    const refused = await service.add({}, first).expect(403);
    expect(refused.body).toMatchObject({ code: 'forbidden', detail: 'Your user lacks the roles APIOnly, APIWrite.' });
    await users.grant({ username: 'sam', roles: ['APIOnly', 'APIWrite'] });
    await service.add({}, first).expect(200);
  });
});

describe('roles', () => {
  it.each(ROLES)('AddContribution and ReverseContribution require the role %s', async (missing) => {
    const user = await service.createUser(`without ${missing}`, 'some password', [
      ...ROLES.filter((role) => role !== missing),
      'Finance',
    ]);
    const added = await service.add({}, user).expect(403);
    expect((added.body as { detail: string }).detail).toContain(missing);
    await service.reverse('1/a', user).expect(403);
  });

  it('stores nothing for a user without the required roles', async () => {
    const user = await service.createUser('reader', 'some password', ['Developer', 'APIOnly']);
    const count = async (): Promise<unknown> => service.database.query('SELECT count(*) FROM contribution');
    const before = await count();
    await service.add({}, user).expect(403);
    expect(await count()).toEqual(before);
  });
});

describe('user accounts', () => {
  it.each([
    ['a name that is taken', () => users.create({ username: 'api', password: 'long enough' })],
    ['a name with a colon', () => users.create({ username: 'a:b', password: 'long enough' })],
    ['a name that ends with a space', () => users.create({ username: 'a ', password: 'long enough' })],
    ['an empty name', () => users.create({ username: '', password: 'long enough' })],
    ['a short password', () => users.create({ username: 'shorty', password: '1234567' })],
    ['a password with a line break', () => users.create({ username: 'broken', password: 'line\nbreak in it' })],
    ['an unknown role', () => users.create({ username: 'admin', password: 'long enough', roles: ['Admin'] })],
    ['a bad e-mail address', () => users.create({ username: 'mail', password: 'long enough', email: 'nowhere' })],
    ['a change to an unknown user', () => users.setActive({ username: 'nobody', active: true })],
  ])('refuse %s and store nothing', async (_what, command) => {
    const before = await service.database.query('SELECT count(*) FROM app_user');
    await expect(command()).rejects.toThrow();
    expect(await service.database.query('SELECT count(*) FROM app_user')).toEqual(before);
  });

  it('create a missing role when it is first granted', async () => {
    await service.database.query(
      `DELETE FROM role WHERE name = 'Finance' AND NOT EXISTS (SELECT 1 FROM app_user_role WHERE role_id = role.id)`,
    );
    await service.createUser('treasurer', 'long enough', ['Finance']);
    expect(await users.list()).toContainEqual(expect.objectContaining({ username: 'treasurer', roles: ['Finance'] }));
  });

  it('store argon2id hashes only', async () => {
    const rows = await service.database.query<{ password_hash: string }>('SELECT password_hash FROM app_user');
    for (const { password_hash: hash } of rows) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});
