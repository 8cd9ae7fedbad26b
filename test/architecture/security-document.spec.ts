import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFENCES } from '../defences/defences.js';

const ROOT = new URL('../../', import.meta.url);
const DOCUMENT = readFileSync(new URL('docs/security.md', ROOT), 'utf8');

/** The section with the table of defences. */
const TABLE = /^## Each defence and its test\n(?:(?!^## ).*\n)+/m.exec(DOCUMENT)?.[0] ?? '';

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

  it('names no test outside these sections and the table of defences', () => {
    const elsewhere = DOCUMENT.replace(TABLE, '');
    expect(testsIn(elsewhere).sort()).toEqual(THREATS.flatMap(({ tests }) => tests).sort());
  });

  it('has a table with each defence of npm run test:defences and its test', () => {
    const rows = [...TABLE.matchAll(/^\| (.+?) +\| \[.+?\]\(\.\.\/(.+?)\): `(.+?)` +\|$/gm)];
    const listed = DEFENCES.map(({ name, test: { file, title } }) => [name, file, title]);
    expect(rows.map(([, name, file, title]) => [name, file, title])).toEqual(listed);
    expect(listed.length).toBeGreaterThanOrEqual(25);
  });

  it.each(DEFENCES)('has a defence that can be switched off: $name', ({ file, from }) => {
    expect(readFileSync(new URL(file, ROOT), 'utf8').split(from)).toHaveLength(2);
  });

  it('names the tests of the table also with the threats', () => {
    const named = new Set(THREATS.flatMap(({ tests }) => tests));
    expect(testsIn(TABLE).filter((path) => !named.has(path))).toEqual([]);
  });
});
