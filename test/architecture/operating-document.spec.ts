import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url).pathname;
const DOCUMENT = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');

// What is logged as an error or a warning is held against the table by every run: test/support/log-check.mjs.
it('docs/operating.md explains each warning of readiness', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'))
    .filter((source) => /\bHealthWarnings\b/.test(source) && source.includes('.add('));
  const warnings = sources.flatMap((source) =>
    [...source.matchAll(/return ['`]([A-Z][^:$]+)/g)].map(([, text]) => text),
  );
  expect(warnings.length).toBeGreaterThanOrEqual(3);
  const explained = [...DOCUMENT.matchAll(/^\| ready warns "([^"]+)"/gm)].map(([, text = '']) => text);
  for (const warning of warnings) {
    expect([warning, explained.some((text) => warning?.startsWith(text))]).toEqual([warning, true]);
  }
});
