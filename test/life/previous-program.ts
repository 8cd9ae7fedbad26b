import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PREVIOUS_RELEASE } from './previous-release.js';

const ROOT = new URL('../../', import.meta.url).pathname;

/** Whether git knows the released commit: not in a copy without history, nor in a shallow clone. */
export const previousReleaseIsThere =
  spawnSync('git', ['cat-file', '-e', `${PREVIOUS_RELEASE}^{commit}`], { cwd: ROOT }).status === 0;

/** The program that was released last, built in a directory of its own with the packages of this one. */
export interface PreviousProgram {
  /** Its root, as this project's. */
  readonly root: string;
  remove(): void;
}

/** Builds it, which takes some seconds. */
export function buildPreviousProgram(): PreviousProgram {
  const root = mkdtempSync(join(tmpdir(), 'offertory-previous-'));
  const archive = execFileSync('git', ['archive', '--format=tar', PREVIOUS_RELEASE], {
    cwd: ROOT,
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return {
    root,
    remove: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
