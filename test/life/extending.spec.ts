import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { paste } from './documented-commands.js';

const ROOT = new URL('../../', import.meta.url).pathname;

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'offertory-extended-'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT });
  for (const file of files.toString().split('\0').filter(Boolean)) cpSync(join(ROOT, file), join(copy, file));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

it('docs/extending.md: its commands turn the example into a module whose test passes', async () => {
  const page = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8');
  const [, block = ''] = /^```sh\n(cp -r examples[^]*?)^```$/m.exec(page) ?? [];
  expect(block).toMatch(/^npm test/m);
  const { TEST_DATABASE_URL = '' } = process.env;
  const { code, output } = await paste(`set -e\n${block}`, {
    directory: copy,
    environment: { PATH: process.env['PATH'] ?? '', HOME: copy, NO_COLOR: '1', TEST_DATABASE_URL },
  });
  expect([code, output]).toEqual([0, expect.stringMatching(/^PASS src\/chat\/chat-webhook\.spec\.ts/m)]);
  expect(output).toMatch(/^PASS migrations\/service-rights\.spec\.ts/m);
});
