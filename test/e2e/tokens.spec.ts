import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { UserAccounts } from '../../src/auth/index.js';
import { TOKEN_SCOPES, type TokenScope } from '../../src/auth/tokens/parsing/token-scope.js';
import { type NewToken, Tokens } from '../../src/auth/tokens/tokens.service.js';
import { Metrics } from '../../src/metrics/index.js';
import type { Added } from '../contract/gift-requests.js';
import { gift, type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type TestToken, TokenUsers } from '../support/token-users.js';

const LIMIT = 3;
const SHAPE = /^offt_[A-Za-z0-9_-]{43}$/;
const UNKNOWN = `offt_${'A'.repeat(43)}`;
const CHALLENGE = 'Basic realm="Offertory", charset="UTF-8"';

let service: TestApp;
let tokens: Tokens;
let users: UserAccounts;
let made: TokenUsers;

beforeAll(async () => {
  service = await startTestApp({ LOGIN_FAILURES_PER_MINUTE: String(LIMIT), TRUST_PROXY: '1' });
  tokens = service.app.get(Tokens);
  users = service.app.get(UserAccounts);
  made = new TokenUsers(service);
});
afterAll(() => service.stop());

const newUser = (roles?: readonly string[]): Promise<string> => made.newUser(roles);
const newToken = (username: string, settings?: NewToken): Promise<TestToken> => made.newToken(username, settings);
const bearer = (call: supertest.Test, token: string): supertest.Test =>
  call.unset('Authorization').set('Authorization', `Bearer ${token}`);

/** How many passwords were checked so far, by the metric. */
async function passwordChecks(): Promise<number> {
  const exposed = await service.app.get(Metrics, { strict: false }).expose();
  return Number(/^offertory_password_check_seconds_count (\d+)$/m.exec(exposed)?.[1]);
}

