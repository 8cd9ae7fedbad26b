import { expect, it } from '@jest/globals';
import { hashPassword, DUMMY_HASH, verifyPassword } from './password.js';

it('the hash for unknown users has the parameters of real hashes and matches no password', async () => {
  const real = await hashPassword('correct horse battery');
  const shape = (hash: string): unknown[] => hash.split('$').map((part, i) => (i < 4 ? part : part.length));
  expect(shape(DUMMY_HASH)).toEqual(shape(real));
  expect(await verifyPassword(real, 'correct horse battery')).toBe(true);
  expect(await verifyPassword(DUMMY_HASH, 'correct horse battery')).toBe(false);
});
