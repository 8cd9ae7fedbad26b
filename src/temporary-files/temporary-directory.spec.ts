import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeTemporaryDirectory, removeLeftDirectories } from './index.js';

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'offertory-temporary-'));
});
afterEach(() => {
  rmSync(place, { recursive: true });
});

/** The id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return Number(child.pid);
}

it('only the account of the process can read a temporary directory', async () => {
  const directory = await makeTemporaryDirectory(place);
  expect(dirname(directory)).toBe(place);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

it('removes the directories of processes that have ended, and those with its own process id', async () => {
  const running = `offertory-files-${process.ppid}-running`;
  const left = [`offertory-files-${await endedProcess()}-ended`, `offertory-files-${process.pid}-before`];
  for (const name of [running, ...left, 'offertory-files-else', 'another']) {
    mkdirSync(join(place, name));
    writeFileSync(join(place, name, 'file.csv'), 'First,Last');
  }
  await removeLeftDirectories(place);
  expect(readdirSync(place).sort()).toEqual(['another', 'offertory-files-else', running].sort());
});

it('does nothing without a directory for temporary files', async () => {
  await removeLeftDirectories(join(place, 'missing'));
  expect(readdirSync(place)).toEqual([]);
});
