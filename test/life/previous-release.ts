/**
 * The commit that was released last, which churches run until they upgrade. The first change after a release sets it to
 * the commit of that release (`git rev-parse HEAD`), because later versions must work beside the released one. A
 * migration that breaks the released version must wait for one more release.
 *
 * It is built with the packages of this version. Packages that only it needs stay in devDependencies and knip.json until
 * the next release: rate-limiter-flexible, pg-boss.
 */
export const PREVIOUS_RELEASE = '0e37e907789a2f5d8e0e5d19128ecd5c543e10a8';
