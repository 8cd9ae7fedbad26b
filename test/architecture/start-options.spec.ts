import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { startOptions } from '../support/start-options.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

it('the service starts with the same options of Node by npm, in the container and under systemd', () => {
  const options = startOptions(ROOT.pathname);
  const line = ['node', ...options, 'dist/src/main.js'];
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };
  expect(options).not.toEqual([]);
  expect(scripts['start']).toBe(line.join(' '));
  expect(scripts['start:prod']).toBe(line.join(' '));
  const command = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '';
  expect(JSON.parse(command)).toEqual(line);
  expect(/^ExecStart=\/usr\/bin\/(.*)$/m.exec(read('deploy/offertory.service'))?.[1]).toBe(line.join(' '));
});
