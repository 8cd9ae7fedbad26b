import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url);
const DOCUMENT = readFileSync(new URL('docs/security.md', ROOT), 'utf8');

/** The sections of threats: their headings, and the tests that they link to. */
const THREATS = DOCUMENT.split(/^### /m)
  .slice(1)
  .map((section) => ({
    name: section.split('\n')[0] ?? '',
    tests: testsIn(/^Tests: ((?:.|\n(?!\n))+)/m.exec(section)?.[1] ?? ''),
  }));

function testsIn(text: string): string[] {
  return [...text.matchAll(/\.\.\/((?:test|src)\/[\w./-]+\.spec\.ts)\)/g)].map(([, path = '']) => path);
}

describe('docs/security.md', () => {
  it('has all ten of the OWASP API Security Top 10, each with tests', () => {
    const numbers = THREATS.flatMap(({ name }) => /^API(\d+) /.exec(name)?.[1] ?? []);
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, i) => String(i + 1)));
  });

  it.each(THREATS)('names tests that exist: $name', ({ tests }) => {
    expect(tests).not.toEqual([]);
    for (const path of tests) expect([path, existsSync(new URL(path, ROOT))]).toEqual([path, true]);
  });

  it('names no test outside these sections', () => {
    expect(testsIn(DOCUMENT).sort()).toEqual(THREATS.flatMap(({ tests }) => tests).sort());
  });
});
