import { existsSync, readFileSync } from 'node:fs';

/** package.json is above `src` in the tests, and above `dist/src` in a build. */
const PLACES = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));

/** The version of this program, from package.json: 0.1.0 */
export const VERSION = readVersion();

function readVersion(): string {
  const place = PLACES.find((url) => existsSync(url));
  if (place === undefined) throw new Error('package.json is missing');
  const { version } = JSON.parse(readFileSync(place, 'utf8')) as { version: string };
  return version;
}
