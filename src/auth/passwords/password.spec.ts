import { describe, expect, it } from '@jest/globals';
import { hashPassword, hashReplacement, DUMMY_HASH, verifyPassword } from './password.js';

it('the hash for unknown users has the parameters of real hashes and matches no password', async () => {
  const real = await hashPassword('correct horse battery');
  const shape = (hash: string): unknown[] => hash.split('$').map((part, i) => (i < 4 ? part : part.length));
  expect(shape(DUMMY_HASH)).toEqual(shape(real));
  expect(await verifyPassword({ passwordHash: real, password: 'correct horse battery' })).toBe(true);
  expect(await verifyPassword({ passwordHash: DUMMY_HASH, password: 'correct horse battery' })).toBe(false);
});

describe('a new password', () => {
  const set = (password: string): Promise<string> =>
    hashReplacement({ username: 'Treasurér', password, currentPassword: 'correct horsé battery' });

  it.each([
    ['1234567', 'must have at least 8 characters'],
    ['x'.repeat(1_001), 'must have at most 1000 characters'],
    ['two lines\nof text', 'must be on one line, without tabs'],
    ['correct hors\u0065\u0301 battery', 'must be another one than the current password'],
    ['treasur\u0065\u0301R', 'must not be the user name'],
    ['password', 'must not be one that many people use: others try these first'],
    ['PassW0rd', 'must not be one that many people use: others try these first'],
    ['12345678', 'must not be one that many people use: others try these first'],
    ['iloveyou', 'must not be one that many people use: others try these first'],
  ])('%j is refused', async (password, fault) => {
    await expect(set(password)).rejects.toMatchObject({ fault, message: `A password ${fault}.` });
  });

  it.each(['correct horsé battery staple', 'Treasurér of St. Mark', 'passwords are hard to choose'])(
    '%j is accepted',
    async (password) => {
      expect(await set(password)).toContain('$argon2id$');
    },
  );

  it('may be easy to guess if an operator sets it, who is warned', async () => {
    expect(await hashPassword('password')).toContain('$argon2id$');
  });

  it('is compared with the 3,000 most common ones that are long enough, and more', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    expect(dictionary['passwords-common'].filter((one) => one.length >= 8).length).toBeGreaterThan(3_000);
  });
});
