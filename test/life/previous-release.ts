/**
 * What runs at the churches until they upgrade: the commit that was released last. At each release it is moved on to
 * the commit of that release (`git rev-parse HEAD`), in the first change after it: what comes then has to get along with
 * what was released. A migration that only works without the version before has to wait for one release more.
 *
 * It is built with the packages of this one: those that it alone needs stay among the devDependencies until the release
 * after it, and in knip.json: rate-limiter-flexible, pg-boss.
 */
export const PREVIOUS_RELEASE = '0e37e907789a2f5d8e0e5d19128ecd5c543e10a8';
