import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url);
const DOCUMENT = readFileSync(new URL('docs/security.md', ROOT), 'utf8');

/** The rows of the table of threats: their name, and the tests that they name. */
const THREATS = [...DOCUMENT.matchAll(/^\| (?<name>[^|]+?) +\|(?:[^|]+)\| (?<tests>(?:test|src)\/[^|]+?) +\|$/gm)].map(
  ({ groups }) => ({ name: groups?.['name'] ?? '', tests: (groups?.['tests'] ?? '').split(', ') }),
);

describe('docs/security.md', () => {
  it('has all ten of the OWASP API Security Top 10, each with tests', () => {
    const numbers = THREATS.flatMap(({ name }) => /^\*\*API(\d+)\*\*/.exec(name)?.[1] ?? []);
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, i) => String(i + 1)));
  });

  it.each(THREATS)('names tests that exist: $name', ({ tests }) => {
    for (const path of tests) expect([path, existsSync(new URL(path, ROOT))]).toEqual([path, true]);
  });

  it('names no test outside of that table', () => {
    const named = [...DOCUMENT.matchAll(/\b(?:test|src)\/[\w./-]+\.spec\.ts\b/g)].map(([path]) => path);
    expect(named.sort()).toEqual(THREATS.flatMap(({ tests }) => tests).sort());
  });
});
