import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserAccounts } from '../../src/auth/index.js';
import { type NewToken, Tokens } from '../../src/auth/tokens/tokens.service.js';
import type { Added } from '../contract/gift-requests.js';
import { holdLock } from '../support/held-lock.js';
import { keptLog } from '../support/kept-logs.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { type TestToken, TokenUsers } from '../support/token-users.js';
import { until } from '../support/until.js';

const UNKNOWN = `offt_${'A'.repeat(43)}`;

let service: TestApp;
let tokens: Tokens;
let users: UserAccounts;
let made: TokenUsers;

beforeAll(async () => {
  service = await startTestApp({ TRUST_PROXY: '1' });
  tokens = service.app.get(Tokens);
  users = service.app.get(UserAccounts);
  made = new TokenUsers(service);
});
afterAll(() => service.stop());

const newUser = (): Promise<string> => made.newUser();
const newToken = (username: string, settings?: NewToken): Promise<TestToken> => made.newToken(username, settings);

describe('the last use', () => {
  const lastUse = async (id: number): Promise<string | null | undefined> =>
    (await tokens.list()).find((token) => token.id === id)?.lastUsedAt;

  it('is recorded at the first call, and at most once a minute', async () => {
    const { id, login } = await newToken(await newUser());
    expect(await lastUse(id)).toBeNull();
    await service.add({}, login).expect(200);
    await until(async () => (await lastUse(id)) !== null);
    const first = await lastUse(id);
    for (let i = 0; i < 5; i++) await service.add({}, login).expect(200);
    expect(await lastUse(id)).toBe(first);
    await service.database.query(`UPDATE api_token SET last_used_at = now() - interval '61 s' WHERE id = $1`, [id]);
    await service.add({}, login).expect(200);
    await until(async () => Date.parse((await lastUse(id)) ?? '') > Date.parse(first ?? ''));
  });

  it('is recorded again after the clock of the database was ahead', async () => {
    const { id, login } = await newToken(await newUser());
    await service.database.query(`UPDATE api_token SET last_used_at = now() + interval '1 day' WHERE id = $1`, [id]);
    await service.add({}, login).expect(200);
    await until(async () => Date.parse((await lastUse(id)) ?? '') < Date.now());
  });

  it('is not recorded for a refused call', async () => {
    const { id, login } = await newToken(await newUser(), { networks: ['192.0.2.0/24'] });
    await service.add({}, login).expect(401);
    const other = await newToken(login[0]);
    await service.add({}, other.login).expect(200);
    await until(async () => (await lastUse(other.id)) !== null);
    expect(await lastUse(id)).toBeNull();
  });

  it('neither delays nor fails a call while somebody holds the row', async () => {
    const { id, login } = await newToken(await newUser());
    const lock = await holdLock(service.database.url, 'SELECT FROM api_token WHERE id = $1 FOR UPDATE', [id]);
    try {
      await service.add({}, login).expect(200);
      await service.add({}, login).expect(200);
      expect(await lastUse(id)).toBeNull();
    } finally {
      await lock.release();
    }
    await service.add({}, login).expect(200);
    await until(async () => (await lastUse(id)) !== null);
  });
});

describe('the log and the audit trail', () => {
  const entries = (): Record<string, unknown>[] => keptLog().map((line) => JSON.parse(line) as Record<string, unknown>);

  it('name the token of each call and of each reversal by its id', async () => {
    const username = await newUser();
    const { id, login } = await newToken(username);
    const { ContributionId } = (await service.add({}, login).expect(200)).body as Added;
    await service.reverse(`${ContributionId}/a`, login).set('X-Request-Id', 'by-token').expect(200);
    await until(() => entries().some(({ requestId }) => requestId === 'by-token'));
    expect(entries().find(({ requestId }) => requestId === 'by-token')).toMatchObject({ user: username, token: id });
    expect(
      await service.database.query(`SELECT actor, details FROM audit_entry WHERE subject = $1`, [
        `contribution ${ContributionId}`,
      ]),
    ).toEqual([{ actor: username, details: expect.objectContaining({ token: id }) }]);
  });

  it('record who created and revoked it, once each', async () => {
    const username = await newUser();
    const { id } = await newToken(username, { lifetimeHours: 24, networks: ['192.0.2.0/24'], scopes: ['add'] });
    const [listed] = await tokens.list(username);
    await tokens.revoke(id);
    await tokens.revoke(id);
    expect(
      await service.database.query(`SELECT action, details FROM audit_entry WHERE subject = $1 ORDER BY id`, [
        `token ${id}`,
      ]),
    ).toEqual([
      {
        action: 'token.create',
        details: { user: username, scopes: ['add'], from: ['192.0.2.0/24'], expiresAt: listed?.expiresAt },
      },
      { action: 'token.revoke', details: { user: username } },
    ]);
  });

  it.each<[string, (username: string) => Promise<{ id: number; login: Login }>]>([
    ['it is revoked', async (username) => revoked(await newToken(username))],
    ['it has expired', async (username) => expired(await newToken(username))],
    ['it is not accepted from this address', (username) => newToken(username, { networks: ['192.0.2.0/24'] })],
    [
      'it was sent with the name of another user',
      async (username) => ({ ...(await newToken(username)), login: ['PRIVATE', (await newToken(username)).token] }),
    ],
    ['its user is disabled', async (username) => disabled(await newToken(username))],
  ])('say once a minute why it was refused: %s', async (reason, make) => {
    const username = await newUser();
    const { login } = await make(username);
    for (let i = 0; i < 2; i++) await service.add({}, login).set('X-Forwarded-For', '203.0.113.9').expect(401);
    const said = entries()
      .map(({ message }) => String(message))
      .filter((message) => message.startsWith('Token ') && message.includes(` of user ${username} was refused`));
    expect(said).toEqual([
      expect.stringMatching(
        new RegExp(`^Token \\d+ of user ${username} was refused from 203\\.0\\.113\\.9: ${reason}$`),
      ),
    ]);
  });

  it('say so again when it comes from another network, because somebody else may have it', async () => {
    const username = await newUser();
    const { login } = await revoked(await newToken(username));
    for (const address of ['203.0.113.9', '198.51.100.1', '2001:db8:1:2::1', '2001:db8:1:2::2'])
      await service.add({}, login).set('X-Forwarded-For', address).expect(401);
    const said = entries()
      .map(({ message }) => String(message))
      .filter((message) => message.includes(` of user ${username} was refused from `));
    expect(said.map((message) => / from (\S+):/.exec(message)?.[1])).toEqual([
      ...['203.0.113.9', '198.51.100.1', '2001:db8:1:2::1'],
    ]);
  });

  it('say nothing of a token that does not exist', async () => {
    const before = entries().length;
    await service.add({}, [await newUser(), UNKNOWN]).expect(401);
    const said = entries()
      .slice(before)
      .filter(({ context }) => context === 'Login');
    expect(said).toEqual([]);
  });

  async function revoked<T extends { id: number }>(token: T): Promise<T> {
    await tokens.revoke(token.id);
    return token;
  }

  async function expired<T extends { id: number }>(token: T): Promise<T> {
    await service.database.query(`UPDATE api_token SET expires_at = now() WHERE id = $1`, [token.id]);
    return token;
  }

  async function disabled<T extends { login: Login }>(token: T): Promise<T> {
    await users.setActive({ username: token.login[0], active: false });
    return token;
  }
});
