import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeWhole } from './whole-file.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'offertory-whole-'));
  path = join(directory, 'bundle.csv');
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('a file that is written completely or not at all', () => {
  it('replaces an earlier file and leaves no other files', async () => {
    writeFileSync(path, 'earlier, and longer');
    await writeWhole(path, Readable.from(['later']));
    expect(readFileSync(path, 'utf8')).toBe('later');
    expect(readdirSync(directory)).toEqual(['bundle.csv']);
  });

  it('does not change the earlier file when the content fails', async () => {
    writeFileSync(path, 'earlier');
    const broken = Readable.from(
      (function* () {
        yield 'later';
        throw new Error('The database went away');
      })(),
    );
    await expect(writeWhole(path, broken)).rejects.toThrow('went away');
    expect(readFileSync(path, 'utf8')).toBe('earlier');
    expect(readdirSync(directory)).toEqual(['bundle.csv']);
  });

  it('follows symbolic links, and writes directly to what is not a file', async () => {
    const link = join(directory, 'link.csv');
    writeFileSync(path, 'earlier');
    symlinkSync(path, link);
    await writeWhole(link, Readable.from(['later']));
    expect(readFileSync(path, 'utf8')).toBe('later');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    await writeWhole('/dev/null', Readable.from(['later']));
    expect(lstatSync('/dev/null').isFile()).toBe(false);
  });
});