describe('a token', () => {
  it('takes the place of the password, and works as Bearer without a user name', async () => {
    const username = await newUser();
    const { token, login } = await newToken(username);
    expect(token).toMatch(SHAPE);
    for (const call of [service.add({}, login), bearer(service.add(), token)]) {
      const { ContributionId } = (await call.expect(200)).body as Added;
      expect(await createdBy(ContributionId)).toBe(username);
    }
    await bearer(service.http().get('/Api/Funds'), token).expect(200);
    await service.http().get('/Api/Funds').set('Authorization', `BEARER  ${token}`).expect(200);
    // The password still works beside it.
    await service.add({}, [username, 'some long password']).expect(200);
  });

  it('is one of several at a time, so that a program can change to another without a pause', async () => {
    const username = await newUser();
    const [old, next] = [await newToken(username), await newToken(username)];
    for (const { login } of [old, next, old]) await service.add({}, login).expect(200);
    await tokens.revoke(old.id);
    await service.add({}, old.login).expect(401);
    await service.add({}, next.login).expect(200);
  });

  it('is refused from the call after its revocation on, also where it was accepted just before', async () => {
    const { id, login, token } = await newToken(await newUser());
    for (let i = 0; i < 5; i++) await service.add({}, login).expect(200);
    await tokens.revoke(id);
    await service.add({}, login).expect(401);
    await bearer(service.add(), token).expect(401);
  });

  it('is refused while its user is disabled', async () => {
    const username = await newUser();
    const { login } = await newToken(username);
    await service.add({}, login).expect(200);
    await users.setActive({ username, active: false });
    await service.add({}, login).expect(401);
    await users.setActive({ username, active: true });
    await service.add({}, login).expect(200);
  });

  it('is refused once it has expired', async () => {
    const { id, login } = await newToken(await newUser(), { lifetimeHours: 1 });
    await service.add({}, login).expect(200);
    await service.database.query(`UPDATE api_token SET expires_at = now() - interval '1 ms' WHERE id = $1`, [id]);
    await service.add({}, login).expect(401);
  });

  it('ends so many hours after it was created', async () => {
    const { id } = await newToken(await newUser(), { lifetimeHours: 48 });
    expect(
      await service.database.query(
        `SELECT expires_at - created_at = interval '48 hours' AS right FROM api_token WHERE id = $1`,
        [id],
      ),
    ).toEqual([{ right: true }]);
  });

  it('is refused with the name of another user', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const { token } = await newToken(one);
    await service.add({}, [other, token]).expect(401);
    await service.add({}, ['nobody', token]).expect(401);
    await service.add({}, [one, token]).expect(200);
  });

  it('gets every refusal in the same words as a wrong password, with the challenge of Basic alone', async () => {
    const username = await newUser();
    const other = await newUser();
    const revoked = await newToken(username);
    await tokens.revoke(revoked.id);
    const elsewhere = await newToken(username, { networks: ['198.51.100.0/24'] });
    const refused = [
      await service.add({}, [await newUser(), 'wrong password']),
      await service.add({}, revoked.login),
      await service.add({}, elsewhere.login),
      await service.add({}, [other, elsewhere.token]),
      await bearer(service.add(), UNKNOWN),
      await service.add().unset('Authorization').set('Authorization', 'Bearer x'),
    ];
    const answers = refused.map(({ status, headers, body }) =>
      JSON.stringify({ status, challenge: headers['www-authenticate'], body: { ...(body as object), instance: '' } }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(refused[0]).toMatchObject({ status: 401, headers: { 'www-authenticate': CHALLENGE } });
  });

  it('is stored as its SHA-256 alone', async () => {
    const { id, token } = await newToken(await newUser());
    const [row] = await service.database.query<{ row: string; same: boolean }>(
      `SELECT t::text AS row, digest = sha256(convert_to($2, 'UTF8')) AS same FROM api_token t WHERE id = $1`,
      [id, token],
    );
    expect(row?.same).toBe(true);
    const trail = await service.database.query<{ entry: string }>(`SELECT a::text AS entry FROM audit_entry a`);
    const stored = [row?.row, ...trail.map(({ entry }) => entry)].join('\n');
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(token.slice(5, 20));
  });

  async function createdBy(contributionId: number): Promise<string | undefined> {
    const [row] = await service.database.query<{ username: string }>(
      'SELECT username FROM contribution c JOIN app_user u ON u.id = c.created_by WHERE c.id = $1',
      [contributionId],
    );
    return row?.username;
  }
});

describe('the networks of a token', () => {
  it.each([
    [['203.0.113.0/24'], '203.0.113.255', 200],
    [['203.0.113.0/24'], '203.0.114.0', 401],
    [['203.0.113.0/24'], '203.0.113.7:51234', 200],
    [['203.0.113.0/24'], '::ffff:203.0.113.7', 200],
    [['203.0.113.0/24'], '[::ffff:203.0.113.7]:443', 200],
    [['203.0.113.0/24'], '2001:db8::1', 401],
    [['203.0.113.0/24', '2001:db8::/32'], '2001:db8:9::1', 200],
    [['2001:db8::/32'], '[2001:DB8::1]:443', 200],
    [['2001:db8::/32'], '2001:db9::1', 401],
    [['0.0.0.0/0'], 'unknown', 401],
  ])('%j take a call from %s with %i', async (networks, address, status) => {
    const { login } = await newToken(await newUser(), { networks });
    await service.add({}, login).set('X-Forwarded-For', address).expect(status);
  });

  it('without any, the address does not matter', async () => {
    const { login } = await newToken(await newUser());
    await service.add({}, login).set('X-Forwarded-For', 'unknown').expect(200);
  });
});

describe('the scopes of a token', () => {
  const EVERY_ROLE = [...ROLES, 'Finance'];
  const CALLS: Readonly<Record<TokenScope, (login: Login) => supertest.Test>> = {
    add: (login) => service.add({}, login),
    reverse: (login) => service.reverse('2000000001/a', login),
    read: (login) => service.get('Contributions', login),
    preview: (login) =>
      service
        .http()
        .post('/Api/PreviewContribution')
        .auth(...login)
        .send(gift('previewed')),
  };

  it.each(TOKEN_SCOPES)('%s opens its own calls and no other', async (scope) => {
    const { login } = await newToken(await newUser(EVERY_ROLE), { scopes: [scope] });
    for (const other of TOKEN_SCOPES) {
      const answer = await CALLS[other](login);
      if (other === scope) expect([other, answer.status]).toEqual([other, scope === 'reverse' ? 404 : 200]);
      else expect([other, answer.status, answer.body]).toEqual([other, 403, expect.objectContaining(missing(other))]);
    }
  });

  const missing = (scope: string): object => ({ code: 'forbidden', detail: `Your token lacks the scope ${scope}.` });

  it('preview opens no call that only looks like a dry run', async () => {
    const { login } = await newToken(await newUser(), { scopes: ['preview'] });
    const gifts = (): Promise<unknown> => service.database.query('SELECT count(*) FROM contribution');
    const before = await gifts();
    for (const query of [
      'dryRun=false',
      'dryRun=',
      'dryRn=true',
      'dryRun=nonsense',
      'dryRun=false&dryRun=true',
      'x=1',
    ]) {
      const { status } = await service.add({}, login).query(query);
      expect([query, status]).toEqual([query, 403]);
    }
    for (const query of ['dryRun=true', 'DRYRUN=True']) await service.add({}, login).query(query).expect(200);
    expect(await gifts()).toEqual(before);
  });

  it('are all that the roles of the user allow, if none are named', async () => {
    const created = async (roles: readonly string[]): Promise<readonly string[]> =>
      (await tokens.create(await newUser(roles))).scopes;
    expect(await created(ROLES)).toEqual(['add', 'reverse', 'read', 'preview']);
    expect(await created(['Developer', 'APIOnly'])).toEqual(['read']);
    expect(await created(['Finance'])).toEqual(['read']);
    expect(await created(['Auditor'])).toEqual(['read']);
  });

  it('cannot be more than the roles allow', async () => {
    const reader = await newUser(['Developer', 'APIOnly']);
    await expect(tokens.create(reader, { scopes: ['read', 'add'] })).rejects.toThrow(
      /do not allow add, but only read\.$/,
    );
    await expect(tokens.create(await newUser([]))).rejects.toThrow(/allow no call/);
    expect(await tokens.list(reader)).toEqual([]);
  });

  it('need the roles of the user as well, on every call', async () => {
    const username = await newUser();
    const { login } = await newToken(username);
    await service.add({}, login).expect(200);
    await users.revoke({ username, roles: ['APIWrite'] });
    const refused = await service.add({}, login).expect(403);
    expect(refused.body).toMatchObject({ detail: 'Your user lacks the role APIWrite.' });
    await service.get('Funds', login).expect(200);
    await users.grant({ username, roles: ['APIWrite'] });
    await service.add({}, login).expect(200);
  });

  it.each(['Bundles/1/close', 'Reviews/1/accept', 'Contributions/1/reassign'])(
    'open no POST of Finance: %s',
    async (path) => {
      const { login } = await newToken(await newUser(EVERY_ROLE));
      const refused = await service
        .http()
        .post(`/Api/${path}`)
        .auth(...login)
        .expect(403);
      expect((refused.body as { detail: string }).detail).toBe(
        'Tokens may not make this call. Use the password of the user.',
      );
    },
  );
});

describe('failed logins', () => {
  let address = 0;
  let from: string;
  beforeEach(() => {
    from = `198.51.100.${++address}`;
  });

  const add = (login: Login): supertest.Test => service.add({}, login).set('X-Forwarded-For', from);

  it('never refuse a valid token, however many there were under its name', async () => {
    const username = await newUser();
    const { login, token } = await newToken(username);
    for (let i = 0; i < LIMIT; i++) await add([username, 'wrong password']).expect(401);
    await add([username, 'wrong password']).expect(429);
    // Its first call of all.
    await add(login).expect(200);
    await bearer(add(login), token).expect(200);
    await add([username, 'wrong password']).expect(429);
  });

  it('count invalid tokens, by name or without one by address', async () => {
    const username = await newUser();
    for (let i = 0; i < LIMIT; i++) await add([username, UNKNOWN]).expect(401);
    const refused = await add([username, UNKNOWN]).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // One count with wrong passwords.
    await add([username, 'wrong password']).expect(429);
    for (let i = 0; i < LIMIT; i++) await bearer(add(service.login), UNKNOWN).expect(401);
    await bearer(add(service.login), UNKNOWN).expect(429);
    const { token } = await newToken(username);
    await bearer(add(service.login), token).expect(200);
  });

  it('write nothing for an unknown token, whatever the name', async () => {
    const count = async (): Promise<number> => (await service.database.query('SELECT FROM login_failure')).length;
    const [username, before] = [await newUser(), await count()];
    await add([username, UNKNOWN]).expect(401);
    await add(['nobody at all', UNKNOWN]).expect(401);
    await bearer(add(service.login), UNKNOWN).expect(401);
    expect(await count()).toBe(before);
  });

  it('cost a token no check of a password, whether it is right, wrong or only begins like one', async () => {
    const username = await newUser();
    const { login } = await newToken(username);
    const before = await passwordChecks();
    await add(login).expect(200);
    await add([username, UNKNOWN]).expect(401);
    await add(['nobody', UNKNOWN]).expect(401);
    await add([username, 'offt_']).expect(401);
    await add([username, `${login[1]} `]).expect(401);
    expect(await passwordChecks()).toBe(before);
    await add([await newUser(), 'wrong password']).expect(401);
    expect(await passwordChecks()).toBe(before + 1);
  });

  it('let tokens through while a flood of passwords uses up the budget of checks', async () => {
    const { login } = await newToken(await newUser());
    const flood = Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        service.add({}, [`nobody ${i}`, 'wrong password']).then(({ status }) => status),
      ),
    );
    const statuses = await Promise.all(Array.from({ length: 10 }, () => add(login).then(({ status }) => status)));
    expect(statuses).toEqual(Array(10).fill(200));
    expect(await flood).toContain(503);
  });
});

it('a password that begins like a token is refused when it is set, and nothing is changed', async () => {
  const username = await newUser();
  const refusal = 'A password must not begin with offt_, because tokens do.';
  await expect(users.setPassword({ username, password: UNKNOWN })).rejects.toThrow(refusal);
  await expect(users.create({ username: 'token like', password: 'offt_ and more' })).rejects.toThrow(refusal);
  await service.add({}, [username, 'some long password']).expect(200);
  await service.add({}, ['token like', 'offt_ and more']).expect(401);
});
