import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PREVIOUS_RELEASE } from './previous-release.js';

const ROOT = new URL('../../', import.meta.url).pathname;

/** Whether git has the released commit. Copies without history and shallow clones do not. */
export const previousReleaseIsThere =
  spawnSync('git', ['cat-file', '-e', `${PREVIOUS_RELEASE}^{commit}`], { cwd: ROOT }).status === 0;

/** The last released program, built in its own directory with the packages of this one. */
export interface PreviousProgram {
  /** Its project directory. */
  readonly root: string;
  remove(): void;
}

/** Builds the last released program, which takes some seconds. */
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
