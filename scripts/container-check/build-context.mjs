import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Copies the build context: the files of the working tree without those that git or .dockerignore ignores. */
export function copyBuildContext(to) {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const ignored = readDockerignore(readFileSync('.dockerignore', 'utf8'));
  const files = list.split('\0').filter((file) => file !== '' && existsSync(file) && !ignored(file));
  if (files.length === 0) throw new Error('.dockerignore excludes everything');
  for (const file of files) cpSync(file, join(to, file));
}

/** Docker's rules: the last pattern that matches a file, or a directory above it, decides. */
function readDockerignore(text) {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({
      keeps: line.startsWith('!'),
      pattern: toPattern(line.replace(/^!/, '').replace(/^\/|\/$/g, '')),
    }));
  return (file) => {
    const last = rules.findLast(({ pattern }) => pattern.test(file));
    return last !== undefined && !last.keeps;
  };
}

function toPattern(glob) {
  const source = glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => GLOBS[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, '\\$&'))
    .join('');
  return new RegExp(`^${source}(/|$)`);
}

const GLOBS = { '**/': '(.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
